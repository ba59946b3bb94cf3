package source

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"newsstand/builder/article"
	"newsstand/builder/source/dialect"
	"newsstand/builder/source/markdown"
)

// rules are what the generator's configuration says about which files are articles, and where and
// when they appear.
type rules struct {
	// What the site is.
	configured  bool // whether a configuration was found
	programRoot bool // whether the configuration lies in the root of a program, whose own files are not articles
	book        bool // whether it is a book of mdBook or GitBook: only its chapters are articles
	mkdocs      bool // whether it is one of MkDocs: a README.md beside an index.md is not a page
	vault       bool // whether it is a vault of Obsidian: if a note begins with a heading of the first level, that is its title and not its file's name
	wiki        bool // whether it is a wiki of GitHub
	dendron     bool // whether it is a workspace of Dendron
	eleventy    bool // whether it is one of Eleventy: data files, such as fr/fr.json, hold defaults
	middleman   bool // whether it is one of Middleman: a.html.md is the source of a.html
	quarto      bool // whether it is one of Quarto: a.html.md beside a.md is made of that
	retype      bool // whether it is one of Retype: visibility: hidden keeps a page out of its lists
	nikola      bool // whether it is one of Nikola: a status or a tag may hold an article back

	// Where its articles are.
	folders []articleFolder
	mounted map[string]articleFolder // by path: files that Hugo mounts one by one, not with their folder
	apps    []string                 // folders in which Next.js takes page.mdx for the page of its folder
	base    string                   // the folder that is not part of ids and addresses, such as "content"; "" if there is none
	above   string                   // the path of the content folder within the project

	// Which of the files there are not articles, or are not published.
	sets      []ignoreLines  // the sets of files that are pages, such as content collections of Astro: a file that all of them leave out is not an article
	ignored   []ignoreLines  // what the configuration leaves out, such as MkDocs' exclude_docs and draft_docs
	routes    *regexp.Regexp // names of files from which VitePress makes many pages, such as [id].md; nil for other generators
	noParts   bool           // whether names that begin with underscores are like any other, as in Quartz, and not of parts of other pages
	html      bool           // whether HTML files that are not ignored are articles, too, as those that the configuration of Nikola names
	explicit  string         // the key that must be true for an article to be published, such as publish with ExplicitPublish of Quartz; "" if there is none
	drafts    bool           // show_drafts of Jekyll, render_drafts of Hexo: what lies in _drafts is published
	draftDocs ignoreLines    // of MkDocs: the files that are drafts
	unlists   bool           // whether hidden: true keeps an article out of the site's lists and its search
	future    bool           // of Jekyll and Hexo: a date in the future does not hold an article back

	// Languages, by their codes in lower case.
	languages       map[string]string        // their BCP 47 tags
	inNames         map[string]string        // by the name of a language in names of files, as in a.fr.md: its tag; see guessLanguageNames
	inEnglish       func() map[string]string // see languagesInEnglish; made at the first call, which few sites need
	disabled        map[string]bool          // languages that are not built
	presetLanguage  string                   // of a site whose settings name none and whose articles do not tell; "" for English
	defaultLanguage string                   // of files that name none
	defaultInSubdir bool                     // whether addresses in the default language have its code, too

	// The keys of each date of an article, of which the first that is set counts.
	date    []string
	publish []string
	lastmod []string
	expiry  []string

	// Front matter, and what others add to it.
	vocabulary  vocabulary                           // of the generator
	cascade     []cascade                            // front matter that the configuration hands down
	defaults    []defaults                           // of front matter: from the configuration of Jekyll, Pelican or Dendron, or Eleventy's data files
	ofFile      map[string][]defaults                // those for a single file, by its path: there may be as many as files
	folderFiles []string                             // the names of files that hold front matter for all files of their folders, such as _metadata.yml of Quarto
	metaFiles   string                               // the ending of files that hold the front matter of others, such as .meta of Nikola; "" if there are none
	authors     map[string][]meaning[article.Author] // by key
	tags        map[string][]meaning[string]         // by key
	chapters    map[string]string                    // by path: the title of a chapter in the summary of a book, or of a page in the nav of MkDocs

	// How texts are read.
	inclusions     inclusionRules   // how texts include other files
	dialect        dialect.Dialect  // how texts are read, as far as the site tells
	flavour        markdown.Flavour // how their Markdown is rendered
	svelte         bool             // whether files that end in .md are Markdown of mdsvex
	pageEndings    []string         // what may stand for .md in a link to another file, such as .html or nothing with VitePress
	pageOfFolder   string           // the name, without extension, of the file that a link to its folder leads to, if that is not index
	fromTop        string           // which relative links Quartz and Eleventy read from the content folder: "absolute" if all, "shortest" if those through folders, "found" if those to a file there
	rooted         bool             // whether a path that begins with a slash is below the address of the site, even if that has a path itself
	namesAreTitles bool             // whether an article without a title is named after its file, whatever its headings say, as with Quartz

	// The rules that only one generator has.
	zola       zolaRules
	logseq     logseqRules
	jekyll     jekyllRules
	hugo       hugoRules
	docusaurus docusaurusRules
	hexo       hexoRules
	pelican    *pelicanRules // nil for other generators
}

// addLanguage adds a language, whose tag need not be in its canonical form.
func (r *rules) addLanguage(code, tag string) {
	if r.languages == nil {
		r.languages = make(map[string]string)
	}
	if canonical, ok := languageTag(tag); ok {
		tag = canonical
	}
	r.languages[strings.ToLower(code)] = tag
}

func (r *rules) isLanguage(code string) bool {
	code = strings.ToLower(code)
	_, ok := r.languages[code]
	return ok || r.disabled[code]
}

// unread reports whether Hugo does not even read the files of a language, whose section pages and
// page bundles then have no effect on those of other languages.
func (r *rules) unread(code string) bool { return r.disabled[code] && !r.hugo.pageless[code] }

// languageCode returns the code of a file's language by its name or folder, if the site has that
// language, else that of the default language.
func (r *rules) languageCode(p string, name nameOfPath) string {
	if name.language != "" {
		return strings.ToLower(name.language)
	}
	if tag, ok := r.inNames[languageInName(p)]; ok {
		return tag
	}
	if language := r.mounted[p].language; language != "" {
		return language
	}
	if at, ok := r.folderOf(p); ok && at.language != "" {
		return at.language
	}
	return r.defaultLanguage
}

// pagePath returns a file's path within the folder of its language, in lower case. In Hugo, files
// whose page paths differ only by the language in their names are translations of one page.
func (r *rules) pagePath(p string) string {
	return strings.ToLower(r.placeOf(p).targetOf(p))
}

// name splits the path of a file into parts. It treats a README that is the index of its folder as
// an index.md.
func (r *rules) name(p string) nameOfPath {
	if r.jekyll.readmes[p] {
		p = path.Join(path.Dir(p), "index.md")
	}
	return r.ownName(p)
}

// ownName splits the path of a file into parts, without treating READMEs specially.
func (r *rules) ownName(p string) nameOfPath {
	rel := r.relative(r.ownTarget(p))
	if r.jekyll.i18n {
		rel = strings.TrimPrefix(rel, i18nFolder+"/")
	}
	return r.split(rel)
}

// cutLanguage cuts the language off a file's name without extension.
func (r *rules) cutLanguage(name string) (before, language string) {
	for end := len(name); ; {
		dot := strings.LastIndexByte(name[:end], '.')
		switch {
		case dot <= 0:
			return name, ""
		case r.isLanguage(name[dot+1 : end]):
			return name[:dot], name[dot+1 : end]
		case r.dialect.Generator != hugo: // to which name.fr.x.md is French, too
			return name, ""
		}
		end = dot
	}
}

// relative returns a path without the folder r.base, which is not part of ids and addresses.
func (r *rules) relative(p string) string { return strings.TrimPrefix(p, r.base+"/") }

// inSource returns a path relative to Jekyll's source, the folder where posts, pages and
// collections_dir lie.
func (r *rules) inSource(p string) string {
	at, _ := r.folderOf(p)
	return at.below(p)
}

// inBase reports whether a file lies in the folder r.base.
func (r *rules) inBase(p string) bool { return isBelow(p, r.base) }

// ignore leaves out what these lines leave out, whatever other lines say.
func (r *rules) ignore(lines ignoreLines) { r.ignored = append(r.ignored, lines) }

// whyIgnored returns why the site's configuration leaves out a file, or the original that the file
// translates, or "" if it does not.
func (r *rules) whyIgnored(p string) string {
	why := r.whyLeftOut(p)
	if original := r.docusaurus.original(p); why == "" && original != p {
		return r.whyLeftOut(original)
	}
	return why
}

// whyLeftOut returns why the site's configuration leaves out a file by its own path, or "" if it
// does not.
func (r *rules) whyLeftOut(p string) string {
	if _, isMounted := r.mounted[p]; !isMounted || r.hugo.noPages {
		if why := r.whyOutside(p); why != "" {
			return why
		}
	}
	own := r.relative(p)
	leavesOut := func(lines ignoreLines) bool { return lines.ignores(own) }
	switch {
	case r.hugo.ignores(r.above, p):
		return "the site's ignoreFiles name it"
	case r.jekyll.excludes(r.inSource(p)), r.zola.ignores(own):
		return "the site's configuration excludes it"
	case len(r.sets) > 0 && !slices.ContainsFunc(r.sets, func(lines ignoreLines) bool { return !leavesOut(lines) }):
		return "it is in none of the site's collections"
	case slices.ContainsFunc(r.ignored, leavesOut):
		return "the site's configuration excludes it"
	}
	return ""
}

// whyOutside returns why a file is not among those in which the site's generator looks for
// articles, or "" if it is.
func (r *rules) whyOutside(p string) string {
	at, ok := r.folderOf(p)
	switch {
	case !ok:
		return "it lies outside the site's content folders"
	case r.hugo.noPages:
		return "the site's disableKinds keep pages from being made"
	case at.leavesOut(p):
		return "the site's mount of its folder leaves it out"
	case r.unread(at.language):
		return "its language " + at.language + " is disabled"
	}
	if why := r.whyInProgram(p, at); why != "" {
		return why
	}
	_, isChapter := r.chapters[r.relative(p)]
	switch {
	case r.book && !isChapter:
		return "the summary of the book does not name it"
	case r.routes != nil && r.routes.MatchString(p):
		return "a program makes other pages of it"
	}
	return ""
}

// whyInProgram returns why a file is not an article on a site whose configuration lies in the root
// of a program, or "" if it may be one. at is the article folder that holds the file.
func (r *rules) whyInProgram(p string, at articleFolder) string {
	switch {
	case !r.programRoot:
	case !strings.Contains(p, "/"):
		return "it lies beside the configuration of the site's generator"
	case at.dir != "": // a collection is in this folder
	case isBelow(p, "components"), isBelow(p, "src/components"), isBelow(p, "src/lib/components"): // the last is of SvelteKit
		return "it lies among the components of the site's program"
	case isBelow(p, "public"), isBelow(p, "static"):
		return "it lies among the files that the site copies as they are"
	}
	return ""
}
