package markdown

import "testing"

func rendered(t *testing.T, markdown string) Rendered {
	t.Helper()
	r, err := New(Flavour{}).Markdown([]byte(markdown), func(ref string) string { return ref })
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// How a word is read may end without a tag of its own. What stood behind it was lost.
func TestTextBehindRuby(t *testing.T) {
	for markdown, want := range map[string]string{
		"<ruby>漢<rt>kan</ruby> is read.\n\nSo.":                     "漢 is read.\n\nSo.",
		"<ruby>漢<rp>(<rt>kan<rp>)</ruby> is read.":                  "漢 is read.",
		"<ruby>漢<rp>(</rp><rt>kan</rt><rp>)</rp></ruby> is read.":   "漢 is read.",
		"<ruby>漢<rt>kan\n\nAnd this is read.\n\n- So is\n- a list.": "漢\n\nAnd this is read.\n\nSo is\na list.",
	} {
		if got := rendered(t, markdown).Text; got != want {
			t.Errorf("%q: %q, want %q", markdown, got, want)
		}
	}
}

// An iframe without an end takes nothing along, however it is written.
func TestTextBehindFrames(t *testing.T) {
	for markdown, want := range map[string]string{
		"<iframe src='https://a.example'>\n\nText":              "https://a.example\n\nText",
		"<IFrame src='https://a.example'>\n\nText":              "https://a.example\n\nText",
		"<iframe src='https://a.example'>b</IFRAME>\n\nText":    "https://a.example\n\nText",
		"<iframe src='https://a.example'><iframe</ifrAme>\n\nb": "https://a.example\n\nb",
	} {
		if got := rendered(t, markdown).Text; got != want {
			t.Errorf("%q: %q, want %q", markdown, got, want)
		}
	}
}
