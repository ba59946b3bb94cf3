package source

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"newsstand/builder/source/frontmatter"
)

// nearKeys returns the keys that a hint suggests for a mistyped one. They decide whether and how an
// article is published.
func nearKeys() []string {
	return []string{"title", "date", "draft", "slug", "tags", "summary", "description", "author", "authors", "categories",
		"language", "image", "search", "published", "permalink", "publishDate", "expiryDate", "lastmod", "aliases"}
}

// slip returns the known key that an unknown one was probably meant to be, if there is one, and a
// hint. The hint is "" for the keys of themes.
func (r *metaReader) slip(f frontmatter.Field) (want, hint string) {
	key, lower := f.Key, strings.ToLower(f.Key)
	if seen := visible(key); r.site.rules.vocabulary[strings.ToLower(seen)] != "" {
		return seen, "write " + seen + " again: it has invisible characters"
	}
	if plain := norm.NFKC.String(key); plain != key && r.site.rules.vocabulary[strings.ToLower(plain)] != "" { // typed in full width
		return plain, fmt.Sprintf("did you mean %q?", plain)
	}
	if bare := strings.Trim(key, frontmatter.OddQuotes); bare != key && r.site.rules.vocabulary[strings.ToLower(bare)] != "" {
		return bare, "write " + bare + " without quotes"
	}
	if within, ok := strings.CutPrefix(lower, "search."); ok {
		return "", "write " + within + ": below search:, indented"
	}
	want, ok := meant(lower)
	_, isFlag := truth(f.Value.Text)
	if !ok && (!settled(lower) || lower == "drafts" && isFlag) {
		want = nearest(key, nearKeys())
	}
	if want == "" && r.site.isUnruled() && !settled(lower) {
		want = r.holding(strings.NewReplacer("-", "_", " ", "_").Replace(lower), f.Value)
	}
	if want == "" {
		return "", ""
	}
	return want, fmt.Sprintf("did you mean %q?", want)
}

// holding returns the known key that key is, or is a slip of, if the value v under that known key
// would keep the article back; else "". With such a value, even a key of four letters may have one
// letter wrong.
func (r *metaReader) holding(key string, v frontmatter.Value) (want string) {
	_, isFlag := truth(v.Text)
	if !isFlag && !strings.ContainsAny(v.Text, "0123456789") { // such as most values of themes
		return ""
	}
	k, isAmount := []rune(key), v.Kind == frontmatter.Number && !isFlag // such as rate: 3000, which is not a year
	for known := range r.site.rules.vocabulary {
		w := []rune(known)
		isSlip := !isAmount && len(w) >= len("date") && (swapped(k, w) || oneEdit(k, w))
		// More people leave out a letter than add one.
		before := cmp.Or(cmp.Compare(len(known), len(want)), strings.Compare(want, known)) > 0
		if (isSlip || known == key) && before && r.keepsBack(known, v) {
			want = known
		}
	}
	return want
}

// keepsBack reports whether an article with the value v under a key is not published now, or will
// not stay published for ever.
func (r *metaReader) keepsBack(key string, v frontmatter.Value) bool {
	u := &r.site.rules
	name := u.vocabulary[strings.ToLower(key)]
	if name == "" {
		return false
	}
	on, isFlag := truth(v.Text)
	t, isDate := r.readDate(name, v)
	switch name {
	case "draft", "unlisted":
		return isFlag && on
	case "published", "publish", "render":
		if isFlag {
			return !on
		}
	}
	return isDate && (slices.Contains(u.expiry, name) || slices.Contains(u.publish, name) && t.After(r.now))
}

// settled reports whether a key only looks like a slip of a known one, but is a key in its own
// right in the common generators.
func settled(key string) bool {
	switch key {
	case "data", "dates", "titles", "subtitle", "flag", "flags", "lead", "images", "language_code", "rating", "summary_large_image",
		"drafts", "alias", "publisher", "languages":
		return true
	}
	return false
}

// meant returns the known key that another one stands for in other words, or in another language.
// It knows only keys that decide whether an article is published.
func meant(key string) (string, bool) {
	switch key {
	case "isdraft", "is_draft", "is-draft", "entwurf", "brouillon", "borrador", "bozza", "rascunho":
		return "draft", true
	case "expiry", "expiration", "expirationdate", "expiration_date", "expires_at", "expiresat", "expires_on":
		return "expiryDate", true
	}
	return "", false
}

// isOtherDraft reports whether a key is a word for draft as in meant, with a value that may be in
// its language, too, as in entwurf: ja.
func isOtherDraft(f frontmatter.Field) bool {
	want, _ := meant(strings.ToLower(f.Key))
	_, isFlag := truth(f.Value.Text)
	return want == "draft" && !isFlag && f.Value.Text != ""
}

// guess returns the hint that key is probably a slip of a known one, or "" if it is not.
func guess(key string, known []string) (hint string) {
	if want := nearest(key, known); want != "" {
		return fmt.Sprintf("did you mean %q?", want)
	}
	return ""
}

// nearest returns the known key that key is probably a slip of, or "" if there is none. A slip has
// one letter missing, added or wrong, or two swapped. For known keys of four letters only swaps
// count, because most such words are one letter away from another word.
func nearest(key string, known []string) string {
	if slices.ContainsFunc(known, func(want string) bool { return strings.EqualFold(key, want) }) {
		return ""
	}
	k := []rune(strings.ToLower(key))
	for _, want := range known {
		w := []rune(strings.ToLower(want))
		numbered := len(k) > len(w) && unicode.IsDigit(k[len(w)]) // such as image2
		if swapped(k, w) || len(w) >= 5 && !numbered && oneEdit(k, w) {
			return want
		}
	}
	return ""
}

// visible returns a key without invisible characters, such as a no-break space before it.
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

// oneEdit reports whether adding, removing or replacing one letter turns a into b.
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
