package commandline_test

import (
	"bytes"
	"errors"
	"testing"

	"newsstand/builder/hinted"
	"newsstand/cmd/commandline"
)

// What others wrote commands no terminal, and is shown as it is else.
func TestPlain(t *testing.T) {
	for text, want := range map[string]string{
		"":       "",
		"a\n\tb": "a\n\tb",
		"naïve 10×\u3000日本\u00a0👩\u200d💻": "naïve 10×\u3000日本\u00a0👩\u200d💻",
		"של\u200fום مي\u200cخواهم":        "של\u200fום مي\u200cخواهم",
		"\x1b]0;title\a\x1b[2J":           `\x1b]0;title\a\x1b[2J`,
		"gone\rhere\b\x7f\x00":            `gone\rhere\b\x7f\x00`,
		"\u009b31m\x9b31m":                `\u009b31m\x9b31m`,
		"\u202eevil\u2066\u2069":          `\u202eevil\u2066\u2069`,
		"\ufffd":                          "\ufffd",
	} {
		if got := commandline.Plain(text); got != want {
			t.Errorf("%q is shown as %q, want %q", text, got, want)
		}
	}
	if got, want := commandline.PlainLine("a\n\tb\a"), `a\n\tb\a`; got != want {
		t.Errorf("in one line it is %q, want %q", got, want)
	}
	var stderr bytes.Buffer
	commandline.PrintError(&stderr, hinted.Error(errors.New("open \x1b[2Ja"), "remove \x1b[2Ja"))
	if got, want := stderr.String(), "error: open \\x1b[2Ja\nhint: remove \\x1b[2Ja\n"; got != want {
		t.Errorf("an error is printed as %q, want %q", got, want)
	}
}
