package source

import (
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"golang.org/x/text/language"
	"golang.org/x/text/language/display"

	"newsstand/builder/source/dialect"
)

// language returns the article's language: that of its front matter, else of its file's name, else
// of its folder, else of the site.
func (r *metaReader) language(file *candidate) string {
	if file.meta.language.Text != "" {
		if tag, ok := languageTag(file.meta.language.Text); ok && isRegistered(tag) {
			return tag
		}
		if tag, ok := r.site.rules.inEnglish()[strings.ToLower(file.meta.language.Text)]; ok {
			return tag
		}
		r.report(file.meta.language, Warning, fmt.Sprintf("%s is not a language tag", show(file.meta.language)), "write a BCP 47 tag, as in en, pt-BR or zh-Hant")
	}
	u, name, code := &r.site.rules, file.name, file.code
	first := name.base // for the index of a folder
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
		return code // which is then the tag itself; see guessLanguageFolders and guessLanguageNames
	}
	return r.site.Language
}

// languageTag returns the canonical BCP 47 form of a well-formed tag; ok is false for any other
// text.
func languageTag(s string) (string, bool) {
	s = strings.ReplaceAll(strings.TrimSpace(s), "_", "-")
	if i := strings.IndexByte(s, '.'); i > 0 { // en_US.UTF-8
		s = s[:i]
	}
	tag, err := language.Parse(s)
	if err != nil {
		var unknown language.ValueError // well-formed, but not in the registry
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

// isRegistered reports whether the language of a tag is in the registry. Go and PHP are not: with
// these, an article names the programming language that it is about.
func isRegistered(tag string) bool {
	var unknown language.ValueError
	_, err := language.Parse(tag)
	return !errors.As(err, &unknown) || !strings.EqualFold(unknown.Subtag(), baseOf(tag))
}

// Languages returns the tags of the languages that names of files and folders stand for, sorted.
func (s *Site) Languages() []string {
	u := &s.rules
	tags := slices.Collect(maps.Values(u.inNames))
	for code, tag := range u.languages {
		if !u.disabled[code] {
			tags = append(tags, tag)
		}
	}
	for _, f := range u.folders {
		if _, named := u.languages[f.language]; f.language != "" && !named {
			tags = append(tags, f.language)
		}
	}
	slices.Sort(tags)
	return slices.Compact(tags)
}

// languagesInEnglish returns the tags of languages by their English names in lower case. Some
// themes write a name instead of a tag.
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

// guessLanguageFolders finds the folders of languages on a site whose settings name no languages:
// those that have the name of a language, if they lie among others like them (see areLanguages), or
// if their files are translations of the files around them (see translates). The ids of files do
// not depend on this.
func (s *Site) guessLanguageFolders(paths []string) {
	l := languageFolders{files: map[string][]string{}, paths: paths}
	beside := map[string][]string{} // the folders with the name of a language, by the folder around them
	for _, p := range paths {
		folder, within, ok := languageFolder(p)
		switch {
		case !dialect.IsMarkdown(p) || s.rules.whyIgnored(p) != "":
			continue
		case !ok:
			l.others = append(l.others, p)
			continue
		}
		if around, _ := path.Split(folder); l.files[folder] == nil {
			beside[around] = append(beside[around], folder)
		}
		l.files[folder] = append(l.files[folder], within)
	}
	for _, around := range slices.Sorted(maps.Keys(beside)) {
		l.around, l.folders = around, beside[around]
		areLanguages := l.areLanguages(s)
		for _, folder := range l.folders {
			if areLanguages || l.translates(folder) {
				tag, _ := languageOf(path.Base(folder))
				s.rules.folders = append(s.rules.folders, articleFolder{dir: folder, language: tag})
			}
		}
	}
}

// languageFolders are the folders with names of languages that lie side by side, and the files of
// the site.
type languageFolders struct {
	around  string // the folder in which they lie; ends with a slash, or is empty
	folders []string
	files   map[string][]string // by folder, of all of the site: the articles in it, by their paths within it
	others  []string            // the articles in no such folder
	paths   []string            // of all files
}

func (l *languageFolders) has(p string) bool { return isAmong(l.paths, p) }

// areLanguages reports whether all of the folders hold languages: if they lie in a folder i18n or
// translations; if one is in the language of the site, and they are three or more, or all that
// there is, or most files of one are also in another; or if there are five or more translations
// alone, most files of each are also in another, and hardly any other folder beside them has such
// files (beside nj, ca is California).
func (l *languageFolders) areLanguages(s *Site) bool {
	isOfSite := func(folder string) bool {
		tag, _ := languageOf(path.Base(folder))
		return baseOf(tag) == baseOf(s.Language)
	}
	switch {
	case slices.Contains([]string{"i18n", "translations"}, path.Base(l.around)):
		return true
	case slices.ContainsFunc(l.folders, isOfSite):
		return len(l.folders) > 2 || l.areAll(s.rules.base) || slices.ContainsFunc(l.folders, l.isMirrored)
	}
	isAlone := func(folder string) bool { return !l.isMirrored(folder) }
	return len(l.folders) > 4 && !slices.ContainsFunc(l.folders, isAlone) && !l.areSome()
}

// areAll reports whether the site has two such folders, in the folder base of its articles, and no
// other folder.
func (l *languageFolders) areAll(base string) bool {
	isDeeper := func(p string) bool { return strings.Contains(strings.TrimPrefix(p, l.around), "/") }
	return len(l.folders) == 2 && strings.TrimSuffix(l.around, "/") == base && !slices.ContainsFunc(l.others, isDeeper)
}

// areSome reports whether the folders are a part of a series, others of which do not have names of
// languages.
func (l *languageFolders) areSome() bool {
	var alike []string
	for _, p := range l.others {
		below, isWithin := strings.CutPrefix(p, l.around)
		name, within, isDeeper := strings.Cut(below, "/")
		if isWithin && isDeeper && slices.ContainsFunc(l.folders, func(folder string) bool { return l.has(folder + "/" + within) }) {
			alike = append(alike, name)
		}
	}
	return 10*len(slices.Compact(alike)) > len(l.folders)
}

// isMirrored reports whether most files of a folder are also in another of the folders.
func (l *languageFolders) isMirrored(folder string) bool {
	return mostly(l.files[folder], func(p string) bool {
		return slices.ContainsFunc(l.folders, func(other string) bool { return other != folder && l.has(other+"/"+p) })
	})
}

// translates reports whether most files of a folder, of at least two, are also in the folder around
// it or, if that has nothing else, in the one around that, as of translated/fr beside the originals
// (sdk/cs beside sdk/rust is C#).
func (l *languageFolders) translates(folder string) bool {
	files := l.files[folder]
	isBeside := func(p string) bool { return l.has(l.around + p) }
	isOneDeeper := func(p string) bool { return l.around != "" && l.has(path.Join(path.Dir(path.Clean(l.around)), p)) }
	isAround := func(p string) bool { return strings.HasPrefix(p, l.around) }
	return len(files) > 1 && (mostly(files, isBeside) || mostly(files, isOneDeeper) && !slices.ContainsFunc(l.others, isAround))
}

// mostly reports whether is holds for more than half of the paths.
func mostly(paths []string, is func(string) bool) bool {
	n := 0
	for _, p := range paths {
		if is(p) {
			n++
		}
	}
	return 2*n > len(paths)
}

// guessLanguageNames finds the languages in the names of files, as in a.fr.md, a-fr.md or a/fr.md,
// on a site whose settings name no languages. The name of a language counts if most of its files
// have a version in another language, too, and either two or more do, or one has versions in two
// others. After a hyphen, where the words of names stand, the latter needs a version without a
// language: operator-or is not in Odia just because operator-lt and operator-is exist; nor is it if
// most names that begin with operator- do not end in a language. Ids do not depend on this.
func (s *Site) guessLanguageNames(paths []string) {
	var articles []string
	versions := map[string]int{} // by path without its language: the number of articles
	inFolder := map[string]int{} // by folder: the number of articles
	for _, p := range paths {
		if dialect.IsMarkdown(p) && s.rules.whyIgnored(p) == "" {
			articles = append(articles, p)
			versions[withoutLanguage(p)]++
			inFolder[path.Dir(p)]++
		}
	}
	files, twins := map[string]int{}, map[string]int{} // by language: the number of articles, and of those that exist in another language, too
	several := map[string]bool{}                       // by language: whether one of its articles exists in two others
	for _, p := range articles {
		name := languageInName(p)
		if name == "" {
			continue
		}
		files[name]++
		stem := withoutLanguage(p)
		n, isWhole := versions[stem], stem == "" || strings.HasSuffix(stem, "/")
		if n < 2 || isWhole && n < inFolder[path.Dir(p)] { // fr.md is not a language if it lies among other articles
			continue
		}
		if !isWhole && p[len(stem)] != '.' && areMore(articles, p[:len(stem)+1], 2*n) { // a series of names, not translations
			continue
		}
		twins[name]++
		original := stem + path.Ext(p)
		above := path.Join(path.Dir(stem), "..", path.Base(original)) // as in translations/README-de.md
		several[name] = several[name] || n > 2 && (isWhole || p[len(stem)] == '.' || isAmong(articles, original) || isAmong(articles, above))
	}
	s.rules.inNames = map[string]string{}
	for name, n := range files {
		if (twins[name] > 1 || several[name]) && 2*twins[name] > n {
			s.rules.inNames[name], _ = languageOf(name)
		}
	}
}

// areMore reports whether more than n of the paths, which are sorted, begin with a prefix.
func areMore(paths []string, prefix string, n int) bool {
	at, _ := slices.BinarySearch(paths, prefix)
	return at+n < len(paths) && strings.HasPrefix(paths[at+n], prefix)
}

// withoutLanguage returns a path without its extension and without the language at the end of its
// name.
func withoutLanguage(p string) string {
	stem := withoutExt(p)
	if name := languageInName(p); name != "" {
		return strings.TrimRight(strings.TrimSuffix(stem, name), ".-_")
	}
	return stem
}

// languageInName returns the language at the end of a file's name, as it is written in a.fr.md,
// a_pt-BR.md, zh-Hans-CN.md or fr.md, or "" if there is none.
func languageInName(p string) string {
	stem := withoutExt(path.Base(p))
	for at := range stem {
		if at > 0 && strings.IndexByte(".-_", stem[at-1]) < 0 {
			continue
		}
		name := stem[at:]
		if _, ok := languageOf(name); ok && (len(name) < 6 || len(name) == 7 || len(name) == 10) { // not in-cursor, which is part of a name in words
			return name
		}
	}
	return ""
}

// languageOf returns the tag of the language that the name of a folder or file stands for. The name
// is a code of two letters, perhaps followed by a region or a script, or the code of a country,
// such as jp, that is often written for its language.
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
	if _, err := language.Parse(name); err != nil { // such as id-list, whose second part is not a script
		return "", false
	}
	return languageTag(name)
}

// baseOf returns a language tag without its script and region.
func baseOf(tag string) string {
	base, _, _ := strings.Cut(tag, "-")
	return base
}

// languageFolder returns the outermost folder of a path that has the name of a language, and the
// rest of the path below it.
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
