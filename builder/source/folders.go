package source

import (
	"path"
	"slices"
	"strings"

	"newsstand/builder/source/dialect"

	"golang.org/x/text/language"
)

// languageFolders finds the languages of a site that names none: three folders or more beside
// each other that have the name of a language, one of them that of the site; two if one has
// mostly files that the other has, too; one whose files are mostly in the folder around it, too; or any in a
// folder i18n. They say nothing about the names of files, whose ids no other file changes.
func (s *Site) languageFolders(paths []string) {
	type folder struct{ around, name string }
	files := map[folder][]string{} // the paths within
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
	beside := map[string][]folder{} // by the folder around them; that of the site's language first
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
}

// languageNames finds those languages of a site that names none that stand in the names of files, as in a.fr.md: two
// files or more, most of which are in another language, too. They say nothing about ids either.
func (s *Site) languageNames(paths []string) {
	withoutName := func(p string) string {
		ending := path.Ext(p)
		if name := languageInName(p); name != "" {
			ending = "." + name + ending
		}
		return strings.TrimSuffix(p, ending)
	}
	languages, files, twins := map[string]int{}, map[string]int{}, map[string]int{} // by the path without them; by the name of the language
	isArticle := func(p string) bool { return dialect.IsMarkdown(p) && s.rules.ignored(p) == "" }
	for _, p := range paths {
		if isArticle(p) {
			languages[withoutName(p)]++
		}
	}
	for _, p := range paths {
		if name := languageInName(p); name != "" && isArticle(p) {
			files[name]++
			if languages[withoutName(p)] > 1 {
				twins[name]++
			}
		}
	}
	s.rules.inNames = map[string]string{}
	for name, n := range files {
		if twins[name] > 1 && 2*twins[name] > n {
			s.rules.inNames[name], _ = languageOf(name)
		}
	}
}

// languageInName returns what stands before the ending of a file's name, as in a.fr.md, if it is the name of a language.
func languageInName(p string) string {
	stem := strings.TrimSuffix(p, path.Ext(p))
	name := strings.TrimPrefix(path.Ext(stem), ".")
	if _, ok := languageOf(name); !ok {
		return ""
	}
	return name
}

// languageOf returns the tag of the language whose name a text is: two letters, which may have a region or a script, or
// those of a country that stand for its language, and for no other that is read here.
func languageOf(name string) (tag string, ok bool) {
	switch strings.ToLower(name) {
	case "cn":
		return "zh", true
	case "cz":
		return "cs", true
	case "dk":
		return "da", true
	case "gr":
		return "el", true
	case "jp":
		return "ja", true
	case "kr":
		return "ko", true
	case "ua":
		return "uk", true
	}
	if len(name) != 2 && (len(name) < 5 || len(name) > 11 || name[2] != '-' && name[2] != '_') {
		return "", false
	}
	if _, err := language.ParseBase(name[:2]); err != nil {
		return "", false
	}
	return languageTag(name)
}

// baseOf is a language tag without its script and region.
func baseOf(tag string) string {
	base, _, _ := strings.Cut(tag, "-")
	return base
}

// languageFolder returns the outermost folder of a path that has the name of a language, and
// the path within.
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
