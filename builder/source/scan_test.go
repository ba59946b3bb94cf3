package source

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/rogpeppe/go-internal/txtar"

	"newsstand/builder/hinted"
	"newsstand/builder/source/frontmatter"
)

// story is a site in one text file: its comment says what it shows, its files are the site, and
// those under want/ are what the scan makes of it. Lines of the comment in the form "name: value"
// say what a text file cannot:
//
//	now: 2026-08-23T00:00:00Z   the clock; this is the default
//	crlf: a.md                  the file's lines end as on Windows
//	cr: a.md                    the file's lines end as on the first Macs
//	bom: a.md                   the file begins with a byte order mark
//	latin1: a.md                the file is ISO 8859-1
//	scan: project               not its folder content
//	hugo differs: a.md: why     Hugo says something else about the file, and why
type story struct {
	archive *txtar.Archive
	site    fstest.MapFS
	now     time.Time
	whole   bool // whether the whole project is scanned
	differs map[string]string
}

func readStory(t testing.TB, name string) story {
	t.Helper()
	archive, err := txtar.ParseFile(name)
	if err != nil {
		t.Fatal(err)
	}
	s := story{archive: archive, site: fstest.MapFS{}, now: storyTime("2026-08-23T00:00:00Z"), differs: map[string]string{}}
	for _, f := range archive.Files {
		if !strings.HasPrefix(f.Name, "want/") {
			s.site[f.Name] = &fstest.MapFile{Data: f.Data}
		}
	}
	file := func(name string) *fstest.MapFile {
		f := s.site[name]
		if f == nil {
			t.Fatalf("the comment names %s, which is not in the story", name)
		}
		return f
	}
	for line := range strings.Lines(string(archive.Comment)) {
		key, value, _ := strings.Cut(strings.TrimSpace(line), ": ")
		switch key {
		case "now":
			s.now = storyTime(value)
		case "scan":
			s.whole = value == "project"
		case "crlf":
			file(value).Data = bytes.ReplaceAll(file(value).Data, []byte("\n"), []byte("\r\n"))
		case "cr":
			file(value).Data = bytes.ReplaceAll(file(value).Data, []byte("\n"), []byte("\r"))
		case "bom":
			file(value).Data = append([]byte("\ufeff"), file(value).Data...)
		case "latin1":
			var b []byte
			for _, r := range string(file(value).Data) {
				b = append(b, byte(r))
			}
			file(value).Data = b
		case "hugo differs":
			name, why, _ := strings.Cut(value, ": ")
			file(name)
			s.differs[name] = why
		}
	}
	return s
}

func storyTime(s string) time.Time {
	t, ok := parseDate(s, time.UTC, nil)
	if !ok {
		panic("no time: " + s)
	}
	return t
}

// scan reads the story's site: the folder content if it has one, as the builder does.
func (s story) scan(t testing.TB) *Folder {
	t.Helper()
	if s.whole || !isDir(s.site, "content") {
		return scanAt(t, s.site, nil, s.now)
	}
	content, err := fs.Sub(s.site, "content")
	if err != nil {
		t.Fatal(err)
	}
	return scanAt(t, content, s.site, s.now)
}

// listing returns a folder as the stories show it: a line for each file with its id, language,
// dates and, if known, address.
func listing(f *Folder) string {
	var b strings.Builder
	for _, file := range f.Files {
		fmt.Fprintf(&b, "%s %s", file.Status, file.Path)
		if file.ID != "" {
			fmt.Fprintf(&b, " id=%s", file.ID)
		}
		if file.Language != "" && file.Language != f.Site.Language {
			fmt.Fprintf(&b, " language=%s", file.Language)
		}
		writeDates(&b, file)
		if !file.Modified.Equal(file.Published) {
			fmt.Fprintf(&b, " modified=%s", shortTime(file.Modified))
		}
		if file.URL != "" {
			fmt.Fprintf(&b, " url=%s", file.URL)
		}
		if file.Reason != "" {
			fmt.Fprintf(&b, " (%s)", file.Reason)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func writeDates(b *strings.Builder, file File) {
	if !file.Published.IsZero() {
		fmt.Fprintf(b, " date=%s", shortTime(file.Published))
	}
	if at := file.PublishAt.Truncate(time.Second); !at.IsZero() && !at.Equal(file.Published) {
		fmt.Fprintf(b, " appears=%s", shortTime(file.PublishAt))
	}
	if !file.ExpireAt.IsZero() {
		fmt.Fprintf(b, " expires=%s", shortTime(file.ExpireAt))
	}
}

func shortTime(t time.Time) string {
	return strings.TrimSuffix(t.UTC().Format(time.RFC3339), "T00:00:00Z")
}

func problemLines(f *Folder) string {
	var b strings.Builder
	for _, p := range f.Problems {
		fmt.Fprintf(&b, "%s: %s\n", p.Severity, p)
	}
	return b.String()
}

func stories(t testing.TB) []string {
	t.Helper()
	names, err := filepath.Glob("testdata/scan/*.txtar")
	if err != nil || len(names) == 0 {
		t.Fatalf("no stories: %v", err)
	}
	return names
}

// TestScan scans every story of testdata/scan.
func TestScan(t *testing.T) {
	for _, name := range stories(t) {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			s := readStory(t, name)
			f := s.scan(t)
			want := []txtar.File{{Name: "want/files", Data: []byte(listing(f))}}
			if problems := problemLines(f); problems != "" {
				want = append(want, txtar.File{Name: "want/problems", Data: []byte(problems)})
			}
			if says := s.hugoSays(t); says != "" {
				want = append(want, txtar.File{Name: "want/hugo", Data: []byte(says)})
				s.compareWithHugo(t, f, says)
			}
			told := txtar.Archive{Comment: s.archive.Comment}
			for _, file := range s.archive.Files {
				if !strings.HasPrefix(file.Name, "want/") {
					told.Files = append(told.Files, file)
				}
			}
			told.Files = append(told.Files, want...)
			got, before := string(txtar.Format(&told)), string(txtar.Format(s.archive))
			if got == before {
				return
			}
			if *updateGolden {
				if err := os.WriteFile(name, []byte(got), 0o666); err != nil {
					t.Fatal(err)
				}
				return
			}
			for _, w := range want {
				for _, file := range s.archive.Files {
					if file.Name == w.Name && !bytes.Equal(file.Data, w.Data) {
						t.Errorf("%s is\n%s\nwant\n%s", w.Name, w.Data, file.Data)
					}
				}
			}
			t.Error("the story has changed; look at it, and run go test -update if it is right")
		})
	}
}

// TestScanAgain scans every story twice: the same folder has the same result, although its files
// are read concurrently.
func TestScanAgain(t *testing.T) {
	for _, name := range stories(t) {
		s := readStory(t, name)
		a, b := s.scan(t), s.scan(t)
		if listing(a) != listing(b) || problemLines(a) != problemLines(b) {
			t.Errorf("%s: two scans differ", name)
		}
		for i := range a.Files {
			if a.Files[i].Key != b.Files[i].Key {
				t.Errorf("%s: two scans give %s different keys", name, a.Files[i].Path)
			}
		}
		if !slices.IsSortedFunc(a.Problems, CompareProblems) {
			t.Errorf("%s: problems are not sorted", name)
		}
	}
}

// All of a site with 100,000 articles is held in memory at once, so the scan keeps little of each:
// its path, id, dates and key and, once a link leads nowhere, a few hashes.
func TestAScanIsSmall(t *testing.T) {
	const files, most = 5000, 420 // bytes of each
	site := fstest.MapFS{}
	for i := range files {
		text := fmt.Sprintf("---\ntitle: Article %d\nslug: the-article-%d\ndate: 2026-01-01\ntags: [a, b]\ndescription: %s\n---\nText.\n", i, i, strings.Repeat("long ", 50))
		site[fmt.Sprintf("posts/2026/a%d.md", i)] = &fstest.MapFile{Data: []byte(text)}
	}
	inUse := func() int64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.GC() // the second cycle empties pools
		runtime.ReadMemStats(&m)
		return int64(m.HeapAlloc)
	}
	before := inUse()
	folder, err := Scan(t.Context(), site, Options{BaseURL: "https://site.example", Now: time.Now()})
	if err != nil {
		t.Fatal(err)
	}
	if got := folder.DeadLinks(&folder.Files[0], []Link{{Ref: "gone.md", Path: "posts/2026/gone.md"}}); got != nil {
		t.Errorf("a link that is not in the text is reported: %v", got)
	}
	each := (inUse() - before) / files
	if t.Logf("%d bytes of each file", each); each > most {
		t.Errorf("a scan keeps %d bytes per file, more than %d", each, most)
	}
	runtime.KeepAlive(folder)
	runtime.KeepAlive(site)
}

func TestLargeTableBesideArticles(t *testing.T) {
	f := scanAt(t, fstest.MapFS{
		".eleventy.js":         {Data: []byte("module.exports = {}")},
		"replies/replies.json": {Data: []byte(`{"lang": "fr", "all": "` + strings.Repeat("x", frontmatter.MaxBytes) + `"}`)},
		"replies/a.md":         {Data: []byte("# A")},
	}, nil, time.Time{})
	if got := count(f)[Published]; got != 1 {
		t.Errorf("%d files are published beside a large table of data, not 1", got)
	}
}

// A pipe would never end, and a large file does not hold settings: neither is read.
func TestSettingsThatAreNotRead(t *testing.T) {
	for want, file := range map[string]*fstest.MapFile{
		"is not a regular file": {Mode: fs.ModeNamedPipe},
		"is larger than 256 kB": {Data: make([]byte, frontmatter.MaxBytes+1)},
	} {
		for _, name := range []string{SiteFile, TestsFile, "hugo.toml", "_config.yml", "mkdocs.yml"} {
			_, err := Scan(t.Context(), fstest.MapFS{name: file}, Options{Now: time.Unix(0, 0)})
			if err == nil || !strings.Contains(err.Error(), name+" "+want) {
				t.Errorf("%s: %v, want that it %s", name, err, want)
			}
		}
	}
}

// Without what a link should lead to, the site would be published with other settings.
func TestSettingsThatAreALink(t *testing.T) {
	for to, hint := range map[string]string{
		"gone":      "put a file in its place, or remove it",
		SiteFile:    "put a file in its place: a link to one must stay within the folder",
		"../hidden": "put a file in its place: a link to one must stay within the folder",
	} {
		folder := t.TempDir()
		content := filepath.Join(folder, "content")
		if err := errors.Join(os.Mkdir(content, 0o700), os.WriteFile(filepath.Join(folder, "hidden"), nil, 0o600),
			os.Symlink(to, filepath.Join(content, SiteFile))); err != nil {
			t.Skip(err) // some systems have no links
		}
		root, err := os.OpenRoot(content)
		if err != nil {
			t.Fatal(err)
		}
		defer root.Close()
		if _, err = Scan(t.Context(), root.FS(), Options{}); err == nil || hinted.Hint(err) != hint {
			t.Errorf("a link to %s: %v, hint: %s", to, err, hinted.Hint(err))
		}
	}
}

// Notes may share a .gitignore with others by a link; it was a reason to build nothing.
func TestIgnoreFileThatIsALink(t *testing.T) {
	content := t.TempDir()
	if err := os.Symlink("../gone", filepath.Join(content, ".gitignore")); err != nil {
		t.Skip(err) // some systems have no links
	}
	root, err := os.OpenRoot(content)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	if _, err := Scan(t.Context(), root.FS(), Options{}); err != nil {
		t.Error(err)
	}
}

// A configuration in JavaScript that cannot be read counts as empty, and gets a warning. The site
// used to be treated as if it had no generator.
func TestProgramsThatAreNotRead(t *testing.T) {
	for what, f := range map[string]*Folder{
		"a large one":   scanAt(t, fstest.MapFS{"docusaurus.config.js": {Data: make([]byte, frontmatter.MaxBytes+1)}, "docs/a.md": {Data: []byte("# A")}, "b.md": {}}, nil, time.Time{}),
		"one elsewhere": scanLinked(t, map[string]string{"docs/a.md": "# A", "b.md": ""}, "docusaurus.config.js", ""),
	} {
		if said := problemLines(f); count(f)[Published] != 1 || !strings.HasPrefix(said, "warning: docusaurus.config.js: read settings: ") {
			t.Errorf("the problems of %s are %q; the files are\n%s", what, said, listing(f))
		}
	}
}

// In the configuration of Next.js only a key of Nextra counts, so one that cannot be read, as in a
// repository of many projects, is not a mistake.
func TestConfigurationOfNextElsewhere(t *testing.T) {
	if f := scanLinked(t, map[string]string{"content/a.md": "# A"}, "next.config.mjs", ""); count(f)[Published] != 1 || len(f.Problems) > 0 {
		t.Errorf("the problems are %q; the files are\n%s", problemLines(f), listing(f))
	}
}

// A file may have the name of a folder in which other generators keep their settings. One called
// config used to keep a site from being read.
func TestFilesNamedAsFoldersOfSettings(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"mkdocs.yml": "site_name: A", "config": "[core]", "website": "https://site.example", ".vitepress": "", "docs/a.md": "# A"} {
		name = filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o755), os.WriteFile(name, []byte(text), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	if f := scanAt(t, os.DirFS(dir), nil, time.Time{}); f.Site.Title != "A" || count(f)[Published] != 1 {
		t.Errorf("the site %q has the files\n%s", f.Site.Title, listing(f))
	}
}

// A configuration that cannot be read, and may say what is not to be published, ends the scan.
func TestMistakesInConfigurations(t *testing.T) {
	for name, mistake := range map[string]struct{ text, hint string }{
		"hugo.toml":   {"draft", `write "key = value" on a line, with an equals sign`},
		"_config.yml": {"exclude: [", "close the bracket that is opened here"},
		"book.toml":   {"[book", "close the brackets around the name of the table, as in [extra]"},
		"mkdocs.yaml": {"site_name: A: b\nplugins:\n  - exclude:\n      glob: a.md\n", `put a value that contains ": " in quotes, and let all keys begin in one column`},
		"mkdocs.yml":  {"site_name: A: b\ndraft_docs: |\n  a.md\n", `put a value that contains ": " in quotes, and let all keys begin in one column`},
	} {
		_, err := Scan(t.Context(), fstest.MapFS{name: {Data: []byte(mistake.text)}}, Options{Now: time.Unix(0, 0)})
		if err == nil || !strings.Contains(err.Error(), "read the configuration: "+name+":1:") || strings.Contains(err.Error(), ":0:") {
			t.Errorf("%s: %v", name, err)
		}
		if hinted.Hint(err) != mistake.hint {
			t.Errorf("%s: %v: want the hint %q", name, err, mistake.hint)
		}
	}
}

// A site.yaml that says only what an option overrides still shows for which program an id is meant.
func TestWrongIDBesideAnAddress(t *testing.T) {
	site := fstest.MapFS{"site.yaml": {Data: []byte("base_url: https://site.example\n")}, "a.md": {Data: []byte("---\nid: A\n---\nText.\n")}}
	for _, address := range []string{"", "https://other.example"} {
		folder, err := Scan(t.Context(), site, Options{BaseURL: address})
		if err != nil || folder.Files[0].Status != Invalid {
			t.Errorf("under the address %q: %v %v", address, folder, err)
		}
	}
}

// Where the folders of one name hold articles without a title, four of these are named, and the
// others counted, although most of the site has titles. The rest are each named.
func TestUntitledFolders(t *testing.T) {
	files := fstest.MapFS{"a/b.md": {Data: []byte("Text.")}}
	for i := range 30 {
		files[fmt.Sprintf("topic%d/index.md", i)] = &fstest.MapFile{Data: []byte("# Topic\n")}
		files[fmt.Sprintf("topic%d/more.md", i)] = &fstest.MapFile{Data: []byte("# More\n")}
		files[fmt.Sprintf("topic%d/practice/ann.md", i)] = &fstest.MapFile{Data: []byte("Text.")}
	}
	_, problems := renderAll(t, files)
	if len(problems) != 5 || !strings.HasSuffix(problems[4].What, "; the same holds for 26 more") {
		t.Errorf("%d problems, the last of them %v", len(problems), problems[len(problems)-1])
	}
}

// Of the issues of a newsletter, whose names differ only in their dates, the first says what holds
// for all.
func TestManyShareAnID(t *testing.T) {
	files := fstest.MapFS{}
	for i := range manyShare + 1 {
		files[fmt.Sprintf("%d-01-02-issue.md", 2000+i)] = &fstest.MapFile{Data: []byte("# Issue")}
	}
	f := scanAt(t, files, nil, time.Now())
	want := []Problem{{Path: "2000-01-02-issue.md", Severity: Error,
		What: `the id "issue" is also that of 2001-01-02-issue.md and 2002-01-02-issue.md and 2003-01-02-issue.md and 17 more, which builder list names`,
		Hint: "give each of them an id: of its own in its front matter; none can be published before; " +
			"or keep the dates of all files' names in their ids, with dates_in_ids: true in site.yaml"}}
	if !slices.Equal(f.Problems, want) {
		t.Errorf("%d problems: %+v", len(f.Problems), f.Problems)
	}
	for _, file := range f.Files {
		if file.Status != Invalid {
			t.Errorf("%s is %s", file.Path, file.Status)
		}
	}
}
