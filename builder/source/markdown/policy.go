package markdown

import (
	"regexp"
	"slices"
	"strings"

	"github.com/microcosm-cc/bluemonday"
)

// schemes returns the schemes of harmless addresses.
func schemes() []string { return []string{"http", "https", "mailto", "tel"} }

// harmless returns a function that does what resolve does, but returns "" if the result has another
// scheme: the policy checks an address as its author wrote it, before it is resolved.
func harmless(resolve func(string) string) func(string) string {
	return func(written string) string {
		address := resolve(written)
		if end := strings.IndexAny(address, ":/?#"); end >= 0 && address[end] == ':' && !slices.Contains(schemes(), strings.ToLower(address[:end])) {
			return ""
		}
		return address
	}
}

// newPolicy returns a policy that allows what articles need and nothing that runs.
func newPolicy() *bluemonday.Policy {
	p := bluemonday.NewPolicy()
	p.AllowURLSchemes(schemes()...)
	p.AllowRelativeURLs(true)
	p.AllowAttrs("id").Matching(regexp.MustCompile(`^(?:[A-Za-z0-9_:.-]|[^\x00-\x7F\pZ\pC])+$`)).Globally() // in other scripts, ids have signs, too: 布局（Layout）
	p.AllowAttrs("lang", "dir", "title").Globally()
	p.AllowElements("p", "br", "hr", "h1", "h2", "h3", "h4", "h5", "h6", "div", "span", "section", "article", "aside", "header", "footer", "main", "nav",
		"blockquote", "cite", "q", "b", "strong", "i", "em", "u", "s", "del", "ins", "small", "mark", "sub", "sup", "kbd", "samp", "var", "dfn", "abbr", "bdi", "bdo",
		"ruby", "rb", "rt", "rp", "rtc", "wbr", "code", "pre", "tt", "time", "data", "address",
		"ul", "ol", "li", "dl", "dt", "dd", "figure", "figcaption", "details", "summary", "center",
		"table", "caption", "colgroup", "col", "thead", "tbody", "tfoot", "tr", "th", "td", "picture")
	p.AllowNoAttrs().OnElements("span", "a", "img", "main", "rb", "rtc")
	// These elements are dropped, but their contents are kept: by default, bluemonday drops those,
	// too, and all that follows if an author has not closed the element.
	p.AllowElementsContent("object", "frame", "frameset")
	// The classes that matter to a program that shows an article, such as the language of code and
	// those of footnotes.
	classes := regexp.MustCompile(
		`^(?:language-[\w+#.-]+|highlight|footnotes?|footnote-(?:ref|backref)|task-list-item|contains-task-list|math|mermaid|note|warning|tip)(?:\s+[\w-]+)*$`,
	)
	p.AllowAttrs("class").
		Matching(classes).
		OnElements("code", "pre", "span", "div", "section", "a", "sup", "li", "ol", "ul", "figure", "p", "table", "blockquote", "details")
	p.AllowAttrs("open").OnElements("details")
	p.AllowAttrs("href", "hreflang", "rel", "name").OnElements("a")
	p.AllowAttrs("cite").OnElements("blockquote", "q", "del", "ins")
	p.AllowAttrs("datetime").OnElements("time", "del", "ins")
	p.AllowAttrs("start", "reversed", "type").OnElements("ol")
	p.AllowAttrs("value").OnElements("li", "data")
	p.AllowAttrs("align", "valign").OnElements("th", "td", "tr", "p", "div", "img", "table", "h1", "h2", "h3", "h4", "h5", "h6")
	p.AllowAttrs("colspan", "rowspan", "scope", "headers").OnElements("th", "td")
	p.AllowAttrs("span").OnElements("col", "colgroup")
	p.AllowAttrs("src", "alt", "width", "height", "loading").OnElements("img")
	p.AllowAttrs("srcset", "sizes", "media", "type").OnElements("source", "img")
	p.AllowElements("audio", "video", "source", "track")
	p.AllowAttrs("src", "controls", "loop", "muted", "preload", "width", "height").OnElements("audio", "video")
	// bluemonday does not know that poster, and the src of a source, are addresses.
	file := regexp.MustCompile(`(?i)^(https?://|[^:/?#]*([/?#]|$))`)
	p.AllowAttrs("poster").Matching(file).OnElements("video")
	p.AllowAttrs("src").Matching(file).OnElements("source")
	p.AllowAttrs("src").OnElements("track")
	p.AllowAttrs("kind", "srclang", "label", "default").OnElements("track")
	// Only inputs that are boxes of task lists stay, which readers cannot change.
	p.AllowAttrs("type").Matching(regexp.MustCompile(`^(?i:checkbox)$`)).OnElements("input")
	p.AllowAttrs("checked").OnElements("input")
	// The finisher drops these elements after it has set their words apart.
	p.AllowElements(setApart()...)
	p.AllowNoAttrs().OnElements(setApart()...)
	// An iframe is kept until its address has become a link.
	p.AllowAttrs("src").OnElements("iframe")
	return p
}
