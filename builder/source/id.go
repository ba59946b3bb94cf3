package source

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gosimple/unidecode"
	"golang.org/x/text/unicode/norm"

	"newsstand/builder/article"
	"newsstand/builder/source/frontmatter"
	"newsstand/builder/source/markdown"
)

// cleanID turns a name into the form of an id: in lower case, with letters transliterated, and each
// run of other characters turned into one separator. A single dot or underscore between letters or
// digits stays, so that 1.0-timeline keeps its version.
func cleanID(name string) string {
	name = norm.NFC.String(name) // a file system may have decomposed letters such as が, which would become ka rather than ga
	b := make([]byte, 0, len(name))
	var sep byte // the separator between the last letter and the next; 0 for none
	for i, n := 0, 0; i < len(name); i += n {
		r := rune(name[i])
		if n = 1; r >= utf8.RuneSelf {
			r, n = utf8.DecodeRuneInString(name[i:])
		}
		for _, c := range []byte(inASCII(r, name[i:i+n])) {
			switch {
			case 'A' <= c && c <= 'Z':
				c += 'a' - 'A'
				fallthrough
			case 'a' <= c && c <= 'z', '0' <= c && c <= '9':
				if sep != 0 && len(b) > 0 {
					b = append(b, sep)
				}
				b, sep = append(b, c), 0
			case (c == '.' || c == '_') && sep == 0:
				sep = c
			case c == '\'': // don't → dont
			default:
				sep = '-'
			}
		}
	}
	return string(b)
}

// inASCII returns the ASCII characters that stand for a character in an id, or "" if it adds
// nothing to those around it.
func inASCII(r rune, char string) string {
	if r < utf8.RuneSelf {
		return char
	}
	latin, isLetter := unidecode.Unidecode(char), unicode.IsLetter(r) || unicode.IsNumber(r)
	switch {
	case r == '一': // the table lacks this one, so that chapters ten and eleven would have one id
		return "Yi "
	case strings.ContainsRune("Əə", r): // as Azerbaijani is written without it
		return "e"
	case strings.ContainsRune("آأإاٱعىע", r), isLetter && latin == "@": // the table has signs for these, and this one for Tatar ә, and for the ة at the end of Arabic words
		return "a"
	case strings.ContainsRune("อອ", r): // as a vowel: without it, ลอง would have the id of ลง
		return "o"
	case strings.ContainsFunc(latin, func(r rune) bool { return markdown.IsLetterOrDigit(byte(r)) }):
		return latin
	case isLetter && (latin == "" || strings.HasPrefix(latin, "[?]")): // it has no transliteration: its code point takes its place
		return "u" + strconv.FormatInt(int64(r), 16)
	case isLetter, unicode.IsMark(r), r == '\u200d', r == '\u200c': // ь and ๆ are part of a word, too, although no Latin letter stands for them
		return ""
	}
	return cmp.Or(latin, "-")
}

// nameOfPath holds the parts of a file's path.
type nameOfPath struct {
	folders  []string // without _posts and _drafts, and without the folder of a bundle
	base     string   // the file's or bundle's name without extension, date and language
	stem     string   // base with the date
	language string   // the language in the file's name, "" if there is none
	date     day      // in the name
	bundle   bool     // whether the file is the page of its folder, as index.md is
	section  bool     // whether the file is an _index.md
	posts    bool     // whether it lies under _posts
	drafts   bool     // whether it lies under _drafts
}

// split splits a path into its parts. The rules say which parts of a name are languages: name.fr.md
// is French only on a site that has French.
func (r *rules) split(p string) nameOfPath {
	var n nameOfPath
	segments := strings.Split(p, "/")
	file := r.withoutERB(segments[len(segments)-1])
	for _, s := range segments[:len(segments)-1] {
		switch s {
		case "_posts":
			n.posts = true
		case "_drafts":
			n.drafts = true
		default:
			n.folders = append(n.folders, s)
		}
	}
	if i := strings.LastIndexByte(file, '.'); i > 0 {
		file = file[:i]
	}
	switch {
	case r.svelte:
		file = strings.TrimSuffix(file, ".svelte")
	case r.middleman:
		file = strings.TrimSuffix(file, ".html")
	}
	file, n.language = r.cutLanguage(file)
	switch {
	case strings.EqualFold(file, "_index"):
		n.section = true
	case strings.EqualFold(file, "index"), file == "page" && r.inApp(p), file == "+page": // the last of SvelteKit
		n.bundle = true
		if len(n.folders) > 0 {
			file = n.folders[len(n.folders)-1]
			n.folders = n.folders[:len(n.folders)-1]
		}
	}
	n.base, n.stem = file, file
	r.cutDate(&n)
	return n
}

// cutDate finds the date in a name, and cuts it off its base.
func (r *rules) cutDate(n *nameOfPath) {
	if r.dialect.Logseq && strings.Join(n.folders, "/") == r.logseq.journals { // 2026_03_01
		if d, _, ok := dateInName(strings.ReplaceAll(n.stem, "_", "-"), false); ok && d.exists() {
			n.date = d
		}
	}
	ruby := n.posts && r.dialect.Generator == jekyll
	if d, rest, ok := dateInName(n.stem, ruby); ok && (n.posts || d.exists()) { // Hexo, too, takes the 30th of February for a day of March
		n.date, n.base = d, cmp.Or(rest, n.base)
	} else if rest, ok := cutFigures(n.stem); ok && ruby {
		n.base = cmp.Or(rest, n.base)
	}
}

// id returns the id of a file by its path: its folders and its name, or the slug instead of the
// name, joined by hyphens.
func (n nameOfPath) id(slug string, keepDate bool) string {
	segments := make([]string, 0, len(n.folders)+1)
	for _, f := range n.folders {
		segments = append(segments, cleanID(f))
	}
	last := n.base
	if keepDate && !n.date.isZero() {
		last = fmt.Sprintf("%04d-%02d-%02d-%s", n.date.year, n.date.month, n.date.day, last)
	}
	if slug != "" {
		last = slug
	}
	last = cleanID(last)
	if n.language != "" {
		last = strings.TrimPrefix(last+"."+cleanID(n.language), ".")
	}
	segments = slices.DeleteFunc(append(segments, last), func(s string) bool { return s == "" })
	return shortID(strings.Join(segments, "-"))
}

// shortID shortens an id that is longer than article.MaxIDBytes. A digest of the whole id replaces
// its end, which keeps it unique. Names in Chinese may need this, as their transliteration is about
// three times as long.
func shortID(id string) string {
	if len(id) <= article.MaxIDBytes {
		return id
	}
	digest := fmt.Sprintf("-%.8x", sha256.Sum256([]byte(id)))
	return strings.TrimRight(id[:article.MaxIDBytes-len(digest)], "-._") + digest
}

// badID reports an id that is not valid, and returns how severe that is.
func (r *metaReader) badID(id frontmatter.Value) Severity {
	hint := "write lower-case letters and digits, joined by single hyphens, dots or underscores"
	if len(id.Text) > article.MaxIDBytes {
		hint = fmt.Sprintf("shorten it to %d bytes", article.MaxIDBytes)
	}
	if clean := cleanID(id.Text); article.ValidID(clean) {
		hint += fmt.Sprintf(", as in %q", clean)
	}
	severity := Error
	if u := &r.site.rules; u.configured || u.vault || !r.site.hasSettings { // this id is meant for another program
		severity = Warning
		hint += "; until then the path of the file makes one"
	}
	r.report(id, severity, fmt.Sprintf("the id %s is not valid", show(id)), hint)
	return severity
}

// identify sets the id of a file: the id in its front matter, or one made from its path and slug.
func (s *scanner) identify(file *candidate, r *metaReader) {
	u := &s.Site.rules
	name, id, slug := file.name, file.meta.id, file.meta.slug
	if u.docusaurus.configured && id.Text != "" { // there it replaces only the file's name, not its whole path
		slug, id = id, frontmatter.Value{}
		switch {
		case !name.bundle:
		case strings.EqualFold(slug.Text, "index"):
			slug = frontmatter.Value{}
		default: // the folder keeps its name
			name.folders = append(slices.Clone(name.folders), name.stem)
		}
	}
	if u.dendron { // Dendron's ids have capital letters
		id.Text = cleanID(id.Text)
	}
	switch {
	case article.ValidID(id.Text):
		file.ID, file.idLine, file.idColumn = id.Text, id.Line, id.Column
		return
	case id.Text != "":
		if r.badID(id) == Error {
			return
		}
	}
	text := strings.Trim(slug.Text, "/- ")
	if text != "" {
		file.idLine, file.idColumn = slug.Line, slug.Column
		if cleanID(text) == "" {
			r.report(slug, Error, fmt.Sprintf("the slug %s has no letter or digit", show(slug)), "write one that has, or leave slug out")
			return
		}
	}
	if file.meta.hasMeta && u.jekyll.readmes[file.Path] { // Jekyll makes a page of it even beside an index.md
		name = u.ownName(file.Path)
	}
	if at := strings.LastIndexByte(name.base, '.'); text != "" && s.Site.generator == plain && name.language == "" && at >= 0 {
		if _, ok := languageOf(name.base[at+1:]); ok { // a.md, a.fr.md and a.ja.md have one slug
			name.language = name.base[at+1:]
		}
	}
	file.ID = name.id(text, s.Site.DatesInIDs)
	if file.ID == "" {
		r.report(frontmatter.Value{}, Error, "the file's name has no letter or digit", "rename it, or add id: to its front matter")
	}
}
