// Package hinted gives an error its hint: an error says what is wrong and where, and the hint what
// its user can do about it, in one line. The programs print the two apart.
package hinted

import "errors"

type hinted struct {
	error
	hint string
}

func (h hinted) Unwrap() error { return h.error }

// Error is err with a hint.
func Error(err error, hint string) error { return hinted{err, hint} }

// Hint is the hint of an error, the outermost if there are several; "" where it has none.
func Hint(err error) string {
	var h hinted
	errors.As(err, &h)
	return h.hint
}
