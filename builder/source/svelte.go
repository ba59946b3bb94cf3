package source

import (
	"bytes"
	"path"
	"regexp"
	"strings"
)

// svelte notes whether mdsvex turns files that end in .md into components of Svelte. It does if its
// configuration, or that of Svelte, names this extension.
func (r *siteReader) svelte() {
	u := &r.site.rules
	extension := regexp.MustCompile("[\"'`](?:\\.svelte)?\\.md[\"'`]")
	for _, name := range []string{scriptOf(r.content, "mdsvex.config"), scriptOf(r.content, "svelte.config")} {
		if name == "" {
			continue
		}
		data := r.optional(r.content, name)
		u.svelte = u.svelte || extension.Match(data) && (strings.HasPrefix(name, "mdsvex") || bytes.Contains(data, []byte("mdsvex")))
	}
}

// isSvelte reports whether mdsvex reads a file.
func (r *rules) isSvelte(p string) bool {
	ext := strings.ToLower(path.Ext(p))
	return ext == ".svx" || ext == ".md" && r.svelte
}
