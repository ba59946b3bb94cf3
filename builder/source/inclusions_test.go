package source

import (
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"
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
