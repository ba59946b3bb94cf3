package source

import (
	"crypto/sha256"
	"fmt"
	"hash"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"newsstand/builder/source/dialect"
)

// sumSettings computes f.key, the digest that all articles share: of the settings that were read,
// of the rules, and of the paths on which the addresses of links depend.
func (f *Folder) sumSettings(paths []string, settings hash.Hash) {
	s := &f.Site
	u := &s.rules
	fmt.Fprintf(settings, "%q", s.BaseURL)
	u.hash(settings)
	if strings.Contains(fmt.Sprint(u.hugo.patterns), ":sections") {
		fmt.Fprintf(settings, "%v", u.hugo.sections) // the addresses of links depend on them
	}
	if len(u.hugo.handedDown) > 0 { // the values that Hugo's param shows depend on what section pages hand down
		fmt.Fprintf(settings, "%v", u.hugo.handedDown)
	}
	if u.hugo.linksPages || u.dialect.Found || u.fromTop == "found" { // the addresses of links depend on which pages there are
		for _, p := range paths {
			if dialect.IsMarkdown(p) || isHTML(p) {
				fmt.Fprintf(settings, "%q", p)
			}
		}
	}
	settings.Sum(f.key[:0])
}

// hash adds to the digest of the settings what Article reads of the rules, except what follows from
// a configuration or whatever else is in the digest already.
func (r *rules) hash(settings hash.Hash) {
	fmt.Fprintf(settings, "%#v", []any{
		r.dialect, r.flavour, r.hexo.lax, r.base, r.jekyll.partial, r.hugo.oddURLs, r.apps,
		r.jekyll.readmes, r.pageEndings, r.pageOfFolder, r.fromTop, r.rooted, r.docusaurus.slash, r.docusaurus.siteFolder, r.docusaurus.mdx, r.programRoot, r.configured,
		r.docusaurus.configured, r.namesAreTitles, r.inclusions, r.vault, r.wiki, r.svelte, r.middleman,
	})
	for _, at := range r.folders { // some may follow from the files alone
		fmt.Fprintf(settings, "%q %q %q", at.dir, at.language, at.target)
	}
	for _, p := range slices.Sorted(maps.Keys(r.mounted)) {
		fmt.Fprintf(settings, "%q", p)
	}
}

// keyOf returns a digest of everything that Article depends on: the settings, the file's bytes,
// whose digest is sum, and what the scan decided about the file. Whatever Article reads of the
// rules must be in f.key, through a configuration or rules.hash.
func (f *Folder) keyOf(file *File, sum [sha256.Size]byte) [sha256.Size]byte {
	b := append(make([]byte, 0, 1024), f.key[:]...)
	for _, s := range append([]string{file.Path, file.ID, file.Language, file.URL}, file.tags...) {
		b = append(append(b, s...), '\n')
	}
	for _, t := range [...]time.Time{file.Published, file.Modified} {
		b = append(strconv.AppendInt(b, t.Unix(), 10), '\n')
	}
	return sha256.Sum256(append(b, sum[:]...))
}
