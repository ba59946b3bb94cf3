package dialect

import "strings"

// docfxMark is a mark of DocFX between colons, such as :::image source="a.png":::. One that begins
// or ends a zone need not have the colons at its end.
type docfxMark struct {
	name       string
	ends       bool // whether it ends what another mark began
	attributes string
	length     int // 0 if there is no mark
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

// docfx reads syntax of DocFX at the current position, and returns its length; 0 if there is none.
// It writes pictures, frames of videos, and words that are not to be translated. It writes nothing
// for included files, as in [!INCLUDE [name](a.md)], and for marks that begin and end columns and
// zones.
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
		t.out.WriteString(picture(p["source"], p["alt-text"]))
	case m.name == "video":
		t.out.WriteString(frame(p["source"]))
	case m.name == "no-loc":
		t.out.WriteString(p["text"])
	}
	return m.length
}

// indents is called with each mark that is a line of its own. It keeps track of how far the text of
// the open rows and columns is indented, because that indentation does not make it code.
func (t *reader) indents(m docfxMark) {
	switch {
	case m.name != "row" && m.name != "column":
	case m.ends:
		t.columns = t.columns[:max(0, len(t.columns)-1)]
	default:
		for line := range strings.Lines(t.following) {
			if strings.TrimSpace(line) != "" {
				t.columns = append(t.columns, len(indentOf(line)))
				break
			}
		}
	}
}

// frame returns an iframe that shows a page, such as a video; "" unless its address begins with
// http and needs no escapes.
func frame(address string) string {
	if !strings.HasPrefix(address, "http") || strings.ContainsAny(address, "\"<> ") {
		return ""
	}
	return `<iframe src="` + address + "\"></iframe>\n"
}
