package builder

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/fstest"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"newsstand/builder/article"
	"newsstand/builder/dir"
	"newsstand/builder/page"
	"newsstand/builder/publication"
	"newsstand/builder/source"
)

// site is a content folder and what is published from it.
type site struct {
	t       testing.TB
	options Options
}

func newSite(t testing.TB) site {
	t.Helper()
	dir := t.TempDir()
	s := site{t, Options{Content: filepath.Join(dir, "content"), Public: filepath.Join(dir, "public"), BaseURL: "https://site.example", Now: at("2026-03-01T12:00:00Z")}}
	s.check(os.Mkdir(s.options.Content, 0o755))
	return s
}

func at(instant string) time.Time {
	t, err := time.Parse(time.RFC3339, instant)
	if err != nil {
		panic(err)
	}
	return t
}

func (s site) check(err error) {
	s.t.Helper()
	if err != nil {
		s.t.Fatal(err)
	}
}

// write writes a file of the content.
func (s site) write(name, text string) {
	s.t.Helper()
	path := filepath.Join(s.options.Content, name)
	s.check(os.MkdirAll(filepath.Dir(path), 0o755))
	s.check(os.WriteFile(path, []byte(text), 0o644))
}

func (s site) remove(name string) {
	s.t.Helper()
	s.check(os.Remove(filepath.Join(s.options.Content, name)))
}

// broken is an article file whose front matter cannot be read.
const broken = "---\ntitle: [\n---\n"

// postFile is an article file; head are further lines of front matter.
func postFile(text string, head ...string) string {
	return "---\n" + strings.Join(append([]string{"title: A page"}, head...), "\n") + "\n---\n" + text + "\n"
}

func (s site) build() Report {
	s.t.Helper()
	r, err := Build(s.t.Context(), s.options)
	s.check(err)
	s.whole()
	return r
}

// whole wants a published folder without a fault.
func (s site) whole() {
	s.t.Helper()
	faults, err := publication.Check(s.t.Context(), s.options.Public, nil, nil)
	s.check(err)
	if len(faults) > 0 {
		s.t.Fatalf("the published folder has faults:\n%s", strings.Join(faults, "\n"))
	}
}

// tree is every published file, packed ones unpacked; nil where nothing is published.
func (s site) tree() map[string]string {
	s.t.Helper()
	files := map[string]string{}
	fsys := os.DirFS(s.options.Public)
	s.check(fs.WalkDir(fsys, ".", func(name string, e fs.DirEntry, err error) error {
		if name == "." && errors.Is(err, fs.ErrNotExist) || err == nil && e.IsDir() {
			return nil
		}
		if err != nil {
			return err
		}
		data, err := fs.ReadFile(fsys, name)
		if err == nil && strings.HasSuffix(name, ".gz") {
			var zr *gzip.Reader
			if zr, err = gzip.NewReader(bytes.NewReader(data)); err == nil {
				data, err = io.ReadAll(zr)
			}
		}
		files[name] = string(data)
		return err
	}))
	return files
}

// places returns the names of the published files that hold a text.
func (s site) places(text string) []string {
	var found []string
	for name, data := range s.tree() {
		if strings.Contains(data, text) || strings.Contains(name, text) {
			found = append(found, name)
		}
	}
	slices.Sort(found)
	return found
}

func TestReport(t *testing.T) {
	s := newSite(t)
	s.write("site.yaml", "title: T\n")
	s.write("a.md", postFile("text", "date: 2026-01-01"))
	s.write("b.md", postFile("text", "draft: true"))
	s.write("c.md", postFile("text", "date: 2026-03-01T13:00:00Z"))
	s.write("d.md", postFile("text", "expiryDate: 2026-02-01"))
	s.write("e.md", postFile("text", "tgas: [x]", "expiryDate: 2026-03-01T12:30:00Z"))
	s.write("f.md", broken)
	r := s.build()
	want := Report{
		Files:     map[source.Status]int{source.Published: 2, source.Draft: 1, source.Future: 1, source.Expired: 1, source.Invalid: 1, source.NotArticle: 1},
		Published: 2,
		Next:      at("2026-03-01T12:30:00Z"),
		Revision:  r.Revision, Written: r.Written, Bytes: r.Bytes, Problems: r.Problems,
		Changes: publication.Changes{New: []string{"a", "e"}},
	}
	if diff := cmp.Diff(want, r); diff != "" {
		t.Errorf("the first build (-want +got):\n%s", diff)
	}
	if len(r.Problems) != 2 || r.Errors() != 1 || r.Problems[0].Path != "e.md" || r.Problems[1].Path != "f.md" {
		t.Errorf("problems: %v", r.Problems)
	}
	size := int64(0)
	for name := range s.tree() {
		info, err := os.Stat(filepath.Join(s.options.Public, name))
		s.check(err)
		size += info.Size()
	}
	if files := len(s.tree()); r.Written != files || r.Bytes != size {
		t.Errorf("%d files of %d bytes are said to be written; there are %d of %d", r.Written, r.Bytes, files, size)
	}

	again := s.build()
	want.Written, want.Bytes, want.Unchanged, want.Changes = 0, 0, r.Written, publication.Changes{}
	if diff := cmp.Diff(want, again); diff != "" {
		t.Errorf("the same build again (-want +got):\n%s", diff)
	}

	s.write("a.md", postFile("another text", "date: 2026-01-01"))
	s.write("b.md", postFile("text"))
	s.write("e.md", postFile("text", "draft: true"))
	changes := publication.Changes{New: []string{"b"}, Changed: []string{"a"}, Gone: []string{"e"}}
	if diff := cmp.Diff(changes, s.build().Changes); diff != "" {
		t.Errorf("the changes (-want +got):\n%s", diff)
	}
}

// A build tells how far it is, from the first article to the last, whether it renders
// them or knows them.
func TestProgress(t *testing.T) {
	s := newSite(t)
	for i := range 300 {
		s.write(fmt.Sprintf("a%d.md", i), postFile("text"))
	}
	s.options.Cache = t.TempDir()
	for _, what := range []string{"first", "second"} {
		last := 0
		s.options.Progress = func(done, total int) {
			if done <= last || total != 300 {
				t.Errorf("%s build: %d of %d after %d", what, done, total, last)
			}
			last = done
		}
		if s.build(); last != 300 {
			t.Errorf("%s build: the last that it told was %d", what, last)
		}
	}
}

// An article whose file has an error stays as it was published, if it was.
func TestKept(t *testing.T) {
	for name, test := range map[string]struct {
		before, after map[string]string // after: an empty text removes the file
		kept          []string
	}{
		"broken, by its path":           {map[string]string{"x/a.md": postFile("canary")}, map[string]string{"x/a.md": broken}, []string{"x-a"}},
		"not UTF-8":                     {map[string]string{"a.md": postFile("canary")}, map[string]string{"a.md": "\xff"}, []string{"a"}},
		"never published":               {map[string]string{"b.md": postFile("text")}, map[string]string{"a.md": broken}, nil},
		"a draft before":                {map[string]string{"a.md": postFile("text", "draft: true")}, map[string]string{"a.md": broken}, nil},
		"its id is another's now":       {map[string]string{"a.md": postFile("text")}, map[string]string{"a.md": broken, "b.md": postFile("other", "id: a")}, nil},
		"its id is a draft's now":       {map[string]string{"a.md": postFile("text")}, map[string]string{"a.md": broken, "b.md": postFile("other", "id: a", "draft: true")}, nil},
		"an id that is taken":           {map[string]string{"a.md": postFile("canary")}, map[string]string{"b.md": postFile("other", "id: a")}, []string{"a"}},
		"an id that is taken, reversed": {map[string]string{"b.md": postFile("canary", "id: a")}, map[string]string{"a.md": postFile("other")}, []string{"a"}},
		"expired since":                 {map[string]string{"site.yaml": "title: T", "a.md": postFile("text")}, map[string]string{"a.md": postFile("text", "id: '?'", "expiryDate: 2026-02-01")}, nil},
		"id by hand, unreadable":        {map[string]string{"a.md": postFile("text", "id: b")}, map[string]string{"a.md": broken}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			s := newSite(t)
			for name, text := range test.before {
				s.write(name, text)
			}
			s.build()
			for name, text := range test.after {
				s.write(name, text)
			}
			r := s.build()
			if diff := cmp.Diff(test.kept, r.Kept); diff != "" {
				t.Errorf("kept (-want +got):\n%s", diff)
			}
			if r.Errors() == 0 {
				t.Error("no error is reported")
			}
			if found := s.places("canary"); (len(found) > 0) != (len(test.kept) > 0) {
				t.Errorf("the article is in %q", found)
			}
		})
	}
}

// An article that is kept keeps its search settings, too; and the example of the
// OpenAPI document is one that search gives.
func TestKeptSettings(t *testing.T) {
	s := newSite(t)
	s.write("a.md", postFile("x", "search: {exclude: true}"))
	s.write("b.md", postFile("A longer text.", "search: {boost: 2}"))
	s.build()
	before := s.settings()
	s.write("a.md", broken)
	s.write("b.md", broken)
	if r := s.build(); len(r.Kept) != 2 {
		t.Fatalf("kept: %v", r.Kept)
	}
	if diff := cmp.Diff(before, s.settings()); diff != "" || len(before.Articles) != 2 {
		t.Errorf("the settings of kept articles changed:\n%s", diff)
	}
	if found := s.tree()["openapi.json"]; !strings.Contains(found, "A longer text.") {
		t.Error("the example is not the article that search gives")
	}
	s.write("a.md", postFile("x"))
	s.remove("b.md")
	s.build()
	if after := s.settings(); len(after.Articles) != 0 {
		t.Errorf("settings that nobody gives any more: %+v", after.Articles)
	}
}

// settings are the published search settings.
func (s site) settings() article.SearchSettings {
	s.t.Helper()
	p, err := publication.Open(os.DirFS(s.options.Public))
	s.check(err)
	settings, err := p.Settings()
	s.check(err)
	return settings
}

// An article that cannot be kept, because its chunk is damaged, does not go without a word.
func TestDamagedWhatWasToBeKept(t *testing.T) {
	s := newSite(t)
	s.write("a.md", postFile("text"))
	s.write("b.md", postFile("other"))
	s.build()
	chunks, err := filepath.Glob(filepath.Join(s.options.Public, "corpus", "*.gz"))
	s.check(err)
	for _, chunk := range chunks {
		s.check(os.WriteFile(chunk, []byte("damaged"), 0o644))
	}
	s.write("a.md", broken)
	r := s.build()
	if r.Published != 1 || len(r.Kept) > 0 || r.Damaged == nil {
		t.Errorf("%d published, kept %q, damaged: %v", r.Published, r.Kept, r.Damaged)
	}
}

// Nor do its settings of search, by which it may be kept out of that.
func TestDamagedSettingsOfWhatIsKept(t *testing.T) {
	s := newSite(t)
	s.write("a.md", postFile("text", "search: {exclude: true}"))
	s.build()
	settings, err := filepath.Glob(filepath.Join(s.options.Public, "corpus", "search-*"))
	s.check(err)
	s.check(os.Truncate(settings[0], 10))
	s.write("a.md", broken)
	if r := s.build(); len(r.Kept) != 1 || r.Damaged == nil {
		t.Errorf("kept %q, damaged: %v", r.Kept, r.Damaged)
	}
}

// A site that grows and shrinks over the numbers at which its chunks change.
func TestChunksChange(t *testing.T) {
	s := newSite(t)
	have := 0
	for _, n := range []int{0, 1, 63, 64, 65, 129, 200, 64, 3, 0} {
		for ; have < n; have++ {
			s.write(fmt.Sprintf("a%d.md", have), postFile(fmt.Sprintf("text %d", have)))
		}
		for ; have > n; have-- {
			s.remove(fmt.Sprintf("a%d.md", have-1))
		}
		if r := s.build(); r.Published != n {
			t.Errorf("%d of %d articles are published", r.Published, n)
		}
		if r := s.build(); r.Written+r.Removed > 0 {
			t.Errorf("with %d articles, the same build again writes %d files and removes %d", n, r.Written, r.Removed)
		}
	}
}

// An edit writes the article, its chunk and what tells the revision, and no more.
func TestAnEditWritesLittle(t *testing.T) {
	s := newSite(t)
	for i := range 200 {
		s.write(fmt.Sprintf("a%d.md", i), postFile(fmt.Sprintf("text %d", i)))
	}
	s.build()
	before := s.tree()
	s.write("a77.md", postFile("another text, longer"))
	r := s.build()
	var changed []string
	for name, data := range s.tree() {
		if before[name] != data {
			changed = append(changed, name)
		}
	}
	slices.Sort(changed)
	// The OpenAPI document shows the revision in an example.
	if len(changed) != 6 || r.Written != 6 || changed[0] != "api/article/a77.json" || changed[1] != "api/article/a77.md" || changed[2] != "api/health.json" ||
		!strings.HasSuffix(changed[3], ".ndjson.gz") || changed[4] != "corpus/manifest.json" || changed[5] != "openapi.json" {
		t.Errorf("an edit wrote %d files, changed: %q", r.Written, changed)
	}
}

// A file of the site that no published folder can have is left out with a warning, and holds up
// nothing else: files in a folder where the builder has a file, a file where it has a folder, and
// names that not every system reads alike.
func TestOwnFilesThatCannotBePublished(t *testing.T) {
	s := newSite(t)
	s.write("a.md", postFile("text"))
	s.build()
	want := s.tree()
	for _, name := range []string{
		"feed.json/x", "404.html/a/b", "index.html/x", "problems", ".well-known", path.Dir(page.Library()[0].Path),
		page.Library()[0].Path + "/x", "a:b.txt", `a\b.txt`, "a\nb.txt", "a\xff.txt",
	} {
		s.write("_page/"+name, "our own")
		told := false
		for _, p := range s.build().Problems {
			told = told || p.Path == "_page/"+name && p.Hint != ""
		}
		if got := s.tree(); !told || !cmp.Equal(got, want) {
			t.Errorf("%q: told %t, published %d files, want %d", name, told, len(got), len(want))
		}
		s.check(os.RemoveAll(filepath.Join(s.options.Content, "_page")))
	}
}

// A folder that cannot be opened by its name, as an old archive may hold one, is an error at that
// folder, and holds up nothing else.
func TestAFolderWhoseNameIsNotUTF8(t *testing.T) {
	s := newSite(t)
	s.write("a.md", postFile("text"))
	if err := os.Mkdir(filepath.Join(s.options.Content, "caf\xe9"), 0o755); err != nil {
		t.Skip(err) // some systems make none
	}
	s.write("caf\xe9/b.md", postFile("text"))
	want := []source.Problem{{Path: "caf\xe9", Severity: source.Error, What: "the name is not UTF-8", Hint: "rename it"}}
	if r := s.build(); r.Published != 1 || !cmp.Equal(r.Problems, want) {
		t.Errorf("published %d articles, with the problems %v", r.Published, r.Problems)
	}
}

// The files of Swagger UI are unpacked where they are not published yet, or damaged; a
// site may have its own in their place, or none.
func TestLibraryOfTheReference(t *testing.T) {
	s := newSite(t)
	s.write("a.md", postFile("text"))
	s.build()
	for _, p := range page.Library() {
		want, err := p.Unpack()
		s.check(err)
		published := func() bool { return s.tree()[p.Path] == string(want) }
		if !published() {
			t.Errorf("%s is not published", p.Path)
		}
		s.check(os.WriteFile(filepath.Join(s.options.Public, p.Path), []byte("damaged"), 0o644))
		if r := s.build(); r.Written != 1 || !published() {
			t.Errorf("a damaged %s: %d files were written", p.Path, r.Written)
		}
		s.write("_page/"+p.Path, "our own")
		if s.build(); s.tree()[p.Path] != "our own" {
			t.Errorf("%s is not the site's own", p.Path)
		}
		s.remove("_page/" + p.Path)
		if s.build(); !published() {
			t.Errorf("%s did not return", p.Path)
		}
	}
	s.write("site.yaml", "base_url: https://site.example\npage: false\n")
	s.build()
	if left := s.places("docs/"); len(left) > 0 {
		t.Errorf("without a page, %q are published", left)
	}
}

// watchedContext calls look whenever it is asked whether it has ended, with the number
// of times before.
type watchedContext struct {
	context.Context
	looks atomic.Int64
	look  func(n int64)
}

func (c *watchedContext) Err() error {
	c.look(c.looks.Add(1) - 1)
	return c.Context.Err()
}

// However early or late a build is stopped, it publishes all or nothing.
func TestStoppedBuild(t *testing.T) {
	s := newSite(t)
	for i := range 70 {
		s.write(fmt.Sprintf("a%d.md", i), postFile("old"))
	}
	s.build()
	before := s.tree()
	for i := range 70 {
		s.write(fmt.Sprintf("a%d.md", i), postFile("new"))
	}
	stopped := 0
	for n := int64(0); ; n += 1 + n/8 {
		inner, cancel := context.WithCancel(t.Context())
		ctx := &watchedContext{Context: inner, look: func(i int64) {
			if i == n {
				cancel()
			}
		}}
		_, err := Build(ctx, s.options)
		cancel()
		s.whole()
		if err == nil {
			break
		}
		stopped++
		if !errors.Is(err, context.Canceled) || !strings.HasPrefix(err.Error(), "build stopped before anything was published: ") {
			t.Fatalf("stopped at the %dth look: %v", n, err)
		}
		if !maps.Equal(before, s.tree()) {
			t.Fatalf("a build that was stopped at the %dth look changed the published folder", n)
		}
	}
	if stopped < 10 {
		t.Errorf("stopped only %d builds", stopped)
	}
	if n := len(s.places("new")); n < 70 {
		t.Errorf("the build that was not stopped published %d files with the new text", n)
	}
}

// An article that becomes a draft, or is removed, while a build is under way is not
// published with what the draft says, nor is it an error.
func TestChangedUnderTheBuild(t *testing.T) {
	s := newSite(t)
	const last = "a5.md"
	for _, change := range []func(){
		func() { s.write(last, postFile("canary", "draft: true")) },
		func() { s.remove(last) },
	} {
		built := 0
		for n := int64(0); ; n++ {
			for i := range 6 {
				s.write(fmt.Sprintf("a%d.md", i), postFile("text"))
			}
			s.check(os.RemoveAll(s.options.Public))
			changed := false
			ctx := &watchedContext{Context: t.Context(), look: func(i int64) {
				if i == n {
					changed = true
					change()
				}
			}}
			r, err := Build(ctx, s.options)
			s.check(err)
			s.whole()
			if r.Errors() > 0 || r.Published < 5 {
				t.Fatalf("changed at the %dth look: %+v", n, r)
			}
			if found := s.places("canary"); len(found) > 0 {
				t.Fatalf("changed at the %dth look: the draft is in %q", n, found)
			}
			if !changed {
				break
			}
			built++
		}
		if built < 6 {
			t.Errorf("changed under %d builds only", built)
		}
	}
}

// A folder may be moved to where nothing is published, and then be written in, while another takes
// its place.
func TestFolderMovesAway(t *testing.T) {
	s := newSite(t)
	at := func(name string) string { return filepath.Join(s.options.Content, name) }
	for n, changed := int64(0), true; changed; n++ {
		s.check(errors.Join(os.RemoveAll(s.options.Content), os.RemoveAll(s.options.Public)))
		s.write("posts/a.md", postFile("text"))
		s.write("posts/b.md", postFile("text"))
		changed = false
		_, err := Build(&watchedContext{Context: t.Context(), look: func(i int64) {
			if changed = changed || i == n; i == n {
				s.check(os.Rename(at("posts"), at(".drafts")))
				s.write("posts/a.md", postFile("text"))
				s.write(".drafts/a.md", postFile("CANARY"))
				s.write(".drafts/b.md", postFile("CANARY"))
			}
		}}, s.options)
		s.check(err)
		if found := s.places("CANARY"); found != nil {
			t.Errorf("moved at the %dth look: the draft is in %s", n, found)
		}
	}
}

// A folder that is never quiet is not built for ever, but one is that is for a second.
func TestChangedAllTheTime(t *testing.T) {
	for _, quiet := range []time.Duration{time.Second, time.Hour} {
		s := newSite(t)
		s.write("a.md", postFile("text"))
		synctest.Test(t, func(t *testing.T) {
			begin := time.Now()
			ctx := &watchedContext{Context: t.Context(), look: func(n int64) {
				if time.Since(begin) < quiet {
					s.write("a.md", postFile(fmt.Sprint("text ", n)))
				}
			}}
			_, err := Build(ctx, s.options)
			var changed source.ChangedError
			if failed := errors.As(err, &changed) && changed.Path == "a.md"; failed != (quiet == time.Hour) || err != nil && !failed {
				t.Errorf("quiet after %v: %v", quiet, err)
			}
		})
	}
}

// An article that fails while it is rendered is kept or left out, and told, also when
// the build has to begin anew because of it.
func TestFailsWhileRendered(t *testing.T) {
	s := newSite(t)
	for i := range 66 {
		s.write(fmt.Sprintf("a%d.md", i), postFile("text"))
	}
	s.build()
	s.write("new.md", postFile("text"))
	problem := func(path string) source.Problem {
		return source.Problem{Path: path, Line: 3, Severity: source.Error, What: "it cannot be rendered"}
	}
	b := builder{options: s.options, now: func() time.Time { return s.options.Now }}
	r, err := b.try(t.Context(), map[string][]source.Problem{"a7.md": {problem("a7.md")}, "new.md": {problem("new.md")}})
	s.check(err)
	s.whole()
	want := []source.Problem{problem("a7.md"), problem("new.md")}
	if diff := cmp.Diff(want, r.Problems); diff != "" || r.Published != 66 || r.Written != 0 || len(r.Kept) != 1 || r.Kept[0] != "a7" || r.Files[source.Invalid] != 2 || r.Files[source.Published] != 65 {
		t.Errorf("report: %+v\n%s", r, diff)
	}
}

// What is not published at an instant is in no byte, whatever was published before:
// random sites, built again and again into one folder at random clocks, while authors
// flip drafts, move dates and remove files.
func TestNothingLeaks(t *testing.T) {
	begin := at("2026-01-01T00:00:00Z")
	canaries := regexp.MustCompile(`canary\d+x\d+`)
	for seed := range uint64(8) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			t.Parallel()
			random := rand.New(rand.NewPCG(seed, 7))
			s := newSite(t)
			type post struct {
				path, canary    string
				draft           bool
				appears, expire int // days; 0: at once, never
			}
			posts := make([]post, 90)
			for i := range posts {
				p := &posts[i]
				p.canary = fmt.Sprintf("canary%dx%d", i, random.Uint32())
				folder := []string{"", "news/", "deep/er/", "_posts/", "_drafts/"}[random.IntN(5)]
				p.path = fmt.Sprintf("%sp%d.md", folder, i)
			}
			change := func(p *post) {
				p.draft = random.IntN(3) == 0
				p.appears, p.expire = random.IntN(40)-10, random.IntN(60)-20
				head := []string{}
				if p.draft {
					head = append(head, "draft: true")
				}
				if p.appears > 0 {
					head = append(head, "publishDate: "+begin.AddDate(0, 0, p.appears).Format(time.RFC3339))
				}
				if p.expire > 0 {
					head = append(head, "expiryDate: "+begin.AddDate(0, 0, p.expire).Format(time.RFC3339))
				}
				s.write(p.path, postFile(p.canary+" "+p.path, append(head, "tags: ["+p.canary+"]", "summary: "+p.canary)...))
			}
			for i := range posts {
				change(&posts[i])
			}
			var gone []string // canaries of removed files
			for round := range 12 {
				for range random.IntN(10) {
					change(&posts[random.IntN(len(posts))])
				}
				i := random.IntN(len(posts))
				s.remove(posts[i].path)
				gone = append(gone, posts[i].canary)
				posts = slices.Delete(posts, i, i+1)
				day := random.IntN(60)
				s.options.Now = begin.AddDate(0, 0, day)
				s.build()
				published := map[string]bool{}
				for _, data := range s.tree() {
					for _, canary := range canaries.FindAllString(data, -1) {
						published[canary] = true
					}
				}
				for _, p := range posts {
					want := !p.draft && p.appears <= day && (p.expire <= 0 || day < p.expire) && !strings.HasPrefix(p.path, "_drafts/")
					if got := published[p.canary]; got != want {
						t.Errorf("round %d, day %d: %+v: published is %v, want %v", round, day, p, got, want)
					}
				}
				for _, canary := range gone {
					if published[canary] {
						t.Errorf("round %d: the removed article %s is published", round, canary)
					}
				}
			}
		})
	}
}

// A link does not lead an article to a file whose own name keeps it out.
func TestNoLinkIsIncluded(t *testing.T) {
	for _, how := range []string{"build", "build that remembers", "watch"} {
		s := newSite(t)
		if how == "build that remembers" {
			s.remembering()
		}
		s.write("../.env", "CANARY")
		s.write(".git/config", "CANARY")
		s.check(os.Symlink("../.env", filepath.Join(s.options.Content, "a.txt")))
		s.check(os.Symlink(".git", filepath.Join(s.options.Content, "folder")))
		s.check(os.Symlink(".env", filepath.Join(s.options.Content, "../a.md")))
		s.write("a.md", postFile("[!INCLUDE [a](a.txt)]\n\n[!INCLUDE [a](folder/config)]\n\n[!INCLUDE [a](../a.md)]"))
		build := s.build
		if how == "watch" {
			build = func() Report {
				r, err := newWatcher(s.options, time.Now).build(t.Context())
				s.check(err)
				return r
			}
		}
		if r := build(); len(r.Problems) != 3 {
			t.Errorf("%s: problems %v, want one for each link", how, r.Problems)
		}
		if found := s.places("CANARY"); found != nil {
			t.Errorf("%s: a file behind a link is in %s", how, found)
		}
	}
}

// linked is a folder in which a link takes the place of a file while that is opened.
type linked struct {
	fstest.MapFS
	name, to string
}

func (f linked) Open(name string) (fs.File, error) {
	if name == f.name {
		f.MapFS[name] = &fstest.MapFile{Data: []byte(f.to), Mode: fs.ModeSymlink}
	}
	return f.MapFS.Open(name)
}

// ReadFile implements fs.ReadFileFS.
func (f linked) ReadFile(name string) ([]byte, error) {
	if file, err := f.Open(name); err == nil {
		file.Close()
	}
	return f.MapFS.ReadFile(name)
}

// A link may take the place of one of the site's own files after it was listed.
func TestOwnFilesThatBecomeLinks(t *testing.T) {
	files, _, err := ownFiles(linked{fstest.MapFS{
		"_page/a.txt": {Data: []byte("text")},
		".env":        {Data: []byte("CANARY")},
	}, "_page/a.txt", "../.env"})
	if !errors.As(err, new(source.ChangedError)) {
		t.Errorf("published: %s, %v", files, err)
	}
}

// A link to the content may be changed after that was opened, and before what is around it is.
func TestContentAndWhatIsAroundItBelongTogether(t *testing.T) {
	at := t.TempDir()
	open := func(name string) *dir.Dir {
		if err := os.MkdirAll(filepath.Join(at, name), 0o755); err != nil {
			t.Fatal(err)
		}
		root, err := os.OpenRoot(filepath.Join(at, name))
		if err != nil {
			t.Fatal(err)
		}
		return dir.New(root)
	}
	open("two/content").Close()
	for around, want := range map[string]bool{"one": true, "two": false} {
		f := folders{content: open("one/content"), around: open(around)}
		if err := f.belong("content"); (err == nil) != want || err != nil && !errors.As(err, new(source.ChangedError)) {
			t.Errorf("content of one in %s: %v", around, err)
		}
		f.close()
	}
}

// What Scan gives back is for looking at: the folder behind it is closed.
func TestAScannedFolderRendersNothing(t *testing.T) {
	s := newSite(t)
	s.write("a.md", postFile("one"))
	folder, err := Scan(t.Context(), s.options.Content, source.Options{Now: s.options.Now})
	s.check(err)
	if len(folder.Files) != 1 || folder.Files[0].Status != source.Published {
		t.Fatalf("scanned: %+v", folder.Files)
	}
	_, _, _, err = folder.Article(folder.Files[0])
	if err == nil || err.Error() != "render a.md: the folder is closed" {
		t.Errorf("rendered: %v", err)
	}
}

// A build that waited for another one publishes the content as it is then, though the whole folder
// is another.
func TestContentIsReadWhenItsTurnComes(t *testing.T) {
	s := newSite(t)
	s.write("a.md", postFile("old"))
	other, err := publication.Begin(t.Context(), s.options.Public, nil)
	s.check(err)
	s.options.Waiting = func() {
		s.check(os.Rename(s.options.Content, filepath.Join(t.TempDir(), "content")))
		s.write("a.md", postFile("canary"))
		s.check(other.Close())
	}
	s.build()
	if len(s.places("canary")) == 0 {
		t.Error("what was published is the content of before")
	}
}
