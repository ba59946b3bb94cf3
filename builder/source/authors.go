package source

import (
	"fmt"
	"html"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"

	"newsstand/builder/article"
	"newsstand/builder/source/dialect"
	"newsstand/builder/source/frontmatter"
)

// meaning is what a key, such as that of an author, stands for in the articles of a folder.
type meaning[T any] struct {
	folder string // ends with a slash, or is empty
	what   T
}

// lookUp returns what a key stands for in the article at a path: what the nearest file above the
// article that has the key says, else the first of the other files that has it, else otherwise.
func lookUp[T any](meanings []meaning[T], articlePath string, otherwise T) T {
	what, nearest := otherwise, -1
	for _, m := range meanings {
		depth := 0
		if strings.HasPrefix(articlePath, m.folder) {
			depth = 1 + len(m.folder)
		}
		if depth > nearest {
			what, nearest = m.what, depth
		}
	}
	return what
}

// keyFiles reads what keys of authors stand for, from authors.yml of a Docusaurus blog,
// .authors.yml of a Material for MkDocs blog, _data/authors.yml of Jekyll, _data/authors.json of
// Eleventy, and files about one author each; and the labels of tags, from tags.yml of Docusaurus. A
// file of keys that cannot be read is skipped, with a warning unless it is a symbolic link.
func (r *siteReader) keyFiles(paths []string) {
	u, generator := &r.site.rules, r.site.generator
	if generator == zola {
		return
	}
	u.authors, u.tags = map[string][]meaning[article.Author]{}, map[string][]meaning[string]{}
	for _, p := range paths {
		r.person(p)
		keys := keysIn(p, generator)
		if keys == "" {
			continue
		}
		data, ok := r.keyData(p)
		if !ok {
			continue
		}
		v, se := frontmatter.ParseTable(p, data)
		if se != nil {
			continue // the generator reports it
		}
		r.sum(p, data)
		if dir, _ := path.Split(p); keys == "tags" {
			u.addLabels(dir, v)
		} else {
			u.addAuthors(dir, v)
		}
	}
}

// keysIn returns "authors" or "tags" if the file at a path has keys of these, else "".
func keysIn(p string, g generator) string {
	dir, name := path.Split(p)
	ending := path.Ext(name)
	stem, isData := strings.TrimPrefix(withoutExt(name), "."), path.Base(dir) == "_data"
	switch {
	case ending != ".yml" && ending != ".yaml" && (ending != ".json" || stem == "tags"), g == jekyll && !isData:
	case stem == "authors" && g != hugo, stem == "tags" && g == plain && !isData:
		return stem
	}
	return ""
}

// addLabels adds the labels of tags from a file of the folder dir.
func (r *rules) addLabels(dir string, tags frontmatter.Value) {
	for _, f := range tags.Fields {
		if label := textOf(f.Value, "label"); label != "" {
			r.tags[f.Key] = append(r.tags[f.Key], meaning[string]{dir, label})
		}
	}
}

// addAuthors adds the authors from a file of the folder dir.
func (r *rules) addAuthors(dir string, authors frontmatter.Value) {
	if within, ok := authors.Get("authors"); ok {
		authors = within
	}
	for _, f := range authors.Fields {
		if a := appendAuthors(nil, f.Value); f.Value.Kind == frontmatter.Table && len(a) == 1 {
			r.authors[f.Key] = append(r.authors[f.Key], meaning[article.Author]{dir, a[0]})
		}
	}
}

// person reads what the key of an author stands for, if a file is about one.
func (r *siteReader) person(p string) {
	folder, key, ok := personIn(p)
	if !ok {
		return
	}
	data, err := readOptional(r.content, p)
	if err != nil {
		return // if it is an article, that is reported of it
	}
	doc, broken := frontmatter.Parse(data)
	meta := doc.Meta
	if !dialect.IsMarkdown(p) {
		meta, broken = frontmatter.ParseTable(p, data)
	}
	known := appendAuthors(nil, meta)
	isSection := strings.HasPrefix(path.Base(p), "_index.")
	if broken != nil || len(known) == 0 || flagOf(meta, "draft") || isFalse(inner(meta, "published")) || !isSection && textOf(meta, "name") == "" { // the title of authors/jd.md may be About me
		return
	}
	fmt.Fprintf(r.key, "%q %q", p, known)
	authors := r.site.rules.authors[key]
	if last := len(authors) - 1; last >= 0 && authors[last].folder == folder {
		if strings.Contains(withoutExt(path.Base(p)), ".") {
			return // a translation, as _index.zh.md beside _index.md
		}
		authors = authors[:last]
	}
	r.site.rules.authors[key] = append(authors, meaning[article.Author]{folder, known[0]})
}

// personIn returns the key of the author whom a file may be about, and the folder for whose
// articles it stands: authors/jd/_index.md is Hugo's, and authors/jd.json or _authors/jd.md are
// those of the guides of Astro and Jekyll.
func personIn(p string) (folder, key string, ok bool) {
	dir, name := path.Split(p)
	key = withoutExt(name)
	if stem, _, _ := strings.Cut(name, "."); stem == "_index" || stem == "index" {
		dir, key = path.Split(path.Clean(dir))
	}
	folder, kind := path.Split(path.Clean(dir))
	isOfPeople := slices.Contains([]string{"authors", "contributors", "people"}, strings.TrimPrefix(kind, "_"))
	isData := slices.Contains([]string{".json", ".toml", ".yaml", ".yml"}, path.Ext(name))
	return folder, key, isOfPeople && (isData || dialect.IsMarkdown(name))
}

// keyData returns the bytes of a file of keys, if it can be read.
func (r *siteReader) keyData(p string) (data []byte, ok bool) {
	data, err := readOptional(r.content, p)
	if err != nil && r.special[p]&fs.ModeSymlink == 0 {
		r.report(p, frontmatter.Value{}, Warning, err.Error(), "fix it; until then, what it says is not known")
	}
	return data, err == nil
}

// appendAuthors appends the authors that a value names: one name, a table with a name, or a list of
// these.
func appendAuthors(authors []article.Author, v frontmatter.Value) []article.Author {
	switch v.Kind {
	case frontmatter.Text, frontmatter.Number:
		authors = appendNames(authors, unlinked(v.Text))
	case frontmatter.List:
		for _, item := range v.Items {
			authors = appendAuthors(authors, item)
		}
	case frontmatter.Table:
		var a article.Author
		for _, key := range []string{"name", "display_name", "displayname", "key", "title"} {
			if n, ok := v.Get(key); ok && a.Name == "" {
				a.Name = collapse(html.UnescapeString(n.Text))
			}
		}
		for _, key := range []string{"url", "website", "link", "homepage", "uri"} {
			if u, ok := v.Get(key); ok && a.URL == "" && isWebAddress(u.Text) {
				a.URL = escapeAddress(u.Text)
			}
		}
		if a.Name != "" {
			authors = append(authors, a)
		}
	}
	return authors
}

// appendNames appends the authors that a text names. The text may be Markdown that names several,
// as in many Hugo blogs, or HTML.
func appendNames(authors []article.Author, s string) []article.Author {
	s = html.UnescapeString(strings.ReplaceAll(s, "**", ""))
	if strings.Contains(s, "</") {
		s = regexp.MustCompile(`(?is)<a\s[^<>]*href=["']\s*([^\s"'<>()]*)\s*["'][^<>]*>(.*?)</a>`).ReplaceAllString(s, "[$2]($1)")
		s = regexp.MustCompile(`(?i)</?[a-z]+(?:\s[^<>]*)?>`).ReplaceAllString(s, "")
	}
	if !strings.Contains(s, "](") {
		return appendNamed(authors, s, "")
	}
	link := regexp.MustCompile(`\[([^\[\]]+)\]\(([^()\s]*)\)`)
	for _, name := range splitNames(s, link) {
		address := ""
		if all := link.FindAllStringSubmatchIndex(name, -1); len(all) == 1 && all[0][0] == 0 {
			address = name[all[0][4]:all[0][5]]
		}
		authors = appendNamed(authors, link.ReplaceAllString(name, "$1"), address)
	}
	return authors
}

// splitNames splits a text between the names of authors: a link at its beginning, or after a comma
// or an "and", begins another author, as in
//
//	[Jane Doe](https://jane.example) (Example Ltd), [Max](https://max.example)
func splitNames(s string, link *regexp.Regexp) (names []string) {
	begin := 0
	for _, at := range link.FindAllStringIndex(s, -1) {
		before := strings.TrimSpace(s[begin:at[0]])
		name := strings.TrimRight(strings.TrimSuffix(before, " and"), " ,;&")
		if name != before && strings.Count(name, "(") <= strings.Count(name, ")") { // not "Jane ([a](…), [b](…))"
			names = append(names, name)
			begin = at[0]
		}
	}
	return append(names, s[begin:])
}

// appendNamed appends the author with a name and an address, unless the name is empty.
func appendNamed(authors []article.Author, name, address string) []article.Author {
	a := article.Author{Name: withoutMail(strings.TrimRight(name, " ,;&"))}
	if a.Name == "" {
		return authors
	}
	if isWebAddress(address) {
		a.URL = escapeAddress(address)
	}
	return append(authors, a)
}

// withoutMail returns the name in Ann <ann@example.org>, as books of mdBook have it, or in
// ann@example.org (Ann), as feeds have it. It returns other texts unchanged.
func withoutMail(s string) string {
	isMail := func(s string) bool { return strings.Contains(s, "@") && !strings.ContainsAny(s, " <>()") }
	if name, mail, found := strings.Cut(strings.TrimSuffix(s, ">"), " <"); found && strings.HasSuffix(s, ">") && isMail(mail) {
		return strings.TrimSpace(name)
	}
	if mail, name, found := strings.Cut(strings.TrimSuffix(s, ")"), " ("); found && strings.HasSuffix(s, ")") && isMail(mail) {
		return strings.TrimSpace(name)
	}
	return s
}
