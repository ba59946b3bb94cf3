package commandline

import (
	"encoding/json"
	"io"
)

// WriteJSON writes a result on one line, for another program.
func WriteJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	return e.Encode(v)
}
