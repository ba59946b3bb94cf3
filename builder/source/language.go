package source

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"golang.org/x/text/language"
	"golang.org/x/text/language/display"

	"newsstand/builder/source/dialect"
)

// language decides the article's language: front matter, then name, then folder, then site.
func (r *metaReader) language(m meta, name nameOfPath, code string) string {
	if m.language.Text != "" {
		if tag, ok := languageTag(m.language.Text); ok && isRegistered(tag) {
			return tag
		}
		if tag, ok := r.site.rules.inEnglish()[strings.ToLower(m.language.Text)]; ok {
			return tag
		}
		r.report(Warning, m.language, fmt.Sprintf("%s is no language tag", show(m.language)), "write a BCP 47 tag, as in en, pt-BR or zh-Hant")
	}
	u := &r.site.rules
	first := name.base // of the index of a folder
	if len(name.folders) > 0 {
		first = name.folders[0]
	}
	if name.language == "" && r.site.generator == plain && (len(name.folders) > 0 || name.bundle) && u.isLanguage(first) {
		code = strings.ToLower(first)
	}
	if tag, ok := u.languages[code]; ok {
		return tag
	}
	if u.languages == nil && code != u.defaultLanguage {
		return code // the tag itself; see languageFolders and languageNames
	}
	return r.site.Language
}

// languageTag returns the canonical BCP 47 form of a tag that is well-formed.
func languageTag(s string) (string, bool) {
	s = strings.ReplaceAll(strings.TrimSpace(s), "_", "-")
	if i := strings.IndexByte(s, '.'); i > 0 { // en_US.UTF-8
		s = s[:i]
	}
	tag, err := language.Parse(s)
	if err != nil {
		var unknown language.ValueError // well-formed, and not in the registry
		if !errors.As(err, &unknown) {
			return "", false
		}
		return s, true
	}
	if tag == language.Und {
		return "", false
	}
	return tag.String(), true
}

// isRegistered reports whether the language of a tag is one in the registry, unlike Go and PHP, of
// which articles may say that they are about these.
func isRegistered(tag string) bool {
	var unknown language.ValueError
	_, err := language.Parse(tag)
	return !errors.As(err, &unknown) || !strings.EqualFold(unknown.Subtag(), baseOf(tag))
}

// languagesInEnglish returns the tags of languages by their English names in lower case. Some
// themes write a name for a tag.
func languagesInEnglish() map[string]string {
	tags := map[string]string{}
	names := display.English.Languages()
	for _, tag := range display.Supported.Tags() {
		name := strings.ToLower(names.Name(tag))
		if _, has := tags[name]; !has { // ar comes before ar-EG, which has the same name
			tags[name] = tag.String()
		}
	}
	return tags
}

// languageFolders finds the folders of languages on a site whose settings name no languages. A
// folder with the name of a language is one if three or more such folders lie beside each other,
// one of them in the language of the site; if two do, and most files of one are in the other, too;
// if most of its own files are in the folder around it, too; or if it lies in a folder i18n. The
// ids of files do not depend on it.
func (s *Site) languageFolders(paths []string) {
	type folder struct{ around, name string }
	files := map[folder][]string{} // the paths of files within each folder
	for _, p := range paths {
		if f, within, ok := languageFolder(p); ok && dialect.IsMarkdown(p) && s.rules.ignored(p) == "" {
			at := folder{f[:len(f)-len(path.Base(f))], path.Base(f)}
			files[at] = append(files[at], within)
		}
	}
	if len(files) == 0 {
		return
	}
	has := func(p string) bool {
		_, found := slices.BinarySearch(paths, p)
		return found
	}
	within := func(at folder) string { return at.around + at.name + "/" }
	ofSite := func(at folder) bool {
		tag, _ := languageOf(at.name)
		return baseOf(tag) == baseOf(s.Language)
	}
	beside := map[string][]folder{} // by the folder around them; the one of the site's language is first
	for at := range files {
		beside[at.around] = append(beside[at.around], at)
		if names := beside[at.around]; ofSite(at) {
			names[0], names[len(names)-1] = names[len(names)-1], names[0]
		}
	}
	count := func(own []string, isCounted func(string) bool) (n int) {
		for _, p := range own {
			if isCounted(p) {
				n++
			}
		}
		return n
	}
	isMirrored := func(at folder) bool {
		isTwin := func(p string) bool {
			return slices.ContainsFunc(beside[at.around], func(other folder) bool { return other != at && has(within(other)+p) })
		}
		return 2*count(files[at], isTwin) > len(files[at])
	}
	for at, own := range files {
		others := beside[at.around]
		isLanguage := path.Base(at.around) == "i18n" || ofSite(others[0]) && (len(others) > 2 || slices.ContainsFunc(others, isMirrored))
		if !isLanguage {
			originals := count(own, func(p string) bool { return has(at.around + p) })
			isLanguage = originals > 1 && 2*originals > len(own)
		}
		if isLanguage {
			tag, _ := languageOf(at.name)
			s.rules.folders = append(s.rules.folders, articleFolder{dir: strings.TrimSuffix(within(at), "/"), language: tag})
		}
	}
	slices.SortStableFunc(s.rules.folders, func(a, b articleFolder) int { return strings.Compare(a.dir, b.dir) })
}

// languageNames finds the languages in the names of files, as in a.fr.md, a-fr.md or a/fr.md, on a
// site whose settings name no languages. The name of a language counts if two or more of its files,
// or one in two others, and most of them exist in another language, too; behind a hyphen, where
// words of names stand, that one must exist without a language: operator-or is not in Odia beside
// operator-lt. Ids do not depend on it.
func (s *Site) languageNames(paths []string) {
	withoutName := func(p string) string {
		stem := strings.TrimSuffix(p, path.Ext(p))
		if name := languageInName(p); name != "" {
			stem = strings.TrimRight(strings.TrimSuffix(stem, name), ".-_")
		}
		return stem
	}
	languages, files, twins := map[string]int{}, map[string]int{}, map[string]int{} // languages: how many there are of a path without its language; files and twins: how many a language has
	several := map[string]bool{}                                                    // whether a language has a file that exists in three or more
	isArticle := func(p string) bool { return dialect.IsMarkdown(p) && s.rules.ignored(p) == "" }
	inFolder := map[string]int{} // how many articles there are
	articles := map[string]bool{}
	for _, p := range paths {
		if isArticle(p) {
			articles[p] = true
			languages[withoutName(p)]++
			inFolder[path.Dir(p)]++
		}
	}
	for _, p := range paths {
		if name := languageInName(p); name != "" && isArticle(p) {
			files[name]++
			without := withoutName(p)
			isWhole := without == "" || strings.HasSuffix(without, "/") // fr.md, which is no language among other articles
			if n := languages[without]; n > 1 && !(isWhole && n < inFolder[path.Dir(p)]) {
				twins[name]++
				several[name] = several[name] || n > 2 && (isWhole || p[len(without)] == '.' || articles[without+path.Ext(p)])
			}
		}
	}
	s.rules.inNames = map[string]string{}
	for name, n := range files {
		if (twins[name] > 1 || several[name]) && 2*twins[name] > n {
			s.rules.inNames[name], _ = languageOf(name)
		}
	}
}

// languageInName returns what the name of a file ends in, as in a.fr.md, a_pt-BR.md or fr.md, if it
// is the name of a language.
func languageInName(p string) string {
	stem := strings.TrimSuffix(path.Base(p), path.Ext(p))
	for at := range stem {
		if at > 0 && strings.IndexByte(".-_", stem[at-1]) < 0 {
			continue
		}
		name := stem[at:]
		if _, ok := languageOf(name); ok && (len(name) < 6 || len(name) == 7) { // not in-cursor, as of a name in words
			return name
		}
	}
	return ""
}

// languageOf returns the tag of the language that the name of a folder or file stands for: a code
// of two letters, which may have a region or a script behind it; or the code of a country, such as
// jp, that is often written for its language.
func languageOf(name string) (tag string, ok bool) {
	for _, country := range [...]struct{ code, language string }{
		{"cn", "zh"}, {"cz", "cs"}, {"dk", "da"}, {"gr", "el"}, {"jp", "ja"}, {"kr", "ko"}, {"ua", "uk"},
	} {
		if strings.EqualFold(name, country.code) {
			return country.language, true
		}
	}
	if len(name) != 2 && (len(name) < 5 || len(name) > 11 || name[2] != '-' && name[2] != '_') {
		return "", false
	}
	if _, err := language.Parse(name); err != nil { // such as id-list, whose second part is no script
		return "", false
	}
	return languageTag(name)
}

// baseOf returns a language tag without its script and region.
func baseOf(tag string) string {
	base, _, _ := strings.Cut(tag, "-")
	return base
}

// languageFolder returns the outermost folder of a path that has the name of a language, and
// the rest of the path within it.
func languageFolder(p string) (folder, within string, ok bool) {
	for at := 0; ; {
		n := strings.IndexByte(p[at:], '/')
		if n < 0 {
			return "", "", false
		}
		if _, ok := languageOf(p[at : at+n]); ok {
			return p[:at+n], p[at+n+1:], true
		}
		at += n + 1
	}
}
