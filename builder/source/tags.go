package source

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"newsstand/builder/source/frontmatter"
)

// appendTags adds the tags of a list or of one text. A text with commas is split at the commas,
// another one at spaces if the site is one of Jekyll and the key is plural. A link to a note
// becomes the text of the link, and #stub, as notes write it, becomes stub. Tags that only put an
// article of Eleventy into a list are left out.
func (r *metaReader) appendTags(tags []string, v frontmatter.Value, plural bool) []string {
	for _, s := range scalars(v) {
		shown := unlinked(s)
		isLink := shown != collapse(s)
		switch {
		case v.Kind != frontmatter.List && strings.Contains(s, ",") && !isLink:
			for part := range strings.SplitSeq(s, ",") {
				tags = append(tags, unlinked(part))
			}
		case v.Kind == frontmatter.Text && plural && r.site.generator == jekyll:
			tags = append(tags, strings.Fields(shown)...)
		default:
			tags = append(tags, strings.TrimSuffix(shown, ",")) // Jekyll reads "a, b" as "a," and "b"
		}
	}
	for i, s := range tags {
		if name, has := strings.CutPrefix(s, "#"); has && r.site.generator == plain && strings.IndexFunc(name, unicode.IsLetter) == 0 {
			tags[i] = name
		}
	}
	return slices.DeleteFunc(tags, func(s string) bool { return s == "" || r.site.rules.eleventy && isCollection(s) })
}

// unnested returns a list with the items of the lists in it. To Hexo, [Sports, Baseball] within
// categories is a category and its subcategory.
func unnested(v frontmatter.Value) frontmatter.Value {
	var items []frontmatter.Value
	for _, item := range v.Items {
		if item.Kind == frontmatter.List {
			items = append(items, item.Items...)
		} else {
			items = append(items, item)
		}
	}
	v.Items = items
	return v
}

// notTags warns of values that are not tags.
func (r *metaReader) notTags(f frontmatter.Field) {
	const hint = "write them as [one, two], or one per line, each after a hyphen and a space"
	switch v := f.Value; v.Kind {
	case frontmatter.Table:
		r.notText(f.Key, v, hint)
	case frontmatter.List:
		for _, item := range v.Items {
			r.notText("an item of "+f.Key, item, hint)
			if bare := strings.Trim(item.Text, frontmatter.OddQuotes); bare != item.Text &&
				strings.HasPrefix(item.Text, bare) == strings.HasSuffix(item.Text, bare) {
				r.report(item, Warning, "the quotes of "+show(item)+" are part of the tag", "write plain quotes, or none")
			}
		}
	case frontmatter.Text:
		isItems := len(v.Text) > 1 && v.Text[0] == '-' && v.Text[1] != '-' && !v.Quoted
		if isItems || strings.HasSuffix(v.Text, "]") && !strings.Contains(v.Text, "[") {
			r.report(v, Warning, fmt.Sprintf("%s is the single text %s", f.Key, show(v)), hint)
		}
	}
}

// isCollection reports whether a tag is only the name of a list of Eleventy. These are the tags
// that eleventy-base-blog, from which many sites of Eleventy derive, does not show to readers.
func isCollection(tag string) bool {
	return tag == "all" || tag == "nav" || tag == "post" || tag == "posts"
}
