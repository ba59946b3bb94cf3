package markdown

import (
	"bytes"
	"io"
	"slices"

	"golang.org/x/net/html"
)

// sanitised returns HTML without what may harm readers.
func (c *Renderer) sanitised(text []byte) []byte {
	return c.policy.SanitizeBytes(c.escapeSpaces(endFrames(text)))
}

// escapeSpaces escapes the spaces in the addresses of tags, as browsers do: the policy allows no
// address with a space.
func (c *Renderer) escapeSpaces(text []byte) []byte {
	return c.startTag.ReplaceAllFunc(text, func(tag []byte) []byte {
		return c.addressIn.ReplaceAllFunc(tag, func(a []byte) []byte {
			quote := bytes.IndexAny(a, `"'`)
			address := bytes.TrimSpace(a[quote+1 : len(a)-1])
			if bytes.IndexByte(address, ' ') < 0 {
				return a
			}
			return slices.Concat(a[:quote+1], bytes.ReplaceAll(address, []byte(" "), []byte("%20")), a[len(a)-1:])
		})
	})
}

// endFrames adds an end tag directly after the start tag of each iframe without one, as kramdown
// does and as <iframe/> means in MDX: in HTML, all that follows would be in the iframe.
func endFrames(text []byte) []byte {
	var ended []byte
	for at := indexTag(text, "<iframe"); at >= 0; at = indexTag(text, "<iframe") {
		ended, text = append(ended, text[:at+1]...), text[at+1:]
		part := text
		if next := indexTag(text, "<iframe"); next >= 0 {
			part = text[:next]
		}
		if tag := bytes.IndexByte(part, '>') + 1; tag > 0 && indexTag(part, "</iframe") < 0 {
			ended, text = append(append(ended, text[:tag]...), "</iframe>"...), text[tag:]
		}
	}
	if ended == nil {
		return text
	}
	return append(ended, text...)
}

// indexTag returns where in HTML the first tag begins that starts with tag, in upper or lower case;
// -1 if there is none.
func indexTag(text []byte, tag string) int {
	for at := 0; ; at++ {
		next := bytes.IndexByte(text[at:], '<')
		if next < 0 {
			return -1
		}
		if at += next; len(text)-at >= len(tag) && bytes.EqualFold(text[at:at+len(tag)], []byte(tag)) {
			return at
		}
	}
}

// Short fragments are mostly single tags, and a site repeats a few different ones again and again:
// the first of these are kept, sanitised.
const (
	shortFragment = 64 // bytes
	mostFragments = 1000
)

// clean sanitises a fragment; ok is false if it is not whole. The result is shared and must not be
// written to.
func (c *Renderer) clean(fragment []byte) (clean []byte, ok bool) {
	if known, ok := c.fragments.Load(string(fragment)); ok {
		clean := known.([]byte)
		return clean, clean != nil
	}
	if c.isWhole(fragment) {
		clean = append([]byte{}, c.sanitised(fragment)...)
	}
	if len(fragment) <= shortFragment && c.unknown.Add(1) <= mostFragments {
		c.fragments.Store(string(fragment), clean)
	}
	return clean, clean != nil
}

// isWhole reports whether HTML consists of whole tags, comments and text, and no tag changes how
// the policy treats what follows it.
func (c *Renderer) isWhole(fragment []byte) bool {
	z := html.NewTokenizer(bytes.NewReader(fragment))
	inRawText := false
	for read := 0; ; {
		kind := z.Next()
		raw := z.Raw()
		read += len(raw)
		switch kind {
		case html.ErrorToken:
			if len(raw) > 0 || inRawText || z.Err() != io.EOF { // a tag, a comment or an element has no end
				return false
			}
			return true
		case html.StartTagToken, html.EndTagToken, html.SelfClosingTagToken:
			switch name, _ := z.TagName(); {
			case inRawText:
				inRawText = false
			case kind == html.StartTagToken && hasRawText(string(name)):
				inRawText = true
			case !c.isPlain(string(name)):
				return false
			}
		case html.CommentToken:
			if !bytes.HasPrefix(raw, []byte("<!--")) || !bytes.HasSuffix(raw, []byte("-->")) {
				return false
			}
		case html.TextToken:
			if read == len(fragment) && raw[len(raw)-1] != '\n' { // the text may go on after the fragment
				return false
			}
		default:
			return false
		}
	}
}

// isPlain reports whether the policy does no more with the tags of an element than to filter their
// attributes, or to drop the tags: what follows is treated as if they were not there.
func (c *Renderer) isPlain(name string) bool {
	if known, ok := c.plainTags.Load(name); ok {
		return known.(bool)
	}
	const rest = "text <b>bold</b>"
	start, end := "<"+name+">", "</"+name+">"
	afterStart, afterEnd := c.policy.Sanitize(start+rest), c.policy.Sanitize(end+rest)
	plain := afterStart == start+rest && afterEnd == end+rest || afterStart == rest && afterEnd == rest
	c.plainTags.Store(name, plain)
	return plain
}
