package cmd_test

import (
	"net/http"
	"os"
	"testing"
	"time"

	"newsstand/builder/edge"
	"newsstand/searchd"
)

// service answers from a published folder as the preview does.
func service(t *testing.T, public string) http.Handler {
	t.Helper()
	live, err := searchd.Open(t.Context(), searchd.Options{Source: public, Data: t.TempDir(), TimeLimit: time.Minute})
	must(t, err)
	t.Cleanup(func() { live.Close() })
	must(t, live.Load(t.Context()))
	return edgeBefore(t, public, searchd.NewHandler(live))
}

// edgeBefore answers from a published folder as netlify.toml says, and hands searches on.
func edgeBefore(t *testing.T, public string, search http.Handler) http.Handler {
	t.Helper()
	rules, err := edge.Parse([]byte(read(t, "../netlify.toml")))
	must(t, err)
	root, err := os.OpenRoot(public)
	must(t, err)
	t.Cleanup(func() { root.Close() })
	return edge.NewHandler(rules, root.FS(), search)
}
