package source

import (
	"testing"
	"testing/fstest"
	"time"
)

// The language of a site of MkDocs or Pelican was taken from its articles, if they tell.
func TestLanguageOfProjects(t *testing.T) {
	for _, test := range []struct{ name, file, text, want string }{
		{"Material", "mkdocs.yml", "theme:\n  name: material\n  language: pt-BR\n", "pt-BR"},
		{"MkDocs", "mkdocs.yml", "theme:\n  name: readthedocs\n  locale: pt_BR\n", "pt-BR"},
		{"a theme by its name", "mkdocs.yml", "theme: material\n", "en"},
		{"Pelican", "pelicanconf.py", "SITENAME = 'A'\n# DEFAULT_LANG = 'fr'\nDEFAULT_LANG = 'fr'\nDEFAULT_LANG = \"de\"\n", "de"},
		{"Pelican that says nothing", "pelicanconf.py", "SITENAME = 'A'\n", "en"},
	} {
		t.Run(test.name, func(t *testing.T) {
			content := fstest.MapFS{"a.md": {Data: []byte("# A\n")}}
			around := fstest.MapFS{test.file: {Data: []byte(test.text)}}
			f, err := Scan(t.Context(), content, Options{Now: time.Now(), Around: around})
			if err != nil {
				t.Fatal(err)
			}
			if f.Site.Language != test.want || (f.Site.From["language"] == test.file) != (test.want != "en") {
				t.Errorf("it is %q, of %v; want %q", f.Site.Language, f.Site.From, test.want)
			}
			content["site.yaml"] = &fstest.MapFile{Data: []byte("language: ja\n")}
			if f, err = Scan(t.Context(), content, Options{Now: time.Now(), Around: around}); err != nil || f.Site.Language != "ja" {
				t.Errorf("what the settings say is %q, %v", f.Site.Language, err)
			}
		})
	}
}
