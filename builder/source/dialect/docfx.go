package dialect

import "strings"

// docfxMark is what DocFX has between colons, as :::image source="a.png":::. The colons at the end
// may be left out of what begins or ends a zone.
type docfxMark struct {
	name       string
	ends       bool // whether it ends what another one began
	attributes string
	length     int // 0 where there is none
}

// docfxMark reads the mark that a text begins with.
func (t *reader) docfxMark(s string) docfxMark {
	if !strings.HasPrefix(s, ":::") {
		return docfxMark{}
	}
	part := t.pattern(`^:::[ \t]*(image|video|code|no-loc|row|column|zone|moniker)(-end)?((?:[ \t]+[a-z-]+[ \t]*=[ \t]*"[^"\n]*")*)[ \t]*(:::)?`).
		FindStringSubmatch(s[:min(len(s), maxAttributesBytes)])
	if part == nil {
		return docfxMark{}
	}
	m := docfxMark{part[1], part[2] != "", part[3], len(part[0])}
	isZone := m.name == "zone" || m.name == "moniker"
	if part[4] == "" && !(isZone && (m.ends || m.attributes != "") && strings.TrimSpace(s[m.length:]) == "") {
		return docfxMark{} // a container of another program
	}
	return m
}

// docfx reads what only DocFX understands at this place, and returns its length; 0 where there is
// nothing of the kind. It writes pictures, frames of films, and words that are not to be
// translated. Nothing is shown of files that would be shown there, as of [!INCLUDE [name](a.md)],
// nor of what begins and ends columns and zones.
func (t *reader) docfx() int {
	rest := t.rest()
	if strings.HasPrefix(rest, "[!") {
		return len(t.pattern(`^\[!(?i:include|code(?:-[\w#+-]+)?)[ \t]*\[[^\]\n]*\]\([^)\n]*\)[ \t]*\]`).
			FindString(rest[:min(len(rest), maxAttributesBytes)]))
	}
	m := t.docfxMark(rest)
	switch p := parametersOf(m.attributes); {
	case m.ends:
	case m.name == "image":
		t.picture(p["source"], p["alt-text"])
	case m.name == "video":
		t.out.WriteString(frame(p["source"]))
	case m.name == "no-loc":
		t.out.WriteString(p["text"])
	}
	return m.length
}

// indents is called with the marks that are lines. It keeps track of how far the text of the open
// rows and columns is indented, which makes no code of it.
func (t *reader) indents(m docfxMark) {
	switch {
	case m.name != "row" && m.name != "column":
	case m.ends:
		t.columns = t.columns[:max(0, len(t.columns)-1)]
	default:
		for line := range strings.Lines(t.following) {
			if strings.TrimSpace(line) != "" {
				t.columns = append(t.columns, indentationBytes(line))
				break
			}
		}
	}
}

// frame returns a frame that shows a page, as of a film, "" where the address is not certain.
func frame(address string) string {
	if !strings.HasPrefix(address, "http") || strings.ContainsAny(address, "\"<> ") {
		return ""
	}
	return `<iframe src="` + address + "\"></iframe>\n"
}
