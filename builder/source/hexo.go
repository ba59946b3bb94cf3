package source

import (
	"bytes"
	"cmp"
	"slices"

	"newsstand/builder/source/frontmatter"
	"newsstand/builder/source/markdown"
)

// isHexo reports whether a configuration is Hexo's rather than Jekyll's, which has the same name.
func isHexo(v frontmatter.Value) bool {
	return slices.ContainsFunc([]string{"source_dir", "public_dir", "new_post_name", "archive_dir", "skip_render"}, v.Has)
}

// hexoRules are the rules that only a site of Hexo has.
type hexoRules struct {
	lax       bool     // whether tabs may indent YAML, and an article is published even if its date cannot be read
	encrypted []string // the tags of articles that are encrypted
}

// isEncrypted reports whether readers need a password for articles with a tag.
func (r *hexoRules) isEncrypted(tag string) bool { return slices.Contains(r.encrypted, tag) }

// hexo reads what Hexo's configuration, and the plugins beside it, say about publication.
func (r *siteReader) hexo(v frontmatter.Value) {
	u := &r.site.rules
	dir := cmp.Or(textOf(v, "source_dir"), "source")
	if r.setBase(dir); r.inside && u.base == "" && hasFolder(r.content, "scaffolds", "themes") {
		u.folders = []articleFolder{{dir: dir}} // of another repository, and not here yet
	}
	tag := ""
	if codes := scalars(inner(v, "language")); len(codes) > 0 {
		tag = codes[0]
	}
	r.common(textOf(v, "title"), textOf(v, "description"), textOf(v, "url"), tag)
	r.zone(textOf(v, "timezone"))
	r.authors(v, "author")
	for _, key := range []string{"exclude", "ignore", "skip_render"} {
		u.ignore(excludeLines(scalars(inner(v, key))))
	}
	u.flavour.Lenient, u.hexo.lax = true, true
	for _, tag := range inner(v, "encrypt", "tags").Items { // of hexo-blog-encrypt
		u.hexo.encrypted = append(u.hexo.encrypted, textOf(tag, "name"))
	}
	u.drafts = flagOf(v, "render_drafts")
	u.future = !v.Has("future") || flagOf(v, "future")
	plugins := r.optional(r.root, "package.json")
	marked, markdownIt := inner(v, "marked"), inner(v, "markdown", "render")
	u.flavour.IDs = markdown.HexoIDs
	if textOf(marked, "modifyAnchors") == "1" || textOf(v, "markdown", "anchors", "case") == "1" {
		u.flavour.IDs = markdown.HexoLowerIDs
	}
	unsaid := !marked.Has("breaks") && !markdownIt.Has("breaks")
	u.flavour.Breaks = flagOf(marked, "breaks") || flagOf(markdownIt, "breaks") || unsaid && !bytes.Contains(plugins, []byte(`"hexo-renderer-pandoc"`))
	hide, said := v.Get("hide_posts")
	enabled := !hide.Has("enable") || flagOf(hide, "enable")
	u.unlists = enabled && (said || bytes.Contains(plugins, []byte(`"hexo-hide-posts"`)))
}
