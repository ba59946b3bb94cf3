package source

import (
	"path"
	"slices"
	"strings"

	"newsstand/builder/source/dialect"

	"golang.org/x/text/language"
)

// languageFolders finds the languages of a site that names none: three folders or more beside
// each other that have the name of a language, one of them that of the site; two if they have
// mostly the same files; one whose files are mostly in the folder around it, too; or any in a
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
		tag, _ := languageTag(at.name)
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
	for at, own := range files {
		others := beside[at.around]
		isTwin := func(p string) bool {
			return slices.ContainsFunc(others, func(other folder) bool { return other != at && has(within(other)+p) })
		}
		isLanguage := path.Base(at.around) == "i18n" || ofSite(others[0]) && (len(others) > 2 || 2*count(own, isTwin) > len(own))
		if !isLanguage {
			originals := count(own, func(p string) bool { return has(at.around + p) })
			isLanguage = originals > 1 && 2*originals > len(own)
		}
		if isLanguage {
			tag, _ := languageTag(at.name)
			s.rules.folders = append(s.rules.folders, articleFolder{dir: strings.TrimSuffix(within(at), "/"), language: tag})
		}
	}
}

// baseOf is a language tag without its script and region.
func baseOf(tag string) string {
	base, _, _ := strings.Cut(tag, "-")
	return base
}

// languageFolder returns the outermost folder of a path that has the name of a language, and
// the path within. It is one of two letters, which may have a region or a script.
func languageFolder(p string) (folder, within string, ok bool) {
	for at := 0; ; {
		n := strings.IndexByte(p[at:], '/')
		if n < 0 {
			return "", "", false
		}
		if name := p[at : at+n]; n == 2 || n > 4 && n < 12 && (name[2] == '-' || name[2] == '_') {
			_, err := language.ParseBase(name[:2])
			if _, ok := languageTag(name); ok && err == nil {
				return p[:at+n], p[at+n+1:], true
			}
		}
		at += n + 1
	}
}
