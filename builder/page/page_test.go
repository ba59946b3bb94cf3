package page

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"encoding/xml"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/net/html"

	"newsstand/builder/article"
)

// must ends the test over an error.
func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

var updateGolden = flag.Bool("update", false, "write the golden files anew")

// budget is the most that the page may weigh, with script and style: what a phone on a
// slow line loads in a second.
const budget = 60_000

func walks() Site {
	return Site{
		Site: article.Site{Title: "The Walker", Description: "Walks in Wales, one a week.", BaseURL: "https://walker.example/api-of",
			License: &article.License{Name: "CC BY 4.0", URL: "https://creativecommons.org/licenses/by/4.0/"},
			Contact: &article.Contact{Name: "The editors", Email: "editors@walker.example"}},
		Language: "en-GB",
	}
}

func day(n int) time.Time { return time.Date(2026, 1, 1, 8, 0, 0, 0, time.UTC).AddDate(0, 0, n) }

func post(n int) article.Article {
	id := fmt.Sprintf("walk-%03d", n)
	return article.Article{
		Meta: article.Meta{ID: id, URL: "https://walker.example/api-of/walks/" + id + "/", Title: fmt.Sprintf("Walk %d", n), Summary: "From the sea to the hills & back.",
			DatePublished: day(n), DateModified: day(n + 1), Authors: []article.Author{{Name: "Gwen"}}, Tags: []string{"coast"}, Language: "en-GB",
			WordCount: 7, ReadingTimeMinutes: 1},
		ContentHTML: "<p>From the sea to the hills &amp; back.</p>", ContentText: "From the sea to the hills & back.",
	}
}

func add(t testing.TB, s *Set, articles ...article.Article) {
	t.Helper()
	for _, a := range articles {
		line, err := article.Encode(a)
		must(t, err)
		s.Add(Item{ID: a.ID, URL: a.URL, Published: a.DatePublished, Modified: a.DateModified, Line: line})
	}
}

// documents makes all documents of a site, by path.
func documents(t testing.TB, site Site, articles ...article.Article) map[string]string {
	t.Helper()
	var set Set
	add(t, &set, articles...)
	return documentsOf(t, site, &set)
}

func documentsOf(t testing.TB, site Site, set *Set) map[string]string {
	t.Helper()
	files, err := Documents(site, set, day(3))
	must(t, err)
	m := map[string]string{}
	for i, f := range files {
		if i > 0 && files[i-1].Path >= f.Path {
			t.Errorf("%s comes after %s", f.Path, files[i-1].Path)
		}
		m[f.Path] = string(f.Data)
	}
	return m
}

// Every document of a small site, byte for byte: one article with a page, one without,
// one without a date, and one in another script.
func TestGolden(t *testing.T) {
	withoutPage := post(2)
	withoutPage.URL = "https://walker.example/api-of/api/article?id=walk-002"
	undated := post(3)
	undated.DatePublished, undated.DateModified = time.Time{}, time.Time{}
	hebrew := post(4)
	hebrew.Title, hebrew.Language, hebrew.Authors = "הליכה בהרים", "he", []article.Author{}
	for name, got := range documents(t, walks(), post(1), withoutPage, undated, hebrew) {
		if strings.HasPrefix(name, "page/") || strings.HasPrefix(name, "docs/reference.") { // as they are in assets, or nearly so
			continue
		}
		t.Run(name, func(t *testing.T) {
			golden(t, strings.ReplaceAll(strings.TrimPrefix(name, "."), "/", "_"), got)
		})
	}
}

// golden compares a document with its golden file.
func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", "golden", name)
	if *updateGolden {
		must(t, os.MkdirAll(filepath.Dir(file), 0o755))
		must(t, os.WriteFile(file, []byte(got), 0o644))
	}
	want, err := os.ReadFile(file)
	must(t, err)
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s: -want +got\n%s\nhint: go test ./builder/page -update", name, diff)
	}
}

// The order in which articles stream by, and through which sets, leaves no trace.
func TestOrderDoesNotMatter(t *testing.T) {
	var articles []article.Article
	for i := range 200 {
		a := post(i % 150) // the rest share a date with others
		a.ID = fmt.Sprintf("a%d", i)
		articles = append(articles, a)
	}
	want := documents(t, walks(), articles...)
	for seed := range uint64(5) {
		r := rand.New(rand.NewPCG(seed, 0))
		r.Shuffle(len(articles), func(i, j int) { articles[i], articles[j] = articles[j], articles[i] })
		var all Set
		for chunk := range slices.Chunk(articles, 1+r.IntN(70)) {
			var own Set
			add(t, &own, chunk...)
			must(t, all.Merge(own))
		}
		if len(all.newest) != FeedLength {
			t.Errorf("the set holds %d articles, want %d", len(all.newest), FeedLength)
		}
		if diff := cmp.Diff(want, documentsOf(t, walks(), &all)); diff != "" {
			t.Fatalf("seed %d: -want +got\n%s", seed, diff)
		}
	}
}

// hostile is a text that would break out of every format.
const hostile = `"]]></title></script><script>alert(1)</script>'<!-- {{.}} & \ [x](javascript:alert(1)) ` + "\u2028`*_"

func TestHostileText(t *testing.T) {
	site := walks()
	site.Title, site.Description = hostile, hostile
	site.License = &article.License{Name: hostile, URL: "javascript:alert(1)"}
	site.Contact = &article.Contact{Name: hostile, URL: "javascript:alert(1)"}
	a := post(1)
	a.Title, a.Summary, a.ContentHTML, a.ContentText = hostile, hostile, hostile, hostile
	a.URL, a.Authors, a.Tags = "javascript:alert(1)", []article.Author{{Name: hostile}}, []string{hostile}
	files := documents(t, site, a)
	for _, name := range []string{"index.html", "docs/index.html"} {
		checkHTML(t, name, files[name])
	}
	checkFeeds(t, files)
	if strings.Contains(files["llms.txt"], "\n<") || strings.Contains(files["llms.txt"], "[x](javascript") {
		t.Errorf("llms.txt has markup of the text:\n%s", files["llms.txt"])
	}
}

// An address may have an apostrophe, at which a shell would end the argument.
func TestCurl(t *testing.T) {
	v := view{Site: Site{Site: article.Site{BaseURL: "https://walker.example/gwen's"}}}
	if got, want := v.Curl("/api/health"), "curl 'https://walker.example/gwen%27s/api/health'"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// checkHTML wants a page that a strict policy allows: no inline script or style, no
// handler, no address of another host that the page itself would load.
func checkHTML(t *testing.T, name, page string) {
	t.Helper()
	root, err := html.Parse(strings.NewReader(page))
	must(t, err)
	ids := map[string]bool{}
	var labels, controls, references []string
	for n := range root.Descendants() {
		if n.Type != html.ElementNode {
			continue
		}
		attr := map[string]string{}
		for _, a := range n.Attr {
			attr[a.Key] = a.Val
			if strings.HasPrefix(a.Key, "on") || a.Key == "style" {
				t.Errorf("%s: <%s> has the attribute %s", name, n.Data, a.Key)
			}
			if strings.HasPrefix(strings.TrimSpace(strings.ToLower(a.Val)), "javascript:") {
				t.Errorf("%s: <%s> has %s=%q", name, n.Data, a.Key, a.Val)
			}
		}
		if id := attr["id"]; id != "" {
			if ids[id] {
				t.Errorf("%s: the id %q is there twice", name, id)
			}
			ids[id] = true
		}
		switch n.Data {
		case "style":
			t.Errorf("%s has a <style>", name)
		case "script":
			if attr["src"] == "" && attr["type"] != "application/ld+json" {
				t.Errorf("%s has an inline script", name)
			}
			if attr["src"] == "" && !json.Valid([]byte(n.FirstChild.Data)) {
				t.Errorf("%s: the linked data is no JSON: %s", name, n.FirstChild.Data)
			}
		case "label":
			labels = append(labels, attr["for"])
		case "input":
			controls = append(controls, attr["id"])
		}
		if n.Data == "script" || n.Data == "link" && (attr["rel"] == "stylesheet" || attr["rel"] == "icon") {
			u, err := url.Parse(attr["src"] + attr["href"])
			if err != nil || u.IsAbs() || strings.HasPrefix(u.Path, "/") {
				t.Errorf("%s: <%s> loads %s, which is not relative", name, n.Data, u)
			}
		}
		references = append(references, strings.Fields(attr["aria-labelledby"])...)
	}
	if !slices.Equal(labels, controls) {
		t.Errorf("%s: the labels are for %q, the inputs are %q", name, labels, controls)
	}
	for _, id := range references {
		if !ids[id] {
			t.Errorf("%s: nothing has the id %q", name, id)
		}
	}
}

// checkFeeds wants what the formats demand.
func checkFeeds(t *testing.T, files map[string]string) {
	t.Helper()
	var feed struct {
		Version, Title string
		Items          []map[string]any
	}
	must(t, json.Unmarshal([]byte(files["feed.json"]), &feed))
	if feed.Version != "https://jsonfeed.org/version/1.1" || feed.Title == "" || feed.Items == nil {
		t.Errorf("feed.json lacks what JSON Feed demands: %.200s", files["feed.json"])
	}
	ids := map[string]bool{}
	for _, item := range feed.Items {
		id, _ := item["id"].(string)
		if id == "" || ids[id] {
			t.Errorf("feed.json: the id %v is empty or there twice", item["id"])
		}
		ids[id] = true
		if item["content_text"] == nil && item["content_html"] == nil {
			t.Errorf("feed.json: %q has no content", item["id"])
		}
		if _, err := time.Parse(time.RFC3339, item["date_published"].(string)); err != nil {
			t.Errorf("feed.json: %v", err)
		}
	}
	var atom atomFeed
	must(t, xml.Unmarshal([]byte(files["feed.xml"]), &atom))
	wellFormed(t, "feed.xml", files["feed.xml"])
	if atom.ID == "" || atom.Title == "" || atom.Author.Name == "" || len(atom.Links) != 2 || len(atom.Entries) != len(feed.Items) {
		t.Errorf("feed.xml lacks what RFC 4287 demands: %.500s", files["feed.xml"])
	}
	for _, e := range append(atom.Entries, atomEntry{ID: "feed", Title: atom.Title, Updated: atom.Updated, Published: atom.Updated, Links: atom.Links}) {
		for _, date := range []string{e.Updated, e.Published} {
			if _, err := time.Parse(time.RFC3339, date); err != nil {
				t.Errorf("feed.xml: %s: %v", e.ID, err)
			}
		}
		if e.ID == "" || e.Title == "" || len(e.Links) == 0 {
			t.Errorf("feed.xml: an entry lacks an id, a title or a link: %+v", e)
		}
	}
}

func wellFormed(t *testing.T, name, text string) {
	t.Helper()
	dec := xml.NewDecoder(strings.NewReader(text))
	for {
		if _, err := dec.Token(); err == io.EOF {
			return
		} else if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
	}
}

func TestFeedsAndPages(t *testing.T) {
	for _, n := range []int{0, 1, 60} {
		var articles []article.Article
		for i := range n {
			articles = append(articles, post(i))
		}
		site := walks()
		if n == 0 {
			site.Title = "" // the documents have a title all the same
		}
		files := documents(t, site, articles...)
		checkFeeds(t, files)
		checkHTML(t, "index.html", files["index.html"])
		checkHTML(t, "docs/index.html", files["docs/index.html"])
		if got, want := strings.Count(files["feed.xml"], "<entry"), min(n, FeedLength); got != want {
			t.Errorf("with %d articles, the feed has %d, want %d", n, got, want)
		}
		if got, want := strings.Count(files["index.html"], "class=\"byline\""), min(n, PageLength); got != want {
			t.Errorf("with %d articles, the page lists %d, want %d", n, got, want)
		}
	}
}

// A long article is in the feeds by its summary, so that feeds stay small.
func TestLongArticle(t *testing.T) {
	long := post(1)
	long.ContentText = strings.Repeat("sea and hills ", maxFullLine/10)
	files := documents(t, walks(), long)
	checkFeeds(t, files)
	if len(files["feed.json"]) > 2000 || !strings.Contains(files["feed.json"], `"content_text":"From the sea`) {
		t.Errorf("feed.json has %d bytes: %.800s", len(files["feed.json"]), files["feed.json"])
	}

	var all, own Set
	for i := range 3 {
		long.ID = fmt.Sprint("long", i)
		add(t, &own, long)
	}
	must(t, all.Merge(own))
	for _, item := range all.newest {
		if len(item.Line) > maxFullLine {
			t.Errorf("merged, the set holds %d bytes of %s", len(item.Line), item.ID)
		}
	}
}

// An article without words, such as a picture, is in the feed as it is.
func TestPictureInTheFeed(t *testing.T) {
	picture := post(1)
	picture.ContentHTML, picture.ContentText = `<p><img src="sea.jpeg" alt=""></p>`, ""
	if feed := documents(t, walks(), picture)["feed.json"]; !strings.Contains(feed, "sea.jpeg") || !strings.Contains(feed, `"content_text":""`) {
		t.Errorf("feed.json: %s", feed)
	}
}

// What was published on a day in Tokyo was published the day before in UTC; people see the former,
// in the list and in what they search.
func TestDatesOfTheSite(t *testing.T) {
	zone, err := time.LoadLocation("Asia/Tokyo")
	must(t, err)
	site, a := walks(), post(1)
	site.TimeZone = zone
	a.DatePublished = time.Date(2026, 4, 1, 0, 0, 0, 0, zone).UTC()
	files := documents(t, site, a)
	if page := files["index.html"]; !strings.Contains(page, `<time datetime="2026-04-01">2026-04-01</time>`) {
		t.Errorf("the page has another date:\n%s", page)
	}
	if script := files["page/app.js"]; !strings.Contains(script, `const timeZone = "Asia/Tokyo";`) {
		t.Error("the script does not know the time zone")
	}
	if script := documents(t, walks(), a)["page/app.js"]; !strings.Contains(script, `const timeZone = "UTC";`) {
		t.Error("the script of a site without a time zone does not say UTC")
	}
}

// A script is published without what only its authors read.
func TestLight(t *testing.T) {
	const script = "// How to use it:\n//   <script>\n(() => {\n  // Why.\n\n  f('// text'); // how\n})();\n"
	const want = "// How to use it:\n//   <script>\n(() => {\nf('// text'); // how\n})();\n"
	if got := string(light([]byte(script))); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	for _, name := range []string{"app.js", "reference.js"} {
		data, err := assets.ReadFile("assets/" + name)
		must(t, err)
		for n, line := range strings.Split(string(data), "\n") {
			if strings.Count(line, "`")%2 != 0 {
				t.Errorf("assets/%s:%d: a text may go over several lines: %s", name, n+1, line)
			}
		}
	}
}

// The page with script and style fits the budget, with the longest summaries in a
// script that takes three bytes a letter.
func TestBudget(t *testing.T) {
	var articles []article.Article
	for i := range PageLength {
		a := post(i)
		a.Title, a.Summary = strings.Repeat("山", 40), strings.Repeat("海", article.MaxSummaryRunes)
		articles = append(articles, a)
	}
	total := 0
	files := documents(t, walks(), articles...)
	for _, name := range []string{"index.html", "page/app.js", "page/app.css", "page/icon.svg"} {
		total += len(files[name])
	}
	if total > budget {
		t.Errorf("the page weighs %d bytes, more than %d", total, budget)
	}
}

func TestSitemap(t *testing.T) {
	var set Set
	for _, item := range []Item{
		{ID: "a", URL: "https://walker.example/api-of/b/", Modified: day(1)},
		{ID: "b", URL: "https://walker.example/api-of/a/"},
		{ID: "c", URL: "https://walker.example/api-of/b/", Modified: day(2)}, // two articles of one page
		{ID: "d", URL: "https://walker.example/api-of/api/article?id=d"},     // a document
		{ID: "e", URL: "https://elsewhere.example/e/"},                       // another site's
		{ID: "f", URL: "https://walker.example/api-of/c/?x=1&y=2#top"},       // an address to escape
		{ID: "g", URL: "https://walker.example/api-off/"},                    // not below the base
		{ID: "h"},
		{ID: "i", URL: "https://walker.example/api-of/", Modified: day(1)}, // the page itself, which is there already
		{ID: "j", URL: "https://walker.example/api-of/docs/"},
	} {
		item.Line = []byte("{}")
		set.Add(item)
	}
	read := func(files []File) (locs []string) {
		for _, f := range files {
			wellFormed(t, f.Path, string(f.Data))
			var m struct {
				URLs     []sitemapItem `xml:"url"`
				Sitemaps []sitemapItem `xml:"sitemap"`
			}
			must(t, xml.Unmarshal(f.Data, &m))
			locs = append(locs, f.Path)
			for _, item := range append(m.URLs, m.Sitemaps...) {
				locs = append(locs, strings.TrimSpace(item.Loc+" "+item.LastMod))
			}
		}
		return locs
	}
	base := "https://walker.example/api-of"
	pages := []string{base + "/", base + "/docs/", base + "/a/", base + "/b/ 2026-01-03T08:00:00Z", base + "/c/?x=1&y=2#top"}
	one, err := sitemap(base, set.sitePages(base), len(pages), maxSitemapBytes)
	must(t, err)
	if diff := cmp.Diff(append([]string{"sitemap.xml"}, pages...), read(one)); diff != "" {
		t.Errorf("one sitemap: -want +got\n%s", diff)
	}
	several, err := sitemap(base, set.sitePages(base), 2, maxSitemapBytes)
	must(t, err)
	want := slices.Concat([]string{"sitemap-1.xml"}, pages[:2], []string{"sitemap-2.xml"}, pages[2:4], []string{"sitemap-3.xml"}, pages[4:],
		[]string{"sitemap.xml", base + "/sitemap-1.xml", base + "/sitemap-2.xml", base + "/sitemap-3.xml"})
	if diff := cmp.Diff(want, read(several)); diff != "" {
		t.Errorf("several: -want +got\n%s", diff)
	}
	whole := len(one[0].Data)
	for _, most := range []int{whole, whole - 1, whole / 2, 1} {
		files, err := sitemap(base, set.sitePages(base), len(pages), most)
		must(t, err)
		var listed []string
		for _, f := range files {
			page := read([]File{f})[1:]
			if f.Path != "sitemap.xml" || len(files) == 1 {
				listed = append(listed, page...)
			}
			if len(f.Data) > most && len(page) > 1 && f.Path != "sitemap.xml" {
				t.Errorf("of %d bytes at most, %s has %d", most, f.Path, len(f.Data))
			}
		}
		if !slices.Equal(listed, pages) || (len(files) == 1) != (most == whole) {
			t.Errorf("of %d bytes at most, %d files list %q", most, len(files), listed)
		}
	}
	for _, f := range several { // `make e2e` judges them by their schemas
		golden(t, "several_"+f.Path, string(f.Data))
	}
}

// The catalog is a linkset: every context has an anchor, every target an address, and
// the catalog leads to the API (RFC 9727, 4.1; RFC 9264, 4.2).
func TestCatalog(t *testing.T) {
	site := walks()
	checkCatalog(t, site)
	site.License = &article.License{Name: "Public domain"} // that has no address to name
	checkCatalog(t, site)
}

func checkCatalog(t *testing.T, site Site) {
	t.Helper()
	var catalog struct {
		Linkset []map[string]json.RawMessage
	}
	dec := json.NewDecoder(strings.NewReader(documents(t, site, post(1))[catalogPath]))
	dec.DisallowUnknownFields()
	must(t, dec.Decode(&catalog))
	anchors := map[string]bool{}
	items := 0
	for _, context := range catalog.Linkset {
		for relation, value := range context {
			if relation == "anchor" {
				var anchor string
				must(t, json.Unmarshal(value, &anchor))
				anchors[anchor] = true
				continue
			}
			var targets []struct{ Href, Type string }
			if err := json.Unmarshal(value, &targets); err != nil || len(targets) == 0 {
				t.Fatalf("%s: %s: %v", relation, value, err)
			}
			for _, target := range targets {
				if u, err := url.Parse(target.Href); err != nil || !u.IsAbs() {
					t.Errorf("%s leads to %q", relation, target.Href)
				}
				if relation == "item" {
					items++
				}
			}
		}
	}
	if items != 1 || !anchors["https://walker.example/api-of/api/articles"] || !anchors["https://walker.example/api-of/"+catalogPath] {
		t.Errorf("the catalog has %d items and the anchors %v", items, anchors)
	}
}

// The pages link relatively, so that they work wherever the folder is served; only the
// requests to copy and the canonical address name the site.
func TestAnyBasePath(t *testing.T) {
	for _, base := range []string{"https://a.example", "https://b.example/deep/path"} {
		site := walks()
		site.BaseURL = base
		a := post(1)
		a.URL = ""
		files := documents(t, site, a)
		for _, p := range Library() {
			files[p.Path] = ""
		}
		for _, at := range []string{"index.html", "docs/index.html"} {
			root, err := html.Parse(strings.NewReader(files[at]))
			must(t, err)
			from, _ := url.Parse(base + "/" + strings.TrimSuffix(at, "index.html"))
			for n := range root.Descendants() {
				for _, attr := range n.Attr {
					if !slices.Contains([]string{"href", "src", "action"}, attr.Key) || strings.HasPrefix(attr.Val, "#") {
						continue
					}
					target, err := from.Parse(attr.Val)
					must(t, err)
					name, ok := strings.CutPrefix(target.String(), base+"/")
					if !ok {
						if !strings.HasPrefix(attr.Val, "https://creativecommons.org/") && !strings.HasPrefix(attr.Val, "https://www.apache.org/licenses/") && !strings.HasPrefix(attr.Val, "mailto:") {
							t.Errorf("%s: %s=%q leads out of %s", at, attr.Key, attr.Val, base)
						}
						continue
					}
					name, _, _ = strings.Cut(name, "?")
					if strings.HasSuffix(name, "/") || name == "" {
						name += "index.html"
					}
					if _, made := files[name]; !made && !strings.HasPrefix(name, "api/") && name != article.OpenAPIPath {
						t.Errorf("%s: %s=%q leads to nothing", at, attr.Key, attr.Val)
					}
				}
			}
		}
	}
}

// The files of Swagger UI are those that a build knows by their sums, in a layer where
// rules are, and nothing else of the module is published.
func TestLibrary(t *testing.T) {
	var paths []string
	for _, p := range Library() {
		data, err := p.Unpack()
		must(t, err)
		if sum := fmt.Sprintf("%x", sha256.Sum256(data)); sum != p.SHA256 {
			t.Errorf("%s has the SHA-256 %s\nhint: a new version of the module has a new one, to put into Library", p.Path, sum)
		}
		if strings.HasSuffix(p.Path, ".css") && !(bytes.HasPrefix(data, []byte("@layer swagger-ui {\n.")) && bytes.HasSuffix(data, []byte("\n}\n"))) {
			t.Errorf("%s begins with %.40q and ends with %q", p.Path, data, data[len(data)-20:])
		}
		paths = append(paths, p.Path)
	}
	if want := []string{"docs/swagger-ui-bundle.js", "docs/swagger-ui.css"}; !slices.Equal(paths, want) {
		t.Errorf("the library has %q, want %q", paths, want)
	}
}

// A name is for elements with a role that takes one (ARIA 1.2, 5.2.8.6): without, it is not valid,
// and not read out.
func TestNamedElementsHaveARole(t *testing.T) {
	files := documents(t, walks(), post(1))
	for _, at := range []string{"index.html", "docs/index.html"} {
		root, err := html.Parse(strings.NewReader(files[at]))
		must(t, err)
		for n := range root.Descendants() {
			attributes := map[string]string{}
			for _, attr := range n.Attr {
				attributes[attr.Key] = attr.Val
			}
			named := attributes["aria-label"] + attributes["aria-labelledby"]
			if named != "" && attributes["role"] == "" && slices.Contains([]string{"code", "div", "p", "pre", "span"}, n.Data) {
				t.Errorf("%s: <%s> is named %q and has no role", at, n.Data, named)
			}
		}
	}
}

// Without JavaScript, the reference leads to the description and to an answer of each
// operation.
func TestReferenceWithoutScript(t *testing.T) {
	text := documents(t, walks(), post(1))["docs/index.html"]
	for _, want := range []string{
		"Without it, the links lead to examples", `href="../openapi.json"`, `href="../api/articles?q=Walk&#43;1&amp;limit=3"`, `href="../api/article?id=walk-001"`, `href="../api/health"`,
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the reference lacks %s", want)
		}
	}
}

// The script makes elements, never HTML of text; what it parses of an article's HTML, it
// makes anew, and takes no node of it over.
func TestScriptsMakeNoHTML(t *testing.T) {
	for name, text := range documents(t, walks()) {
		if !strings.HasSuffix(name, ".js") {
			continue
		}
		for _, sink := range []string{"innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function", "createContextualFragment", "importNode", "adoptNode", "cloneNode", "srcdoc"} {
			if bytes.Contains([]byte(text), []byte(sink)) {
				t.Errorf("%s uses %s", name, sink)
			}
		}
	}
}
