package dialect

import "strings"

// spacedAddress returns the length of the address of a link that has spaces at this place, 0 where there is none, and writes it so that
// others take it for one, too: [text](a b.png "title") as [text](<a b.png> "title").
func (t *reader) spacedAddress() int {
	address, title, length := cutSpacedAddress(t.rest())
	if length == 0 || t.HTML {
		return 0
	}
	t.out.WriteString("](<" + address + ">" + title + ")")
	return length
}

// cutSpacedAddress cuts the address with spaces, and the title of its link with the space before it, from a text that begins with
// the end of that link's text. The length is 0 where it has no such address. One that a template makes is none.
func cutSpacedAddress(s string) (address, title string, length int) {
	inner, found := strings.CutPrefix(s[:min(len(s), maxLinkBytes)], "](")
	if !found {
		return "", "", 0
	}
	end, open := 0, 1
	for ; end < len(inner) && open > 0; end++ {
		switch inner[end] {
		case '(':
			open++
		case ')':
			open--
		case '\n', '<', '>', '[', ']', '{', '`', '\\':
			return "", "", 0
		}
	}
	if open > 0 {
		return "", "", 0
	}
	address = strings.TrimSpace(inner[:end-1])
	if n := len(address) - 1; n > 0 && (address[n] == '"' || address[n] == '\'') {
		quote := strings.IndexByte(address, address[n])
		if quote == n || quote == 0 || address[quote-1] != ' ' {
			return "", "", 0
		}
		address, title = strings.TrimSpace(address[:quote]), " "+address[quote:]
	}
	if !strings.Contains(address, " ") || strings.ContainsAny(address, `"`) {
		return "", "", 0
	}
	return address, title, len("](") + end
}

// hasSpacedAddress reports whether a text may have the address of a link with spaces.
func hasSpacedAddress(s string) bool {
	for {
		_, behind, found := strings.Cut(s, "](")
		if !found {
			return false
		}
		if _, _, length := cutSpacedAddress("](" + behind[:min(len(behind), maxLinkBytes)]); length > 0 {
			return true
		}
		s = behind
	}
}
