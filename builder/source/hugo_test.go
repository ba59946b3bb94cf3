package source

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"flag"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"
	"time"
)

// hugoSays returns what `hugo list` says about the files of a story of a Hugo site: the answer that
// the story has on record or, with -update and hugo in the PATH, its answer today.
func (s story) hugoSays(t testing.TB) string {
	t.Helper()
	hugoSite := false
	for _, name := range []string{"hugo.toml", "hugo.yaml", "hugo.json", "config/_default/hugo.toml", "config/_default/hugo.yaml"} {
		hugoSite = hugoSite || s.site[name] != nil
	}
	if !hugoSite {
		return ""
	}
	if *updateGolden {
		if hugo, err := exec.LookPath("hugo"); err == nil {
			return askHugo(t, hugo, s.site, s.now)
		}
	}
	for _, f := range s.archive.Files {
		if f.Name == "want/hugo" {
			return string(f.Data)
		}
	}
	t.Error("the story has no answer of Hugo on record; run go test -update with hugo in the PATH")
	return ""
}

// askHugo runs `hugo list` and returns a line for each file of the content folder and of themes, in
// the form of hugoLine.
func askHugo(t testing.TB, hugo string, site fs.FS, now time.Time) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(dir, site); err != nil {
		t.Fatal(err)
	}
	lines := hugoLines(t, now, func(list string) ([]byte, error) {
		cmd := exec.Command(hugo, "list", list, "--clock", now.Format(time.RFC3339))
		cmd.Dir = dir
		out, err := cmd.Output()
		i := bytes.Index(out, []byte("path,slug")) // warnings come first
		if err != nil || i < 0 {
			return nil, fmt.Errorf("%v\n%s", err, out)
		}
		return out[i:], nil
	})
	var b strings.Builder
	err := fs.WalkDir(site, ".", func(p string, d fs.DirEntry, err error) error {
		folder, _, _ := strings.Cut(p, "/")
		if err == nil && !d.IsDir() && slices.Contains([]string{"content", "themes", "_vendor"}, folder) {
			b.WriteString(cmp.Or(lines[p], hugoLine(File{Path: p, Status: NotArticle})))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// hugoLines returns the hugoLine of each page that Hugo lists, by the page's path. list returns
// what `hugo list` answers for all or published.
func hugoLines(t testing.TB, now time.Time, list func(name string) ([]byte, error)) map[string]string {
	t.Helper()
	lines := map[string]string{}
	for _, name := range []string{"all", "published"} {
		data, err := list(name)
		if err != nil {
			t.Fatalf("hugo list %s: %v", name, err)
		}
		files, err := readHugoList(data, now)
		if err != nil {
			t.Fatalf("hugo list %s: %v", name, err)
		}
		for _, file := range files {
			if name == "published" {
				file.Status = Published
			}
			lines[file.Path] = hugoLine(file)
		}
	}
	return lines
}

// readHugoList reads the pages of one of Hugo's lists. Its columns are path, slug, title, date,
// expiryDate, publishDate, draft, permalink, kind, section. Sections and home pages are lists
// themselves, not articles. A file that is both a draft and expired counts as a draft here.
func readHugoList(data []byte, now time.Time) (files []File, err error) {
	rows, err := csv.NewReader(bytes.NewReader(data)).ReadAll()
	if err != nil {
		return nil, err
	}
	for _, row := range rows[1:] {
		if row[8] != "page" {
			continue
		}
		file := File{Path: row[0], URL: row[7]}
		for i, t := range map[int]*time.Time{3: &file.Published, 4: &file.ExpireAt, 5: &file.PublishAt} {
			if *t, err = time.Parse(time.RFC3339, row[i]); err != nil {
				return nil, err
			}
		}
		switch {
		case row[6] == "true":
			file.Status = Draft
		case file.PublishAt.After(now):
			file.Status = Future
		case !file.ExpireAt.IsZero():
			file.Status = Expired
		}
		files = append(files, file)
	}
	return files, nil
}

// hugoLine returns what Hugo's lists say about a file, as one line.
func hugoLine(file File) string {
	line := string(file.Status) + "\t" + file.Path
	if file.Status != NotArticle {
		var dates strings.Builder
		writeDates(&dates, file)
		line += strings.ReplaceAll(dates.String(), " ", "\t") + "\turl=" + file.URL
	}
	return line + "\n"
}

// differences compares a scan with Hugo's answer, file by file: status, dates and address. An
// address that the scan does not know does not count as a difference.
func differences(f *Folder, says string) map[string]string {
	ours := map[string]File{}
	for _, file := range f.Files {
		ours[file.Path], ours["content/"+file.Path] = file, file // the scan is of the project, or of its content
	}
	out := map[string]string{}
	for line := range strings.Lines(says) {
		name := strings.Split(strings.TrimSpace(line), "\t")[1]
		file := ours[name]
		reason := file.Reason
		if file.Path == "" {
			file.Status = NotArticle
		}
		file.Path = name
		if file.URL == "" {
			_, file.URL, _ = strings.Cut(strings.TrimSpace(line), "\turl=")
		}
		if got := hugoLine(file); got != line {
			out[name] = fmt.Sprintf("we say:    %s\t(%s)\nHugo says: %s", strings.TrimSpace(got), reason, line)
		}
	}
	return out
}

// compareWithHugo compares a scan with Hugo's answer. Every difference must be intended, and
// explained in the story's comment.
func (s story) compareWithHugo(t testing.TB, f *Folder, says string) {
	t.Helper()
	found := differences(f, says)
	for name, what := range found {
		if s.differs[name] == "" {
			t.Errorf("%s differs:\n%s", name, what)
		}
	}
	for name, why := range s.differs {
		if found[name] == "" {
			t.Errorf("%s does not differ from what Hugo says, so this line explains nothing: %s", name, why)
		}
	}
}

// A template of links that cannot be read says nothing about them: a theme may be a link out of the
// site, with which the scan failed.
func TestUnreadableLinkTemplate(t *testing.T) {
	scanAt(t, fstest.MapFS{
		"hugo.toml":    {Data: []byte("theme = 'a'\n")},
		"content/a.md": {Data: []byte("# A\n")},
		"themes/a/layouts/_markup/render-link.html": {Mode: fs.ModeNamedPipe},
	}, nil, time.Time{})
}

// A mistake in the configuration of a theme ends the scan, since its mounts may leave drafts out; a
// link out of the site does not.
func TestUnreadableThemes(t *testing.T) {
	for want, file := range map[string]*fstest.MapFile{
		"read the configuration: themes/a/hugo.toml:1:": {Data: []byte("draft")},
		"<nil>": {Mode: fs.ModeNamedPipe},
	} {
		_, err := Scan(t.Context(), fstest.MapFS{"hugo.toml": {Data: []byte("theme = 'a'\n")}, "themes/a/hugo.toml": file}, Options{Now: time.Unix(0, 0)})
		if !strings.HasPrefix(fmt.Sprint(err), want) {
			t.Errorf("%v: want %s", err, want)
		}
	}
}

var randomSites = flag.Int("sites", 5, "how many random sites to compare with Hugo")

// TestHugoOnRandomSites makes random sites from everything that decides publication and asks Hugo
// about each. It needs hugo in the PATH.
func TestHugoOnRandomSites(t *testing.T) {
	hugo, err := exec.LookPath("hugo")
	if err != nil {
		t.Skip("hugo is not in the PATH")
	}
	now := storyTime("2026-08-23T00:00:00Z")
	for seed := range *randomSites {
		site := randomSite(rand.New(rand.NewPCG(uint64(seed), 7)))
		content, err := fs.Sub(site, "content")
		if err != nil {
			t.Fatal(err)
		}
		says := askHugo(t, hugo, site, now)
		for name, f := range map[string]*Folder{"content": scanAt(t, content, site, now), "project": scanAt(t, site, nil, now)} {
			for file, what := range differences(f, says) {
				t.Errorf("site %d, %s: %s\n%s\n%s\n%s", seed, name, file, what, site[file].Data, site["hugo.toml"].Data)
			}
		}
	}
}

// randomSite returns a site of about a hundred files. It leaves out what this package intentionally
// reads differently from Hugo; the stories cover that.
func randomSite(r *rand.Rand) fstest.MapFS {
	pick := func(from ...string) string { return from[r.IntN(len(from))] }
	maybe := func(percent int, s string) string {
		if r.IntN(100) < percent {
			return s
		}
		return ""
	}
	date := func() string { // none within seconds after the clock: Hugo's clock advances while it runs
		return pick("2019-01-02", "2026-08-22", "2026-08-23", "2026-08-24", "2040-05-06",
			"2026-08-22T23:59:59Z", "2026-08-23T00:00:00Z", "2026-08-23T00:10:00Z", "2026-08-23T02:00:00+02:00", "2026-08-23T02:10:00+02:00",
			"2026-08-22T21:00:00", "2026-08-23T01:30:00", "2026-08-23 05:30:00", "2026-08-23 01:00:00 +0200", "2026-08-23T01:00:00.5Z",
			"'Sun, 23 Aug 2026 00:00:00 +0000'", "'23 Aug 2026'", "1787443800", "''")
	}
	languages := r.IntN(3)
	config := "baseURL = \"https://example.org/\"\ntitle = \"T\"\ndisableKinds = [\"taxonomy\", \"term\"]\n" +
		maybe(30, "timeZone = \"America/New_York\"\n") +
		maybe(30, "buildDrafts = true\n") + maybe(30, "buildFuture = true\n") + maybe(30, "buildExpired = true\n") +
		maybe(20, "uglyURLs = true\n") + maybe(30, "ignoreFiles = [\"/s1/.*7\\\\.md$\", \"s1/skip$\"]\n") + maybe(20, "disablePathToLower = true\n") +
		maybe(20, "defaultContentLanguageInSubdir = true\n") + maybe(20, "disableLanguages = [\"de\"]\n") +
		maybe(30, "[permalinks]\n"+pick("s1 = \"/:year/:month/:filename/\"\n", "s1 = \"/p/:slugorfilename\"\n", "s2 = \"/:sections/:year-:day/:slugorcontentbasename/\"\n", "S1 = \"/s/:slugorfilename/\"\ns4 = \"/:section/:filename/\"\n", "[permalinks.page]\ns1 = \"/x/:contentbasename.html\"\n", "s1 = \"/:year/:title/\"\ns2 = \"/:section/:slug\"\n", "s2 = \"/:sections[1:]/:sections[last]/:weekday/:filename/\"\ns1 = \"/:sections[:last]/:yearday/:slug/\"\n")) +
		maybe(40, "[frontmatter]\n"+
			maybe(60, "date = "+pick("[\":filename\", \":default\"]", "[\"date\", \":filename\"]", "[\"lastmod\", \":default\"]", "[\"publishDate\", \"myDate\"]")+"\n")+
			maybe(30, "publishDate = "+pick("[\":default\"]", "[\"myDate\", \":default\"]", "[\":filename\"]")+"\n")+
			maybe(30, "lastmod = "+pick("[\":git\", \"lastmod\"]", "[\"date\"]")+"\n")+
			maybe(30, "expiryDate = "+pick("[\"goneAt\", \":default\"]", "[\"date\"]")+"\n")) +
		maybe(30, "[[cascade]]\n"+pick("draft = true\n", "expiryDate = 2020-01-01\n", "[cascade.build]\nlist = \"never\"\nrender = \"never\"\n")+"[cascade.target]\n"+pick("path = \"/s1/**\"\n", "path = \"{/s1,/s2/*}\"\n", "kind = \"page\"\npath = \"/**3\"\n"))
	dirs := languages == 2
	if languages > 0 {
		for i, code := range []string{"en", "fr", "pt-br", "de"} {
			config += fmt.Sprintf("[languages.%s]\nweight = %d\n", code, i+1) + maybe(10, "disabled = true\n")
			if i == 0 {
				config = strings.TrimSuffix(config, "disabled = true\n")
			}
			if dirs {
				config += fmt.Sprintf("contentDir = \"content/%s\"\n", code)
			}
		}
	}
	site := fstest.MapFS{"hugo.toml": {Data: []byte(config)}}
	for i := range 100 {
		dir := pick("", "s1", "s1", "s2", "s2/deep", "s3/a b", "S4", "s1/skip", "s2/#tmp", "s2/old~/deep", "fr")
		name := pick("n", "Name", "1.0", "a.b", "n_m", "2020-01-31-n", "2040-01-31-n", "2026-08-23_n", "2026-08-23-01-02-03-n", "2020-1-3-n", "Ünï", "x y", "c++", "q&a", "it's") + fmt.Sprint(i)
		ext := pick(".md", ".md", ".md", ".md", ".markdown", ".mdown", ".txt", ".MD")
		suffix := ""
		if languages > 0 {
			suffix = pick("", "", "", ".fr", ".de", ".es", ".pt-br", ".fr.old")
		}
		if dirs {
			dir = path.Join(pick("en", "fr", "de"), dir)
		}
		p := path.Join(dir, name+suffix+ext)
		switch r.IntN(12) {
		case 0:
			p = path.Join(dir, name, "index"+suffix+".md")
			if r.IntN(2) == 0 {
				site["content/"+path.Join(dir, name, pick("res.md", "sub/x.md", "sub/index.md", "pic.png"))] = &fstest.MapFile{Data: []byte("---\ntitle: R\n---\n")}
			}
		case 1:
			if dirs {
				suffix = "" // two folders could be the same section in a language
			}
			p = path.Join(dir, "_index"+suffix+".md")
		}
		cascaded := ""
		if strings.Contains(p, "_index") {
			cascaded = maybe(50, "cascade:\n"+pick("  draft: true\n", "  expiryDate: 2020-01-01\n", "  publishDate: "+date()+"\n", "  date: "+date()+"\n",
				"  - target: {path: '/s2/**'}\n    draft: true\n  - expiryDate: "+date()+"\n", "  headless: true\n", "  params: {draft: true}\n", "  build: {render: never, list: never}\n"))
		}
		head := "title: " + pick("T", "Two words", "C++ & C# - a/b, (x) -", "Å + 1/2  ½_~", "-a", "что?") + fmt.Sprint(i) + "\n" + cascaded +
			maybe(15, "draft: "+pick("true", "false", "\"true\"", "1", "TRUE")+"\n") +
			maybe(40, "date: "+date()+"\n") + maybe(20, pick("publishDate", "pubdate", "PUBLISHDATE", "published")+": "+date()+"\n") +
			maybe(20, pick("lastmod", "modified")+": "+date()+"\n") + maybe(20, pick("expiryDate", "unpublishdate")+": "+date()+"\n") +
			maybe(10, "myDate: "+date()+"\n") + maybe(10, "goneAt: "+date()+"\n") +
			maybe(10, pick("headless: true\n", "headless: false\n", "build: {render: never, list: never}\n", "build: {list: local}\n", "build: {publishResources: false}\n", "build: {list: false}\n")) +
			maybe(15, "slug: "+pick("a-slug", "A Slug", "slug_", "-x-", "ünï", "a & b + c/d -")+fmt.Sprint(i)+"\n") +
			maybe(10, "url: "+pick("/u/", "u/", "/u/x.html", "/u", "/U/Y/")+fmt.Sprint(i)+"\n")
		text := "---\n" + head + "---\nText.\n"
		switch r.IntN(10) {
		case 0:
			text = "+++\n" + tomlHead(head) + "+++\nText.\n"
		case 1:
			text = "\ufeff" + strings.ReplaceAll(text, "\n", "\r\n")
		case 2:
			text = "\n\n" + text
		case 3:
			text = "Text.\n"
		}
		site["content/"+p] = &fstest.MapFile{Data: []byte(text)}
		if twin := strings.TrimSuffix(p, ".md") + ".markdown"; r.IntN(10) == 0 && twin != p+".markdown" && !strings.Contains(p, "7.") { // a second file for the page
			site["content/"+twin] = &fstest.MapFile{Data: []byte("---\ntitle: Twin\n" + maybe(50, "draft: true\n") + "---\nText.\n")}
		}
	}
	return site
}

// tomlHead rewrites the plain lines of YAML front matter as TOML.
func tomlHead(head string) string {
	var b strings.Builder
	for line := range strings.Lines(head) {
		key, value, ok := strings.Cut(strings.TrimSpace(line), ": ")
		if !ok || strings.HasPrefix(line, " ") || strings.ContainsAny(value, "{") {
			continue
		}
		switch c := value[0]; {
		case value == "TRUE":
			value = "true"
		case c == '"' || c == '\'' || value == "true" || value == "false":
		case c < '0' || c > '9' || strings.Contains(value, " +"):
			value = strconv.Quote(value)
		}
		fmt.Fprintf(&b, "%s = %s\n", key, value)
	}
	return b.String()
}
