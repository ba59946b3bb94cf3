package source

import (
	"crypto/sha256"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"newsstand/builder/article"
)

// rendered returns the file whose path ends with name, and its article.
func rendered(t *testing.T, folder *Folder, name string) (File, article.Article) {
	t.Helper()
	file := folder.Files[slices.IndexFunc(folder.Files, func(f File) bool { return strings.HasSuffix(f.Path, name) })]
	a, _, _, err := folder.Article(file)
	if err != nil {
		t.Fatal(err)
	}
	return file, a
}

// Where a link leads may depend on which other files exist. The article then gets another key, so
// that a cached one is not used.
func TestKeysKnowOtherFiles(t *testing.T) {
	for name, test := range map[string]struct {
		site fstest.MapFS
		more string // a file
		want [2]string
	}{
		"a section of Hugo": {fstest.MapFS{
			"hugo.toml":           {Data: []byte("[permalinks]\nb = '/:sections/:filename/'")},
			"content/a.md":        {Data: []byte("[c](b/s/c.md)")},
			"content/b/s/c.md":    {Data: []byte("# C")},
			"content/b/_index.md": {},
		}, "content/b/s/_index.md", [2]string{"https://site.example/b/c/", "https://site.example/b/s/c/"}},
		"a README of Jekyll": {fstest.MapFS{
			"_config.yml": {Data: []byte("title: A")},
			"a.md":        {Data: []byte("[c](b/README.md)")},
			"b/README.md": {Data: []byte("# C")},
		}, "b/index.md", [2]string{"https://site.example/b/", "https://site.example/b/README.html"}},
		"an app of Next.js": {fstest.MapFS{
			"app/a.md":        {Data: []byte("[c](c/page.md)")},
			"app/c/page.md":   {Data: []byte("# C")},
			"app/layout.json": {},
		}, "app/layout.tsx", [2]string{"https://site.example/api/article?id=app-c-page", "https://site.example/api/article?id=app-c"}},
		"a folder of a language of Hugo": {fstest.MapFS{
			"site.yaml":  {Data: []byte("generator: hugo\nurl_template: https://site.example/{path}/")},
			"en/a.md":    {Data: []byte("[c](/c.md)")},
			"de/b.md":    {Data: []byte("# B")},
			"notes/b.md": {Data: []byte("# B")},
		}, "fr/d.md", [2]string{"https://site.example/c/", "https://site.example/en/c/"}},
		"the folder of Docusaurus": {fstest.MapFS{
			"website/docusaurus.config.js": {Data: []byte("export default {presets: [['classic', {docs: {path: '../docs'}}]]}")},
			"docs/a.md":                    {Data: []byte("[c](@site/c.md)")},
		}, "docusaurus.config.js", [2]string{"https://site.example/api/article?id=website-c", "https://site.example/api/article?id=c"}},
	} {
		var keys [2][sha256.Size]byte
		var links [2]string
		for i := range keys {
			folder, err := Scan(t.Context(), test.site, Options{BaseURL: "https://site.example"})
			if err != nil {
				t.Fatal(err)
			}
			file, a := rendered(t, folder, "a.md")
			_, link, _ := strings.Cut(a.ContentHTML, `"`)
			links[i], _, _ = strings.Cut(link, `"`)
			keys[i] = file.Key
			test.site[test.more] = &fstest.MapFile{Data: []byte("---\ntitle: More\n---\n")}
		}
		if links != test.want || keys[0] == keys[1] {
			t.Errorf("%s: links to %s, want %s; the same key: %t", name, links, test.want, keys[0] == keys[1])
		}
	}
}

// Hugo's param does not show the site's value if a section page hands down another one. The article
// then gets another key, so that a cached one, which shows the site's value, is not used.
func TestKeysKnowWhatSectionsHandDown(t *testing.T) {
	var keys [2][sha256.Size]byte
	var texts [2]string
	for i, said := range []string{"title: B", "cascade: {params: {place: here}}"} {
		folder := scanAt(t, fstest.MapFS{
			"hugo.toml":           {Data: []byte("[params]\nplace = 'there'")},
			"content/b/_index.md": {Data: []byte("---\n" + said + "\n---\n")},
			"content/b/a.md":      {Data: []byte("---\ntitle: A\n---\nIt is {{< param place >}}.\n")},
		}, nil, storyTime("2026-08-23T00:00:00Z"))
		file, a := rendered(t, folder, "a.md")
		keys[i], texts[i] = file.Key, a.ContentText
	}
	if texts[0] == texts[1] || keys[0] == keys[1] {
		t.Errorf("the texts %q; the same key: %t", texts, keys[0] == keys[1])
	}
}

// A cached article is found by its key, so each rule must be part of the key, or be unable to
// change an article without changing its key. A new rule is hashed in rules.hash, or listed here
// with the reason why it need not be.
func TestKeysKnowEachRule(t *testing.T) {
	unhashed := map[string]string{} // why a rule need not be hashed, by its name
	for why, names := range map[string]string{
		"only decides which files are articles, or when these appear": `hugo.ignore zola.ignoredContent ignored jekyll.excluded jekyll.included disabled above hugo.noHTML hugo.noPages hugo.pageless
			jekyll.bare html noParts drafts draftDocs future explicit routes pelican.undated pelican.untitled hexo.encrypted unlists sets
			nikola retype quarto folderFiles`,
		"only decides the dates of the file itself, which its key has": "date publish lastmod expiry hugo.dateKeys hugo.zones",
		"comes from a configuration, whose text is hashed": `jekyll.collections jekyll.values cascade jekyll.excerptEnd jekyll.permalinks hugo.patterns hugo.machineDates hugo.linksPages hugo.params hugo.outputs hugo.ugly hugo.uglySections
			zola.keepDates zola.slugify hugo.keepCase hugo.noAccents hugo.hosts hugo.manyHosts hugo.built languages defaultInSubdir jekyll.bridgetown mkdocs pelican pelican.marked dendron logseq.journals logseq.dayTitles book chapters docusaurus.translations`,
		"its reader hashes it, or that its configuration is there":                            "metaFiles authors tags",
		"its reader hashes the values that a file gives, and configurations as they are":      "defaults ofFile eleventy",
		"follows from the generator, which the dialect has, and the configuration":            "vocabulary",
		"has no effect but on readmes or folders, which are hashed":                           "jekyll.readmeIndex jekyll.readmeWithMatter jekyll.i18n",
		"is the same for all sites":                                                           "inEnglish",
		"sumSettings hashes it":                                                               "hugo.handedDown",
		"sumSettings hashes it where patterns of addresses have it":                           "hugo.sections",
		"sumSettings hashes the paths that it is made of":                                     "hugo.pages",
		"changes addresses only where a configuration names languages, which is hashed":       "defaultLanguage",
		"tells the language of the file itself, which its key has, and no address of another": "inNames presetLanguage",
	} {
		for _, name := range strings.Fields(names) {
			unhashed[name] = why
		}
	}
	sum := func(r *rules) string {
		key := sha256.New()
		r.hash(key)
		return string(key.Sum(nil))
	}
	var r rules
	var each func(of reflect.Value, within string)
	each = func(of reflect.Value, within string) {
		before := sum(&r)
		for i := range of.NumField() {
			name, field := within+of.Type().Field(i).Name, of.Field(i)
			if field.Kind() == reflect.Struct {
				each(field, name+".")
				continue
			}
			field = reflect.NewAt(field.Type(), field.Addr().UnsafePointer()).Elem() // so that unexported fields can be set
			zero := reflect.Zero(field.Type())
			field.Set(notZero(field.Type()))
			_, known := unhashed[name]
			if hashed := sum(&r) != before; hashed == known {
				t.Errorf("the rule %s: hashed %t, but listed as needing no hash: %t", name, hashed, known)
			}
			if field.Kind() == reflect.Pointer && field.Type().Elem().PkgPath() == of.Type().PkgPath() { // the rules of one generator
				each(field.Elem(), name+".")
			}
			field.Set(zero)
			delete(unhashed, name)
		}
	}
	each(reflect.ValueOf(&r).Elem(), "")
	if len(unhashed) > 0 {
		t.Errorf("these listed rules do not exist: %v", unhashed)
	}
}

// notZero returns a value of a type other than its zero value.
func notZero(of reflect.Type) reflect.Value {
	v := reflect.New(of).Elem()
	switch of.Kind() {
	case reflect.Bool:
		v.SetBool(true)
	case reflect.String:
		v.SetString("x")
	case reflect.Uint8, reflect.Uint16:
		v.SetUint(1)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(of, 1, 1))
	case reflect.Map:
		v.Set(reflect.MakeMap(of))
		v.SetMapIndex(reflect.Zero(of.Key()), reflect.Zero(of.Elem()))
	case reflect.Pointer:
		v.Set(reflect.New(of.Elem()))
	case reflect.Func:
		v.Set(reflect.MakeFunc(of, func([]reflect.Value) []reflect.Value { return nil }))
	}
	return v
}

// The title that Jekyll makes from the name of a document depends on whether the content folder is
// the whole source of the site.
func TestKeysKnowThePartOfASite(t *testing.T) {
	around := fstest.MapFS{"_config.yml": {Data: []byte("source: src\ncollections: {notes: {output: true}}")}}
	site := fstest.MapFS{"_notes/two-words.md": {Data: []byte("---\n---\nText.")}}
	var keys [2][sha256.Size]byte
	for i, want := range []string{"Two words", "Two Words"} {
		folder, err := Scan(t.Context(), site, Options{Around: around})
		if err != nil {
			t.Fatal(err)
		}
		file, a := rendered(t, folder, "two-words.md")
		if a.Title != want {
			t.Errorf("%q, want %q: %v", a.Title, want, file)
		}
		keys[i] = file.Key
		site["_posts/2026-01-01-a.md"] = &fstest.MapFile{Data: []byte("---\n---\n")}
	}
	if keys[0] == keys[1] {
		t.Error("two titles have the same key")
	}
}

// The site's settings change the links even of an article with an address of its own. The search
// settings change no article.
func TestKeysKnowTheSettings(t *testing.T) {
	key := func(settings string) [sha256.Size]byte {
		folder := scanAt(t, fstest.MapFS{"site.yaml": {Data: []byte(settings)}, "a.md": {Data: []byte("---\nurl: https://x.example/a/\n---\n# A\n[b](2026-01-01-b.md)\n")}}, nil, storyTime("2026-08-23T00:00:00Z"))
		return folder.Files[0].Key
	}
	for settings, changes := range map[string]bool{"url_template: /b/{id}/": true, "dates_in_ids: true": true, "search: {synonyms: [[a, b]]}": false} {
		if changed := key(settings) != key(""); changed != changes {
			t.Errorf("%s: another key: %t, want %t", settings, changed, changes)
		}
	}
}

func TestKeysKnowTemplatesOfShortcodes(t *testing.T) {
	for _, site := range []struct{ name, settings, template, text, shows, hides string }{
		{"hugo.toml", "title = 'A'", "layouts/shortcodes/x.html", "# A\n{{< x \"text\" >}}", "{{ .Get 0 }}", "<a title='{{ .Get 0 }}'></a>"},
		{"zola.toml", "base_url = 'https://site.example'\ntheme = 't'", "themes/t/templates/shortcodes/x.md", "+++\n+++\n# A\n{{ x(a='text') }}", "{{ a }}", "<a title='{{ a }}'></a>"},
	} {
		key := func(template string) [sha256.Size]byte {
			folder := scanAt(t, fstest.MapFS{
				site.name:      {Data: []byte(site.settings)},
				site.template:  {Data: []byte(template)},
				"content/a.md": {Data: []byte(site.text)},
			}, nil, storyTime("2026-08-23T00:00:00Z"))
			return folder.Files[0].Key
		}
		if key(site.shows) == key(site.hides) {
			t.Errorf("%s: the same key, though the template shows another text", site.template)
		}
	}
}

// If each language has its own address, an address given for the site makes the addresses of pages
// uncertain.
func TestKeysKnowAGivenAddress(t *testing.T) {
	site := fstest.MapFS{
		"hugo.toml":    {Data: []byte("[languages.en]\nbaseURL = 'https://site.example/'\n[languages.fr]\nbaseURL = 'https://fr.example/'\n")},
		"content/a.md": {Data: []byte("---\ntitle: A\nurl: https://site.example/x/\n---\n[b](/b.md)")},
	}
	contents := map[[sha256.Size]byte]string{} // by key
	for _, base := range []string{"", "https://site.example"} {
		folder, err := Scan(t.Context(), site, Options{BaseURL: base})
		if err != nil {
			t.Fatal(err)
		}
		file, a := rendered(t, folder, "a.md")
		contents[file.Key] = a.ContentHTML
	}
	if len(contents) != 2 {
		t.Errorf("two articles have the same key: %v", contents)
	}
}
