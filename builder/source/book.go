package source

import (
	"cmp"
	"io/fs"
	"net/url"
	"path"
	"strings"

	"newsstand/builder/source/include"
	"newsstand/builder/source/markdown"
)

// mdbook reads the configuration of mdBook, if there is one, and the summary, which names the
// chapters of the book.
func (r *siteReader) mdbook() (found bool) {
	const name = "book.toml"
	v, found := r.table(r.root, name)
	book := inner(v, "book")
	if !found || !r.chapters(cmp.Or(textOf(book, "src"), "src"), "SUMMARY.md") { // without book.toml, SUMMARY.md may belong to another program
		return false
	}
	r.common(textOf(book, "title"), textOf(book, "description"), "", textOf(book, "language"))
	r.authors(book, "authors")
	r.includes(include.Book)
	r.site.rules.pageEndings = []string{".html"}
	preprocessors := inner(v, "preprocessor")
	r.site.rules.flavour.Emojis = preprocessors.Has("emojicodes") || preprocessors.Has("gh-emoji") // mdbook-emojicodes and mdbook-gh-emoji
	r.site.note(name)
	return true
}

// gitbook reads the configuration of GitBook or HonKit, if there is one, and the summary, which
// names the pages of the book.
func (r *siteReader) gitbook() (found bool) {
	for _, name := range []string{"book.json", ".gitbook.yaml"} {
		v, found := r.table(r.root, name)
		// A book need not have a configuration: a folder .gitbook with its pictures, or several
		// languages, also identify it.
		if !found && !(name == ".gitbook.yaml" && (isDir(r.root, ".gitbook") || isFile(r.root, "LANGS.md"))) {
			continue
		}
		root, summary := textOf(v, "root"), cmp.Or(textOf(v, "structure", "summary"), "SUMMARY.md")
		front := path.Clean(cmp.Or(textOf(v, "structure", "readme"), "README.md"))
		if !r.languageBooks(root, summary, front) {
			if !r.chapters(root, summary) {
				return false
			}
			r.site.rules.addChapter(front, "") // the first page, which the summary need not name
		}
		u := &r.site.rules
		r.includes(include.Quoted)
		u.unlists = true // hidden: true, as GitBook writes it for pages that it neither lists nor finds
		u.flavour.Lenient, u.flavour.Spaced, u.dialect.RawInCode = true, true, true
		u.flavour.Math = []markdown.Formula{{Open: "$$", Close: "$$"}}
		r.common(textOf(v, "title"), textOf(v, "description"), "", textOf(v, "language"))
		r.authors(v, "author")
		r.site.note(name)
		return true
	}
	return false
}

// languageBooks reads the LANGS.md of a GitBook book in several languages, whose files lie in the
// folder dir. LANGS.md links to the folders of the languages, each of which has a summary and a
// first page of its own. found is false if there is no such book.
func (r *siteReader) languageBooks(dir, summary, front string) (found bool) {
	dir, at := r.bookFolders(dir)
	languages, _ := r.links(path.Join(at, "LANGS.md"))
	u := &r.site.rules
	var folders []articleFolder
	for _, language := range languages {
		folder := strings.Trim(language.Address, "/")
		if path.Ext(folder) != "" { // the first page
			folder = path.Dir(folder)
		}
		chapters, found := r.links(path.Join(at, folder, summary))
		if !found {
			continue
		}
		u.addChapter(path.Join(folder, front), "")
		for _, chapter := range chapters {
			u.addChapter(path.Join(folder, chapter.Address), chapter.Text)
		}
		own := articleFolder{dir: strings.TrimPrefix(path.Join(at, folder), ".")} // "" is the whole content folder
		if tag, ok := languageOf(path.Base(folder)); ok {
			own.language = strings.ToLower(tag)
			u.addLanguage(tag, tag)
		}
		folders = append(folders, own)
	}
	if len(folders) == 0 {
		return false
	}
	r.setBase(dir)
	u.folders, u.book = folders, true
	return true
}

// bookFolders returns the folder dir of a book as a clean path, and its path in the content folder,
// which is "" if the book's configuration lies around the content folder.
func (r *siteReader) bookFolders(dir string) (clean, at string) {
	clean = path.Clean(strings.TrimLeft(dir, "/"))
	if r.inside {
		at = clean
	}
	return clean, at
}

// chapters reads the summary of a book whose files lie in the folder dir: its chapters are the
// files to which the summary links. found is false if there is no summary.
func (r *siteReader) chapters(dir, summary string) (found bool) {
	dir, at := r.bookFolders(dir)
	links, found := r.links(path.Join(at, summary))
	if !found {
		return false
	}
	r.setBase(dir)
	r.site.rules.book = true
	for _, link := range links {
		r.site.rules.addChapter(link.Address, link.Text)
	}
	return true
}

// addChapter adds a chapter of a book, and its title in the summary; an empty title replaces none.
func (r *rules) addChapter(p, title string) {
	if r.chapters == nil {
		r.chapters = map[string]string{}
	}
	if title != "" || r.chapters[p] == "" {
		r.chapters[p] = title
	}
}

// links returns the links of a file that belongs to a book, as clean paths from the book's folder;
// a link that begins with a slash counts from there, too. found is false if there is no such file.
func (r *siteReader) links(name string) (links []markdown.Link, found bool) {
	if !fs.ValidPath(name) {
		return nil, false
	}
	text := r.file(r.content, name)
	if text == nil {
		return nil, false
	}
	for _, link := range markdown.Links(text) {
		address, _, _ := strings.Cut(link.Address, "#")
		if plain, err := url.PathUnescape(address); err == nil {
			links = append(links, markdown.Link{Address: strings.TrimPrefix(path.Clean(plain), "/"), Text: link.Text})
		}
	}
	return links, true
}
