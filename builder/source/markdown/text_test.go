package markdown

import (
	"slices"
	"strings"
	"testing"
)

func rendered(t *testing.T, markdown string) Rendered {
	t.Helper()
	return renderedAs(t, Flavour{}, markdown)
}

func renderedAs(t *testing.T, f Flavour, markdown string) Rendered {
	t.Helper()
	return New(f).Markdown([]byte(markdown), func(ref string) string { return ref })
}

// texts checks the texts of pieces of Markdown.
func texts(t *testing.T, cases map[string]string) {
	t.Helper()
	textsAs(t, Flavour{}, cases)
}

func textsAs(t *testing.T, f Flavour, cases map[string]string) {
	t.Helper()
	for markdown, want := range cases {
		if got := renderedAs(t, f, markdown).Text; got != want {
			t.Errorf("%q: %q, want %q", markdown, got, want)
		}
	}
}

// The reading of a word (<rt>) may have no end tag. What followed it was lost.
func TestTextAfterRuby(t *testing.T) {
	texts(t, map[string]string{
		"<ruby>漢<rt>kan</ruby> is read.\n\nSo.":                     "漢 is read.\n\nSo.",
		"<ruby>漢<rt><b>kan</b></rt></ruby> is read.":                "漢 is read.",
		"<ruby>漢<rp>(<rt>kan<rp>)</ruby> is read.":                  "漢 is read.",
		"<ruby>漢<rp>(</rp><rt>kan</rt><rp>)</rp></ruby> is read.":   "漢 is read.",
		"<ruby>漢<rt>kan\n\nAnd this is read.\n\n- So is\n- a list.": "漢\n\nAnd this is read.\n\nSo is\na list.",
	})
}

// A picture separates the words around it: its description ran into them, as in OneTwo, which
// nobody finds.
func TestTextAroundPictures(t *testing.T) {
	texts(t, map[string]string{
		"Zero![One](/a.png)Two":                                     "Zero One Two",
		"![One](/a.png)![Two](/b.png) three":                        "One Two three",
		"Zero![](/a.png)one, (![Two](/b.png)), ![Three](/c.png).":   "Zero one, (Two), Three.",
		"[![One](/a.png)](/b)[![Two](/c.png)](/d)\n\nThree":         "One Two\n\nThree",
		"<img alt='One' src='/a.png'>two<img alt='Three' src='/b'>": "One two Three",
		"`zero`![One](/a.png)`two`":                                 "zero One two",
		"a <iframe src='https://a.example/b'></iframe>c":            "a https://a.example/b c",
	})
}

// The words of a form's parts stay apart: Name and Age were NameAge, which nobody finds. The
// contents of an object stay.
func TestTextAroundParts(t *testing.T) {
	texts(t, map[string]string{
		"<form>Zero<fieldset><legend>One</legend>Two</fieldset></form>Three":                              "Zero One Two Three",
		"<label>Name</label><input><label>Age</label> <select><option>One<option>Two</select>":            "Name Age One Two",
		"a<form>b</form>*c* d<button>e</button>`f`g":                                                      "a b c d e fg",
		"Press <button>Save</button>, (<button>then</button>).":                                           "Press Save, (then).",
		"<object data='a.pdf' type='application/pdf'><p>Read <a href='a.pdf'>the paper</a>.</p></object>": "Read the paper.",
		"One<main>Two</main>Three":                     "One\n\nTwo\n\nThree",
		"<hgroup><h2>One</h2><p>Two</p></hgroup>Three": "One\n\nTwo\n\nThree",
	})
}

// No summary is made of a paragraph that is nothing but links within the page.
func TestSummaryBesideLinksWithinThePage(t *testing.T) {
	text := "[One](#a), [two](#b)\n\n[Three](#c) four.\n\n[Five](/e)\n"
	if got, want := rendered(t, text).Paragraphs, []string{"Three four.", "Five"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// The arrow that leads back from a note leaves nothing in the text.
func TestTextAfterNotes(t *testing.T) {
	texts(t, map[string]string{"A[^1] b[^2] [^1].\n\n[^1]: One\n[^2]: Two\n": "A b .\n\nOne\nTwo"})
}

// Code keeps its language, whatever else is written with it: the language of js{1,3} was unknown.
func TestLanguagesOfCode(t *testing.T) {
	for info, want := range map[string]string{
		"js": "js", "c++": "c++", "js {1,3}": "js", "js{1,3}": "js", "js:line-numbers {1}": "js", "javascript:title=a.js": "javascript", "rust,ignore": "rust", "ruby=": "ruby",
		"{ .py .annotate title=\"a\" }": "py", "{.yaml}": "yaml", "{r, echo=FALSE}": "r", "{python}": "python", "{linenos=true}": "", "{": "", "{}": "", "{#id .go}": "", `title="a.js"`: "", "=": "", "a/b": "",
	} {
		class := ""
		if want != "" {
			class = ` class="language-` + want + `"`
		}
		if got, want := rendered(t, "~~~ "+info+"\nx\n~~~\n").HTML, "<pre><code"+class+">x\n</code></pre>\n"; got != want {
			t.Errorf("%s: %s, want %s", info, got, want)
		}
	}
}

// A summary does not begin with the address of a frame that stands by itself.
func TestParagraphsOfFrames(t *testing.T) {
	for markdown, want := range map[string]string{
		"<iframe src='https://a.example'></iframe>\n\nText":       "Text",
		"<p><iframe src='https://a.example'></iframe> A film</p>": "https://a.example A film",
		"<iframe src='https://a.example'></iframe>":               "",
	} {
		if got := strings.Join(rendered(t, markdown).Paragraphs, "|"); got != want {
			t.Errorf("%q: %q, want %q", markdown, got, want)
		}
	}
}

// An iframe without an end tag does not swallow what follows, however it is written.
func TestTextAfterFrames(t *testing.T) {
	texts(t, map[string]string{
		"<iframe src='https://a.example'>\n\nText":              "https://a.example\n\nText",
		"<IFrame src='https://a.example'>\n\nText":              "https://a.example\n\nText",
		"<iframe src='https://a.example'>b</IFRAME>\n\nText":    "https://a.example\n\nText",
		"<iframe src='https://a.example'><iframe</ifrAme>\n\nb": "https://a.example\n\nb",
	})
}

// A lone <title> in a text is written about, and shown as text. To a browser, all that follows
// would be in it.
func TestTextAfterTags(t *testing.T) {
	for markdown, want := range map[string]string{
		"The <title> of a page.\n\nText":                  "The <title> of a page.\n\nText",
		"A <SCRIPT src='a.js' async> is *not*\nrun\n\nb":  "A <SCRIPT src='a.js' async> is not run\n\nb",
		"Of **<style>**, a [<textarea>](/a) ![<xmp>](/b)": "Of <style>, a <textarea> <xmp>",
		"a <script>x</script> b":                          "a b",
		"a <script>x\ny</script> <title> b":               "a <title> b",
		"a <script> `</script>` b":                        "a <script> </script> b",
		"- a <title>\n- b\n\n| a |\n|---|\n| <title> |\n": "a <title>\nb\n\na\n<title>",
	} {
		r := rendered(t, markdown)
		if r.Text != want {
			t.Errorf("%q: %q, want %q", markdown, r.Text, want)
		}
		if strings.Contains(strings.ToLower(r.HTML), "<script") {
			t.Errorf("%q: %s", markdown, r.HTML)
		}
	}
}

// An element that is always empty has no end tag: HTML parsers count each as an error, and read
// </br> as a line break.
func TestEndTagsOfEmptyElements(t *testing.T) {
	for markdown, want := range map[string]string{
		`<div><img src="/a.png" alt="A"></img></div>`:      `<div><img src="/a.png" alt="A"></div>`,
		`A <img src="/a.png" alt="A"></img> b<wbr></wbr>c`: `<p>A <img src="/a.png" alt="A"> b<wbr>c</p>`,
		"a</br>b": "<p>a</br>b</p>",
	} {
		if got := strings.TrimSpace(rendered(t, markdown).HTML); got != want {
			t.Errorf("%q: %q, want %q", markdown, got, want)
		}
	}
}

// Hugo links www.example.org by https, others by http; what the author wrote stays.
func TestLinksWithoutProtocol(t *testing.T) {
	for protocol, want := range map[string]string{"": "http", "https": "https"} {
		got := renderedAs(t, Flavour{Protocol: protocol}, "www.a.example/b http://www.c.example").HTML
		if want := `<p><a href="` + want + `://www.a.example/b">www.a.example/b</a> <a href="http://www.c.example">http://www.c.example</a></p>`; strings.TrimSpace(got) != want {
			t.Errorf("%q: %q, want %q", protocol, got, want)
		}
	}
}

// Browsers escape spaces in the addresses of tags: pictures and links with such addresses lost
// them.
func TestAddressesOfTagsWithSpaces(t *testing.T) {
	for markdown, want := range map[string]string{
		`<img src="/b/A shot.png" alt="a  b">`:        `<img src="/b/A%20shot.png" alt="a  b">`,
		`A <a title='b > c' HREF = ' b c#d e '>f</a>`: `<p>A <a title="b &gt; c" href="b%20c#d%20e">f</a></p>`,
		"<p>src=\"a b\" <code>src='a b'</code></p>":   "<p>src=&#34;a b&#34; <code>src=&#39;a b&#39;</code></p>",
		`<div><a href="java script:x">a</a></div>`:    `<div><a>a</a></div>`,
	} {
		if got := strings.TrimSpace(rendered(t, markdown).HTML); got != want {
			t.Errorf("%q: %q, want %q", markdown, got, want)
		}
	}
}

// Whatever address the rules of a generator give, the policy must allow its scheme.
func TestAddressesThatBecomeOthers(t *testing.T) {
	unmark := strings.NewReplacer("mark/", "", "MARK/", " ")
	for _, markdown := range []string{
		"[a](mark/javascript:alert(1))",
		"![a](mark/data:image/svg+xml,x)",
		`<a href="MARK/JavaScript:alert(1)">a</a>`,
		`<img srcset="mark/javascript:alert(1) 2x" src="mark/vbscript:x">`,
		`<iframe src="mark/javascript:alert(1)"></iframe>`,
		`<video poster="mark/javascript:alert(1)"></video>`,
	} {
		got := New(Flavour{}).Markdown([]byte(markdown), unmark.Replace).HTML
		if strings.Contains(strings.ToLower(got), "script:") || strings.Contains(got, "data:") {
			t.Errorf("%s: %s", markdown, got)
		}
	}
}

// If nothing says that a site has formulas, only text with a TeX command or an index in braces is
// one.
func TestFormulasThatLookLikeTeX(t *testing.T) {
	textsAs(t, Flavour{Math: []Formula{{"$$", "$$", true}, {"$", "$", true}}}, map[string]string{
		`$\hat{A}_t = \sum_{l} a_{*} \cdot b_{*}$`:  `$\hat{A}_t = \sum_{l} a_{*} \cdot b_{*}$`,
		"$$\n\\begin{a} \\\\ _x_ \\\\ \\end{a}\n$$": "$$ \\begin{a} \\\\ _x_ \\\\ \\end{a} $$",
		"$$\n- a_{1}\n- b\n$$":                      "$$ - a_{1} - b $$",
		"**$FOO** or **$BAR**, $$ _x_ $$":           "$FOO or $BAR, $$ x $$",
		"$5 *or* $6, C:\\$a and *b*$":               "$5 or $6, C:$a and b$",
		"$$\n- five\n- six $$":                      "$$\n\nfive\nsix $$",
	})
}

// The end of a formula below a text was taken for the beginning of another, with all text up to the
// next formula in it.
func TestFormulasBelowText(t *testing.T) {
	textsAs(t, Flavour{Math: []Formula{{"$$", "$$", true}}}, map[string]string{
		"a:\n$$\nb_{1}\n$$\n\n# *c*\n\n$$\nd_{2}\n$$\n": "a: $$ b_{1} $$\n\nc\n\n$$ d_{2} $$",
		"a:\n$$\nb_{1}\n\n- c\n$$\n\n*d*\n":             "a:\n\n$$ b_{1} - c $$\n\nd",
		"a:\n$$ b_{1} $$\n$$\n+ c_{2}\n$$\n":            "a: $$ b_{1} $$\n\n$$ + c_{2} $$",
	})
}

// A formula whose quote or list item ends before it does is text. With blank lines in it, it ended
// the article.
func TestFormulasWithoutEnd(t *testing.T) {
	textsAs(t, Flavour{Math: []Formula{{"$$", "$$", true}}}, map[string]string{
		">$$\n>\n>\n\n_{$$":                "$$\n\n_{$$",
		"> $$\n>\n> a\n\nb _{c} $$":        "$$ a\n\nb _{c} $$",
		"- $$\n\n  a\n\nb _{c} $$":         "$$ a\n\nb _{c} $$",
		"> $$\n>\n> a_{1}\n>\n> $$\n\n*b*": "$$ a_{1} $$\n\nb",
	})
}

// What directly follows a formula is Markdown: it was taken into the formula, with its backslashes
// and entities.
func TestTextAfterFormulas(t *testing.T) {
	textsAs(t, Flavour{Math: []Formula{{Open: "$$", Close: "$$"}}}, map[string]string{
		`$$a\\_b$$\_c`:          `$$a\\_b$$_c`,
		`$$a$$&mdash;b`:         "$$a$$—b",
		`$$a$$。\*b`:             "$$a$$。*b",
		"($$a$$\n$$b$$)\\_ _c_": "($$a$$ $$b$$)_ c",
	})
}

// In kramdown and Python-Markdown, the address of a link may have spaces. What only looks like such
// a link stays: its <a b> became a tag.
func TestAddressesWithSpaces(t *testing.T) {
	for markdown, want := range map[string]string{
		"![a](/b/A shot (1).png)":                  `<p><img src="/b/A%20shot%20(1).png" alt="a"></p>`,
		"[a]( b  c.md \"A title\" ) d":             `<p><a href="b%20%20c.md" title="A title">a</a> d</p>`,
		"[a](b c.md 'A title')":                    `<p><a href="b%20c.md" title="A title">a</a></p>`,
		"[a\nb](c d) [e](<f g>)":                   "<p><a href=\"c%20d\">a\nb</a> <a href=\"f%20g\">e</a></p>",
		"[a](b c\nd) [a] (b c) [a](b\"c d\") [a](": "<p>[a](b c\nd) [a] (b c) [a](b&#34;c d&#34;) [a](</p>",
		"[a](b c 'it's')":                          `<p>[a](b c &#39;it&#39;s&#39;)</p>`,
		"\\[a\\](b c) and d](e f)":                 `<p>[a](b c) and d](e f)</p>`,
		"[a][b](c d)\n\n[b]: /e":                   `<p><a href="/e">a</a>(c d)</p>`,
		"`[a](b c)`":                               `<p><code>[a](b c)</code></p>`,
		"<div>\n[a](b c)\n</div>":                  "<div>\n[a](b c)\n</div>",
		`<img alt="[a](b c)" src="d">`:             `<p><img alt="[a](b c)" src="d"></p>`,
		"$$[a](b c)$$":                             `<p>$$[a](b c)$$</p>`,
	} {
		if got := strings.TrimSpace(renderedAs(t, Flavour{Lenient: true, Math: []Formula{{Open: "$$", Close: "$$"}}}, markdown).HTML); got != want {
			t.Errorf("%q: %q, want %q", markdown, got, want)
		}
	}
	for markdown, want := range map[string]string{ // elsewhere only if it cannot be words in brackets
		"![a](/b/A shot.png)":        `<p><img src="/b/A%20shot.png" alt="a"></p>`,
		"[a](../b c.md 'A title') d": `<p><a href="../b%20c.md" title="A title">a</a> d</p>`,
		"[a](https://b.example/c d)": `<p><a href="https://b.example/c%20d">a</a></p>`,
		"He [sic](as I heard) said":  "<p>He [sic](as I heard) said</p>",
		"[a](/b (A title))":          `<p><a href="/b" title="A title">a</a></p>`,
		"[a](/b c (d))":              `<p><a href="/b%20c%20(d)">a</a></p>`,
	} {
		if got := strings.TrimSpace(rendered(t, markdown).HTML); got != want {
			t.Errorf("%q: %q, want %q", markdown, got, want)
		}
	}
}
