package searchd

import (
	"encoding/json"
	"net/url"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"newsstand/builder/article"
	"newsstand/searchd/index"
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

func TestParseOffsetAndFilters(t *testing.T) {
	for raw, want := range map[string]index.Query{
		"":                                   {},
		"offset=":                            {},
		"offset=0&tag=&language=":            {},
		"offset=007":                         {Offset: 7},
		"offset=1000":                        {Offset: 1000},
		"tag=go":                             {Tags: []string{"go"}},
		"tag=+%09":                           {},
		"tag=%C3%9Cber++uns+":                {Tags: []string{"Über uns"}},
		"tag=b&q=x&tag=a&tag=&tag=b":         {Text: "x", Tags: []string{"a", "b"}}, // their order means nothing
		"t%61g=go":                           {Tags: []string{"go"}},
		"Tag=no&tag[]=no&tags=no":            {},
		"language=en-GB":                     {Languages: []string{"en-gb"}},
		"language=fr&language=EN":            {Languages: []string{"en", "fr"}},
		"language=zh-Hant-TW&language=x-a-1": {Languages: []string{"x-a-1", "zh-hant-tw"}},
	} {
		want.Limit = 10
		q, _, errs := parseQuery(raw)
		if len(errs) > 0 || !reflect.DeepEqual(q, want) {
			t.Errorf("%q: got %+v, %v; want %+v", raw, q, errs, want)
		}
	}
}

// The OpenAPI document tells clients which characters and which tags of languages are refused.
func TestWhatIsRefusedIsInTheDocument(t *testing.T) {
	data, err := article.OpenAPI(article.Site{}, article.Health{}, nil)
	must(t, err)
	type schema struct {
		Pattern string
		Items   *schema
	}
	var document struct {
		Paths map[string]struct {
			Get struct {
				Parameters []struct {
					Name   string
					Schema schema
				}
			}
		}
	}
	must(t, json.Unmarshal(data, &document))
	patterns := map[string]*regexp.Regexp{}
	for _, p := range document.Paths[article.SearchOperation].Get.Parameters {
		if p.Schema.Items != nil {
			p.Schema = *p.Schema.Items
		}
		patterns[p.Name] = regexp.MustCompile(p.Schema.Pattern)
	}
	compare := func(name, text string) {
		_, _, errs := parseQuery(name + "=" + url.QueryEscape(text))
		if said := patterns[name].MatchString(text); said != (len(errs) == 0) {
			t.Errorf("%s=%q: the document says %t, the answer %v", name, text, said, errs)
		}
	}
	for _, name := range []string{"q", "tag"} {
		compare(name, "")
		for r := range rune(0x300) {
			compare(name, "a"+string(r)+"b")
		}
	}
	for _, text := range []string{"", "en", "de-CH", "x-a-1", "abcdefgh", "abcdefghi", "en_GB", "en-", "-en", "e1", "*", " "} {
		compare("language", text)
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
		"q=%00":                            "q holds the control character U+0000, its character 1",
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
		"offset=-1":                        `offset must be a whole number from 0 to 1000, got "-1"`,
		"offset=%2B1":                      `offset must be a whole number from 0 to 1000, got "+1"`,
		"offset=1001":                      `offset must be a whole number from 0 to 1000, got "1001"`,
		"offset=99999999999999999999":      `offset must be a whole number from 0 to 1000, got "99999999999999999999"`,
		"offset=x":                         `offset must be a whole number from 0 to 1000, got "x"`,
		"offset=1.5":                       `offset must be a whole number from 0 to 1000, got "1.5"`,
		"offset=1&offset=1":                "offset must be given once, got it 2 times",
		"tag=%ff":                          "tag is not UTF-8: its byte 1 is 0xff",
		"tag=a&tag=b%zz":                   `tag is not percent-encoded correctly: invalid URL escape "%zz"`,
		"tag=a;b":                          "tag holds a bare semicolon: send it as %3B",
		"tag=a%00":                         "tag holds the control character U+0000, its character 2",
		"tag=" + strings.Repeat("ä", 201):  "tag may have at most 200 characters, got 201",
		strings.Repeat("tag=a&", 17):       "tag may be given at most 16 times, got it 17 times",
		"language=en_GB":                   `language must be a BCP 47 tag such as en or pt-BR, got "en_GB"`,
		"language=*":                       `language must be a BCP 47 tag such as en or pt-BR, got "*"`,
		"language=en-":                     `language must be a BCP 47 tag such as en or pt-BR, got "en-"`,
		"language=1a":                      `language must be a BCP 47 tag such as en or pt-BR, got "1a"`,
		"language=+en":                     `language must be a BCP 47 tag such as en or pt-BR, got " en"`,
		"language=abcdefghi":               `language must be a BCP 47 tag such as en or pt-BR, got "abcdefghi"`,
		"language=" + strings.Repeat("ab-", 11) + "abc": `language must be a BCP 47 tag such as en or pt-BR, got "` + strings.Repeat("ab-", 11) + `abc"`,
		"language=de&language=d%C3%A9":                  `language must be a BCP 47 tag such as en or pt-BR, got "dé"`,
	} {
		_, kind, errs := parseQuery(raw)
		wantKind := article.InvalidQuery
		for prefix, kind := range map[string]article.Kind{"limit": article.InvalidLimit, "offset": article.InvalidOffset, "tag": article.InvalidTag, "language": article.InvalidLanguage} {
			if strings.HasPrefix(want, prefix) {
				wantKind = kind
			}
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

// A query string is read before a search has its turn, so the longest one must cost little: each
// name is decoded once, and not once for each parameter.
func TestLongQueryStringsAreReadOnce(t *testing.T) {
	const pair = "%71%71&" // none of ours
	n := maxHeaderBytes / len(pair)
	raw := strings.Repeat(pair, n)
	if allocated := testing.AllocsPerRun(10, func() { parseQuery(raw) }); allocated > 2*float64(n) {
		t.Errorf("%.0f allocations for %d names", allocated, n)
	}
}

func FuzzParseQuery(f *testing.F) {
	for _, seed := range []string{"q=go&limit=3", "q=a;b", "q=%ff&q=%00", "limit=999", "offset=10&tag=a&tag=%C3%A4&language=en-GB", "%71=x&utm=%zz", "q=%E4%BD%A0+%22b%22"} {
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
		if q.Offset < 0 || q.Offset > article.MaxOffset || len(q.Tags) > article.MaxFilterValues || len(q.Languages) > article.MaxFilterValues {
			t.Errorf("%q: accepted as %+v", raw, q)
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
