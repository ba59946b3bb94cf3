package article_test

import (
	"net/http"
	"testing"

	"newsstand/builder/article"
)

func TestNotModified(t *testing.T) {
	etag := article.ETag([]byte("{}\n"))
	if want := `"ca3d163bab055381827226140568f3be"`; etag != want { // half of sha256sum's answer
		t.Fatalf("ETag %s, want %s", etag, want)
	}
	for _, test := range []struct {
		header []string
		want   bool
	}{
		{nil, false},
		{[]string{""}, false},
		{[]string{etag}, true},
		{[]string{"W/" + etag}, true},
		{[]string{"w/" + etag}, false},
		{[]string{"*"}, true},
		{[]string{" \t" + etag + " "}, true},
		{[]string{`"a", ` + etag}, true},
		{[]string{`"a,b" ,,` + "\t" + etag}, true}, // a comma within a tag
		{[]string{`W/"a",` + etag + `,"b"`}, true},
		{[]string{`"a"`, etag}, true},
		{[]string{`"a"` + etag}, true}, // between tags, a comma may be missing
		{[]string{`"a`, etag}, false},  // the quote ends where the next begins
		{[]string{`unquoted, ` + etag}, false},
		{[]string{`"a" nonsense ` + etag}, false},
		{[]string{etag[1 : len(etag)-1]}, false},
		{[]string{etag[:len(etag)-1]}, false},
		{[]string{`"` + etag[1:len(etag)-1] + `x"`}, false},
		{[]string{`"*"`}, false},
	} {
		if got := article.NotModified(http.Header{"If-None-Match": test.header}, etag); got != test.want {
			t.Errorf("If-None-Match %q: %v, want %v", test.header, got, test.want)
		}
	}
}
