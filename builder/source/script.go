package source

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"newsstand/builder/source/frontmatter"
	"path"
	"regexp"
	"slices"
	"strings"
)

// script is a configuration that is a program of JavaScript.
type script struct {
	path   string // from the content folder
	source string // without its comments
}

// script returns the first file that has one of these names and an ending of JavaScript; ok is
// false where there is none. inside says that fsys is the content folder, not the one around it.
func (r *configReader) script(fsys fs.FS, inside bool, names ...string) (s script, ok bool) {
	for _, name := range names {
		for _, ending := range []string{".js", ".mjs", ".cjs", ".ts", ".mts", ".cts"} {
			if data, err := readOptional(fsys, name+ending); err == nil && data != nil {
				s = script{name + ending, withoutComments(data)}
				if !inside {
					s.path = path.Join("..", s.path)
				}
				return s, true
			}
		}
	}
	return s, false
}

// unread warns of a key whose value is not written out: only the program knows it.
func (r *configReader) unread(s script, key string) {
	r.report(s.path, frontmatter.Value{}, Warning, key+" is not written out, and is not known here",
		"write "+key+" as a list of texts in quotes at its place, or keep what it leaves out in another folder")
}

// A settings is an object in the source of a configuration: what stands between its braces,
// and the line before them.
type settings struct{ inner, before string }

// mostSettings is how many objects with one key are looked at: more than anyone writes, and as many as
// take no time in the largest configuration that is read.
const mostSettings = 200

// settingsWith finds the objects that have a key, by the braces around it.
func settingsWith(source, key string) (found []settings) {
	for _, at := range regexp.MustCompile(`[{,\s]["']?`+key+`["']?\s*:`).FindAllStringIndex(source, mostSettings) {
		depth, begin := 1, at[0]+1
		for ; begin > 0 && depth > 0; begin-- {
			switch source[begin-1] {
			case '}':
				depth++
			case '{':
				depth--
			}
		}
		if end := closing(source[begin:]); end > 0 {
			before := strings.TrimSpace(source[:begin])
			found = append(found, settings{source[begin : begin+end], before[strings.LastIndexByte(before, '\n')+1:]})
		}
	}
	return found
}

// texts are the texts that stand in quotes behind a key: one, or those of a list. ok is false
// where the key has another value, or none.
func (s settings) texts(key string) (texts []string, ok bool) {
	m := regexp.MustCompile(`[{,\s]["']?` + key + `["']?\s*:\s*(\[(?:[^\[\]"'` + "`" + `]|` + quotedText + `)*\]|` + quotedText + `)`).FindStringSubmatch(s.inner)
	if m == nil {
		return nil, false
	}
	return quotedTexts(m[1]), true
}

// quotedText is a text in quotes, of which nothing is computed.
const quotedText = `(?:"[^"\n]*"|'[^'\n]*'|` + "`[^`$\\n]*`)"

// quotedTexts are the texts in quotes.
func quotedTexts(source string) (texts []string) {
	for _, text := range regexp.MustCompile(quotedText).FindAllString(source, -1) {
		texts = append(texts, text[1:len(text)-1])
	}
	return texts
}

// docusaurus reads what is written out in the configuration of Docusaurus, which lies in the folder at.
// Its Markdown is MDX, whatever the ending, unless it says otherwise.
func (r *configReader) docusaurus(config script, fsys, content fs.FS, at string, inside bool) error {
	u := &r.site.rules
	source := config.source
	u.idIsName = true
	u.mdx = !regexp.MustCompile(`\bformat:\s*["'](?:detect|md)["']`).MatchString(source)
	fmt.Fprintf(r.key, "docusaurus %t", u.mdx)
	var lines strings.Builder
	ignore := func(format string, a ...any) { fmt.Fprintf(&lines, format+"\n", a...) }
	root := ""
	if inside {
		root = "/" + at
		u.setFolders(content, docusaurusFolders(source, content, at))
		locales := []string{"*"}
		for _, i18n := range settingsWith(source, "locales") {
			if said, ok := i18n.texts("locales"); ok {
				locales = said
			}
		}
		ignore("%s", path.Join(root, "i18n"))
		for _, locale := range locales {
			ignore("!%s/**", path.Join(root, "i18n", locale, "docusaurus-plugin-content-*"))
		}
		entries, err := fs.ReadDir(content, path.Join(".", at))
		if err != nil {
			return err
		}
		for _, entry := range entries {
			docs, ok := strings.CutSuffix(entry.Name(), "versioned_docs")
			if !ok {
				continue
			}
			versions, err := readOptional(fsys, path.Join(at, docs+"versions.json"))
			var known []string
			if err != nil || json.Unmarshal(versions, &known) != nil {
				continue // Docusaurus tells
			}
			ignore("%s", path.Join(root, entry.Name()))
			for _, version := range known {
				ignore("!%s/**", path.Join(root, entry.Name(), "version-"+version))
			}
		}
	}
	keys := []string{"exclude"}
	if inside { // else the pages may be those of another plugin, of which it would leave none
		keys = []string{"include", "exclude"}
	}
	for _, key := range keys {
		for _, plugin := range settingsWith(source, key) {
			patterns, known := plugin.texts(key)
			folders := plugin.folders(root, inside)
			if !known && len(folders) > 0 {
				r.unread(config, key)
			}
			for _, folder := range folders {
				if key == "include" && len(patterns) > 0 {
					ignore("%s/**", folder)
					folder = "!" + folder
				}
				for _, pattern := range patterns {
					ignore("%s/%s", folder, strings.TrimPrefix(pattern, "./"))
				}
			}
		}
	}
	for _, docs := range settingsWith(source, "includeCurrentVersion") {
		if folders := docs.folders(root, inside); inside && len(folders) > 0 && regexp.MustCompile(`includeCurrentVersion["']?\s*:\s*false`).MatchString(docs.inner) {
			ignore("%s/**", folders[0])
			ignore("%s/**", folders[1])
		}
	}
	u.ignoreLines = append(u.ignoreLines, ignoreLinesOf(lines.String()))
	return nil
}

// folders are where the pages of a plugin of Docusaurus lie, its own first, with those of their versions
// and translations; none where it has no pages. From within one of them, the others are not seen.
func (s settings) folders(root string, inside bool) []string {
	plugin := "" // as in docs: {, plugin-content-docs', {, or const docsOptions = {
	if m := regexp.MustCompile(`\b(docs|blog|pages)(?:\b|\w*\s*=)`).FindStringSubmatch(s.before); m != nil {
		plugin = m[1]
	}
	said, ok := s.texts("path")
	switch {
	case plugin == "" && !ok:
		return nil
	case !inside:
		return []string{""}
	case ok && len(said) == 1:
	case plugin == "pages":
		said = []string{"src/pages"}
	default:
		said = []string{plugin}
	}
	behind, before := "", ""
	if id, _ := s.texts("id"); len(id) == 1 && id[0] != "default" {
		behind, before = "-"+id[0], id[0]+"_"
	}
	folders := []string{path.Join(root, said[0])}
	translated := path.Join(root, "i18n/*/docusaurus-plugin-content-")
	if plugin == "blog" || plugin == "pages" {
		return append(folders, translated+plugin+behind)
	}
	translated += "docs" + behind
	return append(folders, translated+"/current", translated+"/version-*", path.Join(root, before+"versioned_docs/version-*"))
}

// docusaurusFolders are the folders of the project, which is at, that may hold pages: the usual ones, and those
// whose names the configuration has in quotes.
func docusaurusFolders(source string, content fs.FS, at string) (dirs []string) {
	for _, dir := range []string{"docs", "blog", "src/pages", "versioned_docs", "i18n"} {
		dirs = append(dirs, path.Join(at, dir))
	}
	entries, _ := fs.ReadDir(content, path.Join(".", at))
	for _, entry := range entries {
		if strings.HasSuffix(entry.Name(), "_versioned_docs") {
			dirs = append(dirs, path.Join(at, entry.Name()))
		}
	}
	for _, name := range quotedTexts(source) {
		if name = path.Clean(name); !path.IsAbs(name) && !slices.Contains([]string{".", "..", "src", "static", "node_modules", "public"}, name) {
			dirs = append(dirs, path.Join(at, name))
		}
	}
	return dirs
}

// hasPagesBeside reports whether a project of Docusaurus in the folder at names one outside of that.
func hasPagesBeside(config script, fsys fs.FS, at string) bool {
	return slices.ContainsFunc(docusaurusFolders(config.source, fsys, at), func(dir string) bool {
		return !strings.HasPrefix(dir, at+"/") && fs.ValidPath(dir) && isDir(fsys, dir)
	})
}

// vitepress reads what is written out in the configuration of VitePress, which lies below the folder at.
func (r *configReader) vitepress(config script, content fs.FS, at string, inside bool) {
	u := &r.site.rules
	source := config.source
	u.routes = regexp.MustCompile(`\[\w+\]`)
	ofSite := func(key string) (texts []string) {
		for _, s := range settingsWith(source, key) {
			said, ok := s.texts(key)
			switch {
			case strings.HasSuffix(s.before, ":"): // those of a plugin
			case !ok:
				r.unread(config, key)
			default:
				texts = said
			}
		}
		return texts
	}
	r.within(content, path.Join(append([]string{at}, ofSite("srcDir")...)...), inside)
	for _, pattern := range ofSite("srcExclude") {
		pattern = strings.TrimPrefix(pattern, "./")
		if inside || u.above != "" || strings.HasPrefix(pattern, "**/") { // else it is of the folder around
			u.ignoreLines = append(u.ignoreLines, ignoreLinesOf("/"+pattern))
		}
	}
}

// astro reads what is written out in the file of Astro that says what its collections are: where they lie, and
// which files are theirs. Pages are in src/pages, and what has no pattern is in src/content.
func (r *configReader) astro(content fs.FS) {
	u := &r.site.rules
	config, ok := r.script(content, true, "src/content.config", "src/content/config")
	if !ok {
		return
	}
	source := config.source
	for _, loader := range regexp.MustCompile(`\bloader:\s*(\w*)`).FindAllStringSubmatch(source, -1) {
		if !slices.Contains([]string{"glob", "file", "docsLoader", "i18nLoader"}, loader[1]) {
			return // only the program tells
		}
	}
	dirs := []string{"src/content", "src/pages"}
	var all, kept, left strings.Builder
	for _, collection := range settingsWith(source, "pattern") {
		patterns, known := collection.texts("pattern")
		base, ok := collection.texts("base")
		if !known || !ok && len(settingsWith("{"+collection.inner, "base")) > 0 {
			return
		}
		dir := path.Join(base...)
		if dir != "" {
			dirs = append(dirs, dir)
			fmt.Fprintf(&all, "/%s/**\n", dir)
		}
		for _, pattern := range patterns {
			pattern = strings.ReplaceAll(pattern, `\/`, "/")
			pattern, leaves := strings.CutPrefix(pattern, "!")
			whole := path.Join(dir, pattern)
			known := !strings.Contains(pattern, "(")
			if i := strings.IndexAny(whole, "*?[{(!+@"); i >= 0 && !leaves && dir == "" {
				dirs = append(dirs, path.Dir(whole[:i]+"x"))
			}
			switch {
			case leaves && known:
				fmt.Fprintf(&left, "/%s\n", whole)
			case !leaves && known:
				fmt.Fprintf(&kept, "!/%s\n", whole)
			case !leaves:
				fmt.Fprintf(&kept, "!/%s\n", path.Join(dir, "**"))
			}
		}
	}
	if slices.Contains(dirs, ".") {
		return
	}
	u.setFolders(content, dirs)
	u.ignoreLines = append(u.ignoreLines, ignoreLinesOf(all.String()+kept.String()+left.String()))
}

// setFolders says which folders hold articles, of those that are there.
func (u *rules) setFolders(content fs.FS, dirs []string) {
	for _, dir := range dirs {
		dir = path.Clean(dir)
		if fs.ValidPath(dir) && isDir(content, dir) && !slices.ContainsFunc(u.folders, func(f articleFolder) bool { return f.dir == dir }) {
			u.folders = append(u.folders, articleFolder{dir: dir})
		}
	}
}

// withoutComments is the source of a configuration without comments: an apostrophe in one would begin a text.
func withoutComments(source []byte) string {
	var out strings.Builder
	for at := 0; at < len(source); {
		rest, length := source[at:], 1
		switch c := rest[0]; {
		case c == '\\': // as in a regular expression
			length = min(2, len(rest))
		case c == '"' || c == '\'' || c == '`':
			length = textLength(rest)
		case bytes.HasPrefix(rest, []byte("//")):
			if length = bytes.IndexByte(rest, '\n'); length < 0 {
				length = len(rest)
			}
			at += length
			continue
		case bytes.HasPrefix(rest, []byte("/*")):
			if end := bytes.Index(rest, []byte("*/")); end > 0 {
				at += end + 2
				continue
			}
		}
		out.Write(rest[:length])
		at += length
	}
	return out.String()
}

// textLength is how long the text in quotes is that a source begins with. One that does not end on its line
// is none, unless it may have several.
func textLength(source []byte) int {
	for i := 1; i < len(source); i++ {
		switch c := source[i]; {
		case c == '\\':
			i++
		case c == '\n' && source[0] != '`':
			return 1
		case c == source[0]:
			return i + 1
		}
	}
	return 1
}
