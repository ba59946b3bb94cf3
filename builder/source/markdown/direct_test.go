package markdown

import (
	"net/url"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/yuin/goldmark"

	"newsstand/builder/article/articletest"
	"newsstand/builder/source/frontmatter"
	"newsstand/builder/source/sourcetest"
)

// both renders Markdown in two ways: as the builder does, and with goldmark and the
// sanitiser alone.
type both struct {
	*Renderer
	plain goldmark.Markdown
}

func newBoth(f Flavour) both { return both{New(f), newMarkdown(f)} }

// everyFlavour returns a flavour with all that a program may have.
func everyFlavour() Flavour {
	return Flavour{Emojis: true, Lenient: true, Spaced: true, Tildes: true, Marks: []Mark{{Sign: '^', One: "sup", Two: "ins"}, {Sign: '~', One: "sub"}, {Sign: '+', Two: "ins"}}, Math: []Formula{{Open: "$$", Close: "$$"}, {Open: "$", Close: "$"}, {Open: `\(`, Close: `\)`}, {Open: `\[`, Close: `\]`}}}
}

// same checks that both ways give the same; it reports whether the first needed no sanitiser.
func (b both) same(t testing.TB, what, markdown string) (direct bool) {
	t.Helper()
	base := &url.URL{Scheme: "https", Host: "site.example", Path: "/posts/a/"}
	resolve := func(ref string) string {
		if u, err := url.Parse(strings.TrimSpace(ref)); err == nil && ref != "" && ref[0] != '#' {
			return base.ResolveReference(u).String()
		}
		return ref
	}
	source := []byte(markdown)
	want := b.sanitise(parse(b.plain, source, false), source, resolve)
	document := parse(b.markdown, source, false)
	got, direct := b.directly(document, source, resolve)
	if !direct {
		got = b.sanitise(document, source, resolve)
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%s: rendered directly (%t), it is\n%+v\nwant\n%+v\n%s", what, direct, got, want, cmp.Diff(want.HTML+"\n"+want.Text, got.HTML+"\n"+got.Text))
	}
	return direct
}

// pieces returns Markdown of every kind; sourcetest.Attacks has more that needs the sanitiser.
func pieces() []string {
	return []string{
		"# A <b>bold</b> & \"quoted\" heading", "## A heading {#own}", "### Déjà `vu` *again*", "Setext\n===", "#### x {#1 .c}",
		"A paragraph\nof two lines,  with a hard  \nbreak\\\nand another, and it's \"quoted\" & <b>.",
		"*em* **strong** ***both*** ~~gone~~ `code & <x>` ``a ` b`` `two\nlines`",
		"H~2~O x^2^^^3^^ ^*a*^ **b^c^** ++d `e` f++ ~g h~ i~~j~~k 1~2~", "[l~1~](a~b~c) C++ ^m\n^ ~`n`~ <b>o^p^</b> \\~q~",
		"[link](other.md \"a 'title' &amp; more\") [ref] [x](<a b>) [](https://x.example/?a=1&b=2#f) [mail](mailto:a@b.example) [tel](tel:+1) [bad](javascript:alert(1)) [äöü](/ä ö)",
		"![alt *text* & \"more\"](pic.png 'title') ![](x.svg) ![two\nlines](y) ![hard  \nbreak](z)",
		"https://auto.example/a?b=c&d and www.auto.example and me@auto.example, <https://x.example/>, <MAILTO:a@b.c>",
		"- one\n- two\n  - three\n\n    with a paragraph\n- [ ] open\n- [x] done\n", "7. seven\n8. eight\n\n   text\n", "1) one\n\n2) two",
		"> quoted\n> - list\n>\n> > twice", "---", "***", "a $$x_1 * y_2$$\\_ \\[\\{z\\}\\] $5, $6 *b*\n\n$$\n+ c\n$$\nd \\(e", "**a:**b [c](d e \"f\") ![g](h i)",
		"    indented code & <x>\n\n    more", "```go\nfunc main() { print(\"<&>\") }\n```", "~~~ c++ {x}\n\n\n~~~", "```rust,ignore\nx\n```", "- ```js{1}\n  x\n  ```\n\n>\t~~~ { .py }\n> y", "~~~{r}\n", "```a&amp;b,c\n```", "```a&b\n```",
		"| a | b |\n|:--|--:|\n| 1 | *2* |\n| 3 | \\| |\n", "a | b\n--|--\n", "| | |\n|--|--|\n| 1 | |\n| | 2 |\n| 3 |\n",
		"term\n: one\n: two\n\n  para\n\nother\n\n: loose",
		"note[^1] again[^1] and[^two]\n\n[^1]: The *first*\n\n    with two paragraphs\n[^two]: second\n",
		"&copy; &#8212; &#x1F600; &nosuch; \\* \\& \\\\ &amp;amp; &lt;b&gt; &#0; &#xD800;", "<!-- a comment --> after", "<!--\ntwo\nlines\n-->\n\n# After", "text <!-- inside --> text", "a <!-- -- --> b", "<!--> x -->", "<!-- x --->", "<!-- open",
		"<!-- c -->\ntext\n-->", "  <!-- c -->", "H<sub>2</sub>O x<sup>2</sup> <kbd>Ctrl</kbd> a<br>b <em>em</em> <span>s</span> <a name=x>y</a>", "<div>\n\n*md*\n\n</div>", "<div style=\"x\" class=\"note\">\n<p title='a'>b &amp c <img src=x.png srcset=\"a 1x, b 2x\">\n\n*md*\n</div>\n", "<details><summary>A</summary>\n\ntext\n\n</details>", "<div>a &am", "a    \nb \nf \t\ng\t\nc \\\nd\t  \ne", "><p", "```0\t0\n```", "&#XD;\n&#0;", "a (https://x.example/a) b", "[a](https://b c) [x https://c.example/", "a@b `c@d.example` a`b@c.example` x_y_z@d.example", "**https://x.example**, *www.x.example*_http://y.example_", "[https://x.example](y) ![http://z.example/?a=b](q) \\(http://x.example", "- <b>x\n- </b>y", "- <input type=checkbox checked disabled> raw\n- <input type=text value=x>y <input checked>z<INPUT TYPE=CHECKBOX/>", "a<form action=x>b<label>c</label>d</form>e\n\n<fieldset>\n<legend>f</legend>g\n\n*h*\n</fieldset>\n<object data=x><param name=y>i <b>j</b></object>k\n", "<font color=red>x</font> <input> <audio>x</audio> <iframe src=https://x.example></iframe>", "</code> <code>", "<data>x</data> <bdo>y</bdo> <nostyle>z</nostyle>",
		"[ref]: https://ref.example/ 'ref title'", "line\u00a0with\u2028odd\tspaces\fand  more ", "    ", "\n\n", "日本語の文。 一行\n次の行", "<script>x</script>", "[a]() [b]( 't') ![c]() ![](javascript:x 't') [d](<ttps://x>) [e](%zz) [f](http://[)", "<div><noscript>\n<img src=x>\n</noscript><textarea><b></textarea> <iframe src=\"https://x.example\"></iframe><iframe></iframe><title>a</title></div>\n", "<iframe src=\"https://x.example\">\n", "<textarea>\n\nx\n\n</textarea>", "<div>\n<script>if (a<b) { x('</div>') }</script>\n<style>\n.a { b: c }\n</style></div>\n", "<script>\n\nx\n\n</script> y", "<script><!--\n</script>\n--></script>", "<style/>x</style>", "<!-- a -- b --!> c -->", "<!--->", "<!--\n--\n-->", "[a](b){c}", "x<y>z", "* * *\n\n+ a\n+ b", "[^1]: only a note", "<https://a.example/?q=\"x\">",
		":tada: a:tada:b **:+1:** [:tada:](x) ![a :tada:](x) :octocat: :material-check: :none: 10:30:45 https://x.example/:tada:/ `:tada:` :tada", "## :tada: Heading\n:tada:\n- :tada:",
	}
}

func TestDirectly(t *testing.T) {
	articletest.WithoutRace(t)
	both, every := newBoth(Flavour{}), newBoth(everyFlavour())
	all, direct := 0, 0
	for _, p := range pieces() {
		all++
		if both.same(t, p, p) {
			direct++
		}
		every.same(t, p, p)
	}
	if direct < all/2 {
		t.Errorf("only %d of %d pieces are rendered directly", direct, all)
	}
	for _, a := range append(sourcetest.Attacks(), pieces()...) {
		for _, b := range append(sourcetest.Attacks(), pieces()...) {
			both.same(t, a, a+"\n\n"+b)
			both.same(t, a, "- "+strings.ReplaceAll(a, "\n", "\n  ")+"\n\n  > "+strings.ReplaceAll(b, "\n", "\n  > "))
		}
	}
}

// Real articles: this project's own, and those of real sites if they are there.
func TestDirectlyOnRealSites(t *testing.T) {
	articletest.WithoutRace(t)
	both := newBoth(Flavour{})
	for _, name := range []string{sourcetest.Guide, "sites"} {
		t.Run(name, func(t *testing.T) {
			all, direct := 0, 0
			sourcetest.EachArticle(t, name, func(path string, data []byte) {
				if doc, syntax := frontmatter.Parse(data); syntax == nil {
					all++
					if both.same(t, path, string(doc.Body)) {
						direct++
					}
				}
			})
			t.Logf("%d of %d articles are rendered directly", direct, all)
			if direct < all*3/4 {
				t.Errorf("%d of %d articles are rendered directly", direct, all)
			}
		})
		if testing.Short() {
			break
		}
	}
}

func FuzzDirectly(f *testing.F) {
	for _, p := range append(pieces(), sourcetest.Attacks()...) {
		f.Add(p)
	}
	both, every := newBoth(Flavour{}), newBoth(everyFlavour())
	f.Fuzz(func(t *testing.T, text string) {
		if utf8.ValidString(text) && len(text) < 10_000 {
			both.same(t, "it", text)
			every.same(t, "it", text)
		}
	})
}
