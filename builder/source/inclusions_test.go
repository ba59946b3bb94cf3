package source

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"newsstand/builder/cache"
)

// No article has a byte of what is not to be published, whatever it names.
func TestNothingHiddenIsIncluded(t *testing.T) {
	const canary = "CANARY"
	plain, mkdocs := map[string]string{}, map[string]string{
		"mkdocs.yml": "markdown_extensions: [pymdownx.snippets]\ndraft_docs: /later/\n",
	}
	jekyll := map[string]string{"_config.yml": "title: A\n"}
	const docfx, snippet, relative = "[!INCLUDE [a](FILE)]", `--8<-- "docs/FILE"`, "{% include_relative FILE %}"
	for what, x := range map[string]struct {
		site       map[string]string
		mark, file string
		text       string
		isLink     bool
	}{
		"a draft":                             {plain, docfx, "a.md", "---\ndraft: true\n---\n" + canary, false},
		"a part that is a draft":              {plain, docfx, "_a.md", "---\ndraft: true\n---\n" + canary, false},
		"a part that may be a draft":          {plain, docfx, "_a.md", "---\ndraft: maybe\n---\n" + canary, false},
		"a part that needs a password":        {plain, docfx, "_a.md", "---\npassword: secret\n---\n" + canary, false},
		"a part that is due later":            {plain, docfx, "_a.md", "---\ndate: 2027-01-01\n---\n" + canary, false},
		"a file of Git":                       {plain, docfx, ".GIT/config.md", canary, false},
		"a file of Mercurial":                 {plain, docfx, ".hg/a.md", canary, false},
		"a key of SSH":                        {mkdocs, snippet, ".ssh/id", canary, false},
		"a file with settings":                {mkdocs, snippet, ".env", canary, false},
		"a hidden file beside parts":          {mkdocs, snippet, ".snippets/.env", canary, false},
		"a hidden folder of parts":            {mkdocs, snippet, ".snippets/.git/config", canary, false},
		"a link to a hidden file":             {plain, docfx, "a.txt", ".env", true},
		"a link to a hidden folder":           {plain, docfx, "a/config", ".git", true},
		"a draft by MkDocs' draft_docs":       {mkdocs, snippet, "later/a.md", canary, false},
		"a draft of Jekyll by its folder":     {jekyll, relative, "_drafts/a.md", canary, false},
		"a draft of Jekyll with front matter": {jekyll, relative, "_drafts/a.md", "---\na: b\n---\n" + canary, false},
	} {
		files := fstest.MapFS{".env": {Data: []byte(canary)}, ".git/config": {Data: []byte(canary)}}
		for name, text := range x.site {
			files[name] = &fstest.MapFile{Data: []byte(text)}
		}
		folder := ""
		if x.mark == snippet {
			folder = "docs/"
		}
		if x.isLink {
			name := strings.Split(x.file, "/")[0]
			files[name] = &fstest.MapFile{Data: []byte(x.text), Mode: fs.ModeSymlink}
		} else {
			files[folder+x.file] = &fstest.MapFile{Data: []byte(x.text)}
		}
		files[folder+"page.md"] = &fstest.MapFile{Data: []byte("---\ntitle: A\n---\nText.\n\n" + strings.Replace(x.mark, "FILE", x.file, 1) + "\n")}
		article, problems := renderOne(t, files)
		if strings.Contains(article.ContentHTML, canary) {
			t.Errorf("%s is in an article: %s", what, article.ContentHTML)
		}
		if len(problems) == 0 && x.mark != relative {
			t.Errorf("%s: no warning", what)
		}
	}
}

// A file is looked for in all places, even if the name leads out of the first; the reason that is
// told is that of the first.
func TestPlacesOfIncluded(t *testing.T) {
	files := fstest.MapFS{
		"mkdocs.yml":    {Data: []byte("markdown_extensions: [{pymdownx.snippets: {base_path: [., docs/folder]}}]\nplugins: [include-markdown]\n")},
		"part.txt":      {Data: []byte("text of the part")},
		"docs/folder/x": {Data: []byte("x")},
		"docs/a.md":     {Data: []byte("# A\n\n--8<-- \"../../part.txt\"\n\n{% include-markdown \"../gone.md\" %}\n")},
	}
	article, problems := renderOne(t, files)
	if !strings.Contains(article.ContentText, "text of the part") || len(problems) != 0 {
		t.Errorf("%q, problems %v", article.ContentText, problems)
	}
}

// A tsconfig.json that cannot be read, as a link to one that projects share, is no reason to build
// nothing.
func TestAliasesThatAreNotRead(t *testing.T) {
	folder := scanLinked(t, map[string]string{"docusaurus.config.js": "module.exports = {title: 'A'}", "docs/a.mdx": "# A"}, "tsconfig.json", "")
	if said := problemLines(folder); count(folder)[Published] != 1 || said != "" {
		t.Errorf("problems %q; the files are\n%s", said, listing(folder))
	}
}

// openings counts how often each file is opened.
type openings struct {
	fs.FS
	mu    sync.Mutex
	count map[string]int // mu
}

func (o *openings) Open(name string) (fs.File, error) {
	o.mu.Lock()
	o.count[name]++
	o.mu.Unlock()
	return o.FS.Open(name)
}

func (o *openings) Stat(name string) (fs.FileInfo, error) { return fs.Stat(o.FS, name) }

// An article is expanded again only if it or a file that it includes has changed, and no such file
// is read for each article.
func TestWhatIsIncludedIsRemembered(t *testing.T) {
	const articles = 50
	files := fstest.MapFS{"site.yaml": {Data: []byte("language: en\n")}} // else some articles are read to detect it
	write := func(name, text string) {
		files[name] = &fstest.MapFile{Data: []byte(text), ModTime: storyTime("2026-01-01T00:00:00Z")} // without a time, stamps say nothing
	}
	write("_part.md", "part\n\n[!INCLUDE [b](_inner.md)]\n")
	write("_inner.md", "inner\n")
	for i := range articles {
		write(fmt.Sprintf("%d.md", i), "# A\n\n[!INCLUDE [a](_part.md)]\n\n[!INCLUDE [a](_gone.md)]\n")
	}
	known := cache.New()
	for _, step := range []struct {
		what, file, text string // the file that is changed
		want             string
		expanded         bool
	}{
		{"at first", "", "", "part\n\ninner", true},
		{"again", "", "", "part\n\ninner", false},
		{"a part of a part", "_inner.md", "another\n", "part\n\nanother", true},
		{"a part that was not there", "_gone.md", "come\n", "part\n\nanother\n\ncome", true},
		{"a part that includes no other", "_part.md", "only\n", "only\n\ncome", true},
		{"one that is not included any more", "_inner.md", "unseen\n", "only\n\ncome", false},
		{"a part that is a draft", "_part.md", "---\ndraft: true\n---\n", "come", true},
		{"again", "", "", "come", false},
	} {
		if step.file != "" {
			write(step.file, step.text)
		}
		opened := &openings{FS: files, count: map[string]int{}}
		folder, err := Scan(t.Context(), opened, Options{BaseURL: "https://site.example", Cache: known})
		if err != nil {
			t.Fatal(err)
		}
		expanded := 0
		for name, n := range opened.count {
			switch {
			case strings.HasPrefix(name, "_") && n > articles/2:
				t.Errorf("%s: %s is opened %d times", step.what, name, n)
			case !strings.HasPrefix(name, "_") && path.Ext(name) == ".md":
				expanded++
			}
		}
		if want := map[bool]int{true: articles}[step.expanded]; expanded != want {
			t.Errorf("%s: %d articles are opened, want %d", step.what, expanded, want)
		}
		if _, a := rendered(t, folder, "7.md"); !strings.HasPrefix(a.ContentText, step.want) || strings.Contains(a.ContentText, "unseen") {
			t.Errorf("%s: %q, want %q", step.what, a.ContentText, step.want)
		}
	}
}

// A file that changes while the site is built is included as it was when the folder was scanned, or
// the build begins anew.
func TestIncludedFilesThatChange(t *testing.T) {
	for _, isKept := range []bool{true, false} {
		files := fstest.MapFS{
			"_part.md": {Data: []byte("before\n")},
			"a.md":     {Data: []byte("# A\n\n[!INCLUDE [a](_part.md)]\n")},
		}
		folder := scanAt(t, files, nil, storyTime("2026-01-01T00:00:00Z"))
		files["_part.md"] = &fstest.MapFile{Data: []byte("after\n")}
		if !isKept { // as if the parts of the site were too many to keep
			clear(folder.parts.known)
		}
		a, _, _, err := folder.Article(folder.Files[slices.IndexFunc(folder.Files, func(f File) bool { return f.Path == "a.md" })])
		if isChanged := errors.As(err, new(ChangedError)); isChanged == isKept || isKept && a.ContentText != "before" {
			t.Errorf("kept: %t: %q, %v", isKept, a.ContentText, err)
		}
	}
}

// An article that includes files is read twice by the scan. If it changes between the two, the
// build begins anew: what was decided about it no longer holds.
func TestArticleThatChangesBeforeItIncludes(t *testing.T) {
	files := fstest.MapFS{
		"site.yaml": {Data: []byte("language: en\n")}, // else the article is also read to detect it
		"_part.md":  {Data: []byte("part\n")},
		"a.md":      {Data: []byte("# A\n\n[!INCLUDE [a](_part.md)]\n")},
	}
	content := &interrupted{FS: files, name: "a.md", opens: 1, happen: func() {
		files["a.md"] = &fstest.MapFile{Data: []byte("---\ndraft: true\n---\n# Secret\n\n[!INCLUDE [a](_part.md)]\n")}
	}}
	folder, err := Scan(t.Context(), content, Options{BaseURL: "https://site.example"})
	if !errors.As(err, new(ChangedError)) {
		_, a := rendered(t, folder, "a.md")
		t.Errorf("%q is published, want an error: %v", a.Title, err)
	}
}

// Folders that hold what pages include may be hidden from readers, by the configuration or by a
// name that programs have given them.
func TestHiddenFolders(t *testing.T) {
	var r rules
	r.inclusions.folders = []string{".", "docs", "docs/.parts", "../.shared", ".git", ".Git"}
	for name, hides := range map[string]bool{
		"docs/a.md": false, "../docs/a.md": false, "..a/b": true, "docs/.snippets/a.md": false, ".gitbook/includes/a.md": false, ".vitepress/a.vue": false,
		"docs/.parts/a.md": false, "docs/.parts/.env": true, "../.shared/a/b.md": false, ".parts/a.md": true, "docs/.partsof/a.md": true,
		".git/config": true, ".Git/config": true, "docs/.hg/a": true, ".snippets/.env": true, ".env": true, "a/.ssh/id": true, ".SNIPPETS/a.md": true,
	} {
		if got := r.hides(name); got != hides {
			t.Errorf("%s is hidden: %t", name, got)
		}
	}
}

// lowerFS finds a file under its name in any case, as the disks of macOS and Windows do.
type lowerFS struct{ fstest.MapFS }

func (f lowerFS) Open(name string) (fs.File, error) { return f.MapFS.Open(strings.ToLower(name)) }

func (f lowerFS) Lstat(name string) (fs.FileInfo, error) {
	return f.MapFS.Lstat(strings.ToLower(name))
}

func (f lowerFS) Stat(name string) (fs.FileInfo, error) { return f.MapFS.Stat(strings.ToLower(name)) }

// A section page makes a draft of a file, which is not included under another name for it.
func TestNamesOfDrafts(t *testing.T) {
	files := fstest.MapFS{
		"hugo.toml":               {Data: []byte("title = 'A'\n")},
		"content/later/_index.md": {Data: []byte("---\ntitle: Later\ncascade: {draft: true}\n---\n")},
		"content/later/a.md":      {Data: []byte("---\ntitle: Later\n---\nCANARY\n")},
		"content/part.md":         {Data: []byte("---\ntitle: Part\n---\nPart.\n")},
	}
	for _, name := range []string{"later/a.md", "LATER/A.md", "Later/a.md", "../content/later/a.md", "../CONTENT/Later/a.md", `later\a.md`, "./part.md/../later/a.md", "later/../LATER//a.md"} {
		files["content/page.md"] = &fstest.MapFile{Data: []byte("---\ntitle: Page\n---\n{{< include \"" + name + "\" >}}\n\n{{< include \"part.md\" >}}\n")}
		content := fstest.MapFS{}
		for name, file := range files {
			if name, found := strings.CutPrefix(name, "content/"); found {
				content[name] = file
			}
		}
		folder, err := Scan(t.Context(), lowerFS{content}, Options{Around: lowerFS{files}, BaseURL: "https://site.example"})
		if err != nil {
			t.Fatal(err)
		}
		if _, a := rendered(t, folder, "page.md"); strings.Contains(a.ContentText, "CANARY") || !strings.Contains(a.ContentText, "Part.") {
			t.Errorf("%s: %q", name, a.ContentText)
		}
	}
}
