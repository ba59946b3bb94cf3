package searchd

import (
	"net/url"
	"strings"
	"testing"
	"unicode/utf8"

	"newsstand/builder/article"
)

func TestParseQuery(t *testing.T) {
	long := strings.Repeat("ä", article.MaxQueryRunes)
	words := strings.Repeat("a+", article.MaxQueryTerms-1) + "a"
	for raw, want := range map[string]struct {
		text  string
		limit int
	}{
		"":                             {"", 10},
		"q":                            {"", 10},
		"q=":                           {"", 10},
		"q=+%20%09":                    {"  \t", 10},
		"q=go":                         {"go", 10},
		"q=hot+swap%2Bgo":              {"hot swap+go", 10},
		"%71=go":                       {"go", 10}, // the same address, spelled otherwise
		"q=caf%C3%A9":                  {"café", 10},
		"q=caf\u00e9":                  {"café", 10},
		"q=a=b":                        {"a=b", 10},
		"q=a%3Bb":                      {"a;b", 10},
		"q=a%0D%0Ab%09c":               {"a\r\nb\tc", 10},
		"q=" + url.QueryEscape(long):   {long, 10},
		"q=" + words:                   {strings.ReplaceAll(words, "+", " "), 10},
		"limit=":                       {"", 10},
		"limit=1":                      {"", 1},
		"limit=007":                    {"", 7},
		"limit=100":                    {"", 100},
		"limit=101":                    {"", 100},
		"limit=99999999999999999999":   {"", 100},
		"q=go&limit=3":                 {"go", 3},
		"&&q=go&&":                     {"go", 10},
		"Q=no&q=go&LIMIT=0":            {"go", 10},
		"q=go&utm_source=x":            {"go", 10},
		"q=go&utm=%zz&x=%ff&a;b=c;d&=": {"go", 10}, // what is unknown is ignored, malformed or not
		"%zz=1&q=go":                   {"go", 10},
		"x=1;q=evil&q=go":              {"go", 10},
	} {
		q, _, errs := parseQuery(raw)
		if len(errs) > 0 || q.Text != want.text || q.Limit != want.limit {
			t.Errorf("%q: got %q, %d, %v; want %q, %d", raw, q.Text, q.Limit, errs, want.text, want.limit)
		}
	}
}

func TestParseQueryRefuses(t *testing.T) {
	for raw, want := range map[string]string{
		"q=a&q=a":                          "q must be given once, got it 2 times",
		"q&%71=&q=x":                       "q must be given once, got it 3 times",
		"q=%":                              `q is not percent-encoded correctly: invalid URL escape "%"`,
		"q=a%zz":                           `q is not percent-encoded correctly: invalid URL escape "%zz"`,
		"q=a;b":                            "q holds a bare semicolon: send it as %3B",
		"q=%ff":                            "q is not UTF-8: its byte 1 is 0xff",
		"q=ab%C3":                          "q is not UTF-8: its byte 3 is 0xc3",
		"q=%ED%A0%80":                      "q is not UTF-8: its byte 1 is 0xed", // half of a surrogate pair
		"q=%EF%BF%BD%C0%80":                "q is not UTF-8: its byte 4 is 0xc0",
		"q=a%00b":                          "q holds the control character U+0000, its character 2",
		"q=%C3%A4%1B":                      "q holds the control character U+001B, its character 2",
		"q=" + strings.Repeat("a", 513):    "q may have at most 512 characters, got 513",
		"q=" + strings.Repeat("a%20", 65):  "q may have at most 64 words, got 65",
		"limit=0":                          `limit must be a whole number from 1 to 100, got "0"`,
		"limit=000":                        `limit must be a whole number from 1 to 100, got "000"`,
		"limit=-1":                         `limit must be a whole number from 1 to 100, got "-1"`,
		"limit=%2B5":                       `limit must be a whole number from 1 to 100, got "+5"`,
		"limit=+5":                         `limit must be a whole number from 1 to 100, got " 5"`,
		"limit=1.0":                        `limit must be a whole number from 1 to 100, got "1.0"`,
		"limit=1e1":                        `limit must be a whole number from 1 to 100, got "1e1"`,
		"limit=%D9%A3":                     `limit must be a whole number from 1 to 100, got "٣"`,
		"limit=" + strings.Repeat("x", 99): `limit must be a whole number from 1 to 100, got "` + strings.Repeat("x", 40) + `…"`,
		"limit=3&limit=3":                  "limit must be given once, got it 2 times",
		"limit=3;":                         "limit holds a bare semicolon: send it as %3B",
	} {
		_, kind, errs := parseQuery(raw)
		wantKind := article.InvalidQuery
		if strings.HasPrefix(want, "limit") {
			wantKind = article.InvalidLimit
		}
		if len(errs) != 1 || errs[0].Detail != want || kind != wantKind || !strings.HasPrefix(want, errs[0].Parameter) {
			t.Errorf("%q: got %s, %v; want %q", raw, kind, errs, want)
		}
	}
	_, kind, errs := parseQuery("limit=x&q=%ff")
	if kind != article.InvalidQuery || len(errs) != 2 || errs[1].Parameter != "limit" {
		t.Errorf("both wrong: %s, %v", kind, errs)
	}
}

func FuzzParseQuery(f *testing.F) {
	for _, seed := range []string{"q=go&limit=3", "q=a;b", "q=%ff&q=%00", "limit=999", "%71=x&utm=%zz", "q=%E4%BD%A0+%22b%22"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		q, kind, errs := parseQuery(raw)
		if len(errs) > 0 {
			if s := kind.Status(); s != 400 {
				t.Errorf("%q: kind %s has status %d", raw, kind, s)
			}
			for _, e := range errs {
				if !utf8.ValidString(e.Detail) || len(e.Detail) > 500 {
					t.Errorf("%q: detail %q", raw, e.Detail)
				}
			}
			return
		}
		if q.Limit < 1 || q.Limit > article.MaxLimit || !utf8.ValidString(q.Text) ||
			utf8.RuneCountInString(q.Text) > article.MaxQueryRunes || len(strings.Fields(q.Text)) > article.MaxQueryTerms || strings.ContainsRune(q.Text, 0) {
			t.Errorf("%q: accepted as %+v", raw, q)
		}
		// Where Go's own parser finds no fault, the two agree.
		if values, err := url.ParseQuery(raw); err == nil && values.Get("q") != q.Text {
			t.Errorf("%q: q is %q, net/url has %q", raw, q.Text, values.Get("q"))
		}
	})
}
