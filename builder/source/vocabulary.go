package source

import "slices"

// vocabulary maps each known key of front matter, in lower case, to the name under which
// metaReader.set knows it. Several keys for the same thing, such as tag and tags, have the same
// name: the key that overrides the others.
type vocabulary map[string]string

// vocabularyOf returns the vocabulary of a generator; ownDates are the keys of dates that the
// site's configuration names. The names of dates are those in the rules; a name that begins with a
// dot is not itself a key, but stands for several.
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
	add(".modified", "last_modified_at", "last_modified", "updated", "updateddate", "updated_at", "modifieddate", "date_modified", "last_updated", "lastupdated", "lastmodified")
	add(".publish", "publish_date", "published_at", "date_published", "publisheddate", "datepublished")
	add(".expiry", "expires", "expiry_date", "expire_date", "unpublish_date") // the last of Grav
	if g != hugo {
		add("render") // Zola
	}
	switch g {
	case hugo:
		add("url")
		add("outputs")
	case jekyll: // url may be any address, such as that of a talk
		v["permalink"] = "url"
		add("redirect_to")
	case zola:
		v["path"] = "url"
	case plain:
		add("url", "permalink", "path")
		add("draft", "isdraft", "is_draft")
		v["topics"] = "tags"                                                     // of Zenn
		add("publish", "ispublish", "ispublished", "is_published", "dg-publish") // publish is Obsidian's, dg-publish its plugin Digital Garden's
		add("stream")                                                            // Marmite
		add("status")
		add("hero")                 // VitePress and Starlight
		v["herotext"] = "linktitle" // VuePress
		add("hidden")
		add("visibility") // Retype
		add(".expiry", "expire")
		add("unlisted", "eleventyexcludefromcollections", "private")
		v["routable"] = "render" // Grav
		add("access")
		add("redirect_to", "redirect", "redirectto", "redirect_url") // the last of DocFX
		add("pagination")                                            // Eleventy
		// Of Docusaurus, and of Astro's content collections.
		add(".modified", "moddatetime", "updatedat", "modifiedat", "datemodified", "dateupdated", "last_update")
		// Of vaults of notes.
		add(".created", "created", "createdat", "created_at", "datecreated", "date_created", "date created", "creation_date")
		add(".time", "datetime") // it says of some pages when an event takes place
		add(".publish", "pubdatetime", "publishedat", "publishedon", "publishat", "publish_at", "publishon", "publish_on", "publicationdate",
			"published_date") // of Cobalt
	}
	return v
}

// summaryKeys returns the keys that may hold the summary; the first of them that is set counts.
// Papers and talks have the last.
func summaryKeys() []string { return []string{"summary", "description", "excerpt", "abstract"} }

func isSummary(key string) bool { return slices.Contains(summaryKeys(), key) }
