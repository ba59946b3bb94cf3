package source

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"newsstand/builder/source/frontmatter"
)

// vocabulary has, by each known key of front matter in lower case, the name under which
// metaReader.set knows it. Several keys for the same thing, as tag and tags, have the same name:
// the key that goes before the others.
type vocabulary map[string]string

// vocabularyOf returns the vocabulary of a generator; ownDates are the keys of dates that the
// site's configuration names. A date has its name in the rules; a name with a dot is no key itself,
// but stands for several.
func vocabularyOf(g generator, ownDates []string) vocabulary {
	v := vocabulary{}
	add := func(name string, others ...string) {
		v[name] = name
		for _, key := range others {
			v[key] = name
		}
	}
	for _, name := range slices.Concat(summaryKeys(), ownDates, []string{
		"title", "eleventynavigation", "slug", "id", "taxonomies", "headless", "search", "cascade", "draft", "excalidraw-plugin", "password",
		"date", "publishdate", "pubdate", "published", "lastmod", "modified", "expirydate", "unpublishdate",
	}) {
		add(name)
	}
	add("linktitle", "sidebar_label")
	add("language", "lang", "locale")
	add("authors", "author", "creator", "by")
	add("tags", "tag")
	add("categories", "category")
	add("extra", "params")
	add("image", "images", "cover", "heroimage", "hero_image", "featured_image", "featureimage", "thumbnail", "og_image", "ogimage", "coverimage", "featuredimage")
	add("build", "_build")
	add(".modified", "last_modified_at", "updated", "updateddate", "updated_at", "modifieddate", "date_modified", "last_updated", "lastupdated", "lastmodified")
	add(".publish", "publish_date", "published_at", "date_published", "publisheddate", "datepublished")
	add(".expiry", "expires", "expiry_date", "expire_date", "unpublish_date") // the last of Grav
	switch g {
	case hugo:
		add("url")
		add("outputs")
	case jekyll: // url may be any address, such as that of a talk
		v["permalink"] = "url"
	case zola:
		v["path"] = "url"
	default:
		add("url", "permalink", "path")
	}
	if g != hugo {
		add("render") // Zola
	}
	if g == plain {
		add("draft", "isdraft", "is_draft")
		v["topics"] = "tags"                                        // of Zenn
		add("publish", "ispublished", "is_published", "dg-publish") // publish is Obsidian's, dg-publish its plugin Digital Garden's
		add("stream")                                               // Marmite
		add("status")
		add("hero")                 // VitePress and Starlight
		v["herotext"] = "linktitle" // VuePress
		add("hidden")
		add("visibility") // Retype
		add(".expiry", "expire")
		add("unlisted", "eleventyexcludefromcollections", "private")
		add("redirect_to", "redirect", "redirectto", "redirect_url")                                                                                            // the last of DocFX
		add("pagination")                                                                                                                                       // Eleventy
		add(".modified", "moddatetime", "updatedat", "modifiedat", "datemodified", "dateupdated", "last_update")                                                // of Docusaurus, and of Astro's content collections
		add(".created", "created", "createdat", "created_at", "datecreated", "date_created", "date created", "creation_date")                                   // of vaults of notes
		add(".publish", "pubdatetime", "publishedat", "publishedon", "publishat", "publish_at", "publishon", "publish_on", "publicationdate", "published_date") // the last of Cobalt
	}
	if g == jekyll {
		add("redirect_to")
	}
	return v
}

// summaryKeys are the keys that may hold the summary; the first of them that is set counts. Papers
// and talks have the last.
func summaryKeys() []string { return []string{"summary", "description", "excerpt", "abstract"} }

func isSummary(key string) bool { return slices.Contains(summaryKeys(), key) }

// meant returns the known key that another one stands for in other words, or in another language,
// where it decides whether an article is published.
func meant(key string) (string, bool) {
	switch key {
	case "isdraft", "is_draft", "is-draft", "entwurf", "brouillon", "borrador", "bozza", "rascunho":
		return "draft", true
	case "expiry", "expiration", "expirationdate", "expiration_date", "expires_at", "expiresat", "expires_on":
		return "expiryDate", true
	}
	return "", false
}

// isOtherDraft reports whether a key is such a word for a draft, with a value that may be of that
// language, too, as in entwurf: ja.
func isOtherDraft(f frontmatter.Field) bool {
	want, _ := meant(strings.ToLower(f.Key))
	_, isFlag := truth(f.Value.Text)
	return want == "draft" && !isFlag && f.Value.Text != ""
}

// guess is the hint that key is probably a slip of a known one; "" where it is not.
func guess(key string, known []string) (hint string) {
	if want := nearest(key, known); want != "" {
		return fmt.Sprintf("did you mean %q?", want)
	}
	return ""
}

// nearest returns the known key of which key is probably a slip: one letter missing, added, wrong,
// or two swapped; "" where it is none. Of keys with four letters only swaps count, because most
// such words are one letter away from another.
func nearest(key string, known []string) string {
	if slices.ContainsFunc(known, func(want string) bool { return strings.EqualFold(key, want) }) {
		return ""
	}
	k := []rune(strings.ToLower(key))
	for _, want := range known {
		w := []rune(strings.ToLower(want))
		if swapped(k, w) || len(w) >= 5 && oneEdit(k, w) {
			return want
		}
	}
	return ""
}

// visible returns a key without the signs that nobody sees, such as a no-break space before it.
func visible(key string) string {
	return strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Cf, r) || r > '~' && unicode.IsSpace(r) {
			return -1
		}
		return r
	}, key)
}

// swapped reports whether a and b differ only by two neighbouring letters in reverse order.
func swapped(a, b []rune) bool {
	if len(a) != len(b) || len(a) < 4 {
		return false
	}
	i := 0
	for i < len(a) && a[i] == b[i] {
		i++
	}
	return i+1 < len(a) && a[i] == b[i+1] && a[i+1] == b[i] && slices.Equal(a[i+2:], b[i+2:])
}

// oneEdit reports whether one letter added, removed or replaced makes b of a.
func oneEdit(a, b []rune) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	if len(b)-len(a) > 1 {
		return false
	}
	i := 0
	for i < len(a) && a[i] == b[i] {
		i++
	}
	if len(a) == len(b) {
		return i < len(a) && slices.Equal(a[i+1:], b[i+1:])
	}
	return slices.Equal(a[i:], b[i+1:])
}
