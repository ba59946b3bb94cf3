package dialect

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
)

// withoutProperties returns a page of Logseq without what its readers do not see. Logseq does not
// show its own properties; of the others, readers see key and value.
//
//	id:: 6514…  collapsed:: true      nothing
//	title:: x  tags:: x  public:: x   nothing at the beginning of the page, whose properties they are
//	author:: [[Somebody]]             author: [[Somebody]]
//	((6514…))  [text](((6514…)))      nothing, and the text: only the whole graph tells where the block is
//	#+BEGIN_NOTE … #+END_NOTE         the lines between them; nothing of a query or a comment
//	:LOGBOOK: … :END:                 nothing
//	{{cloze x}}  ^^x^^                x, and <mark>x</mark>
func withoutProperties(text string) string {
	property := regexp.MustCompile(propertyLine)
	block := regexp.MustCompile(`(?i)^(\s*(?:[-*+]\s+)?)#\+(BEGIN|END)_([A-Z]+)\b`)
	reference := regexp.MustCompile(`\[([^\[\]\n]+)\]\(\(\([0-9a-f-]{36}\)\)\)|\(\([0-9a-f-]{36}\)\)|\{\{cloze (.*?)\}\}`)
	highlight := regexp.MustCompile(`\^\^([^\^\n]+)\^\^`)
	var b strings.Builder
	head, end := true, "" // whether all lines were properties so far, and the line that ends what is not shown
	at, lastEnd := 0, lastEnds(text)
	code := codeLines{blank: true, fencedOnly: true}
	for line := range strings.Lines(text) {
		at += len(line)
		isCode := code.is(line)
		trimmed := strings.TrimSpace(line)
		switch {
		case end != "":
			if strings.EqualFold(trimmed, end) {
				end = ""
			}
			continue
		case isCode:
			b.WriteString(line)
			continue
		case trimmed == ":LOGBOOK:" && at < lastEnd[":END:"]:
			end = ":END:"
			continue
		}
		m := property.FindStringSubmatch(line)
		head = head && m != nil
		if m != nil {
			if line = shownProperty(m, head); line == "\n" {
				continue
			}
		} else if m = block.FindStringSubmatch(line); m != nil {
			ofBlock := "#+END_" + strings.ToUpper(m[3])
			if strings.EqualFold(m[2], "begin") && at < lastEnd[ofBlock] {
				end = ofBlock
			}
			line = strings.TrimRight(m[1], " \t") + "\n"
		}
		line = replacedInText(line, func(text string) string {
			if !strings.ContainsAny(text, "({^") { // like most lines
				return text
			}
			return highlight.ReplaceAllString(reference.ReplaceAllString(text, "$1$2"), "<mark>$1</mark>")
		})
		if strings.TrimSpace(line) == "-" { // a block without text would turn the one above it into a heading
			line = strings.TrimRight(line, " \t\r\n") + " <!-- -->\n"
		}
		b.WriteString(line)
	}
	return b.String()
}

// propertyLine matches the line of a property. Its groups are what precedes the key, the key, the
// value, and what follows it.
const propertyLine = `^(\s*(?:[-*+]\s+)?)([^\s:#"|^(){}]+)::(?:\s+(.*?))?(\s*)$`

// BelowProperties returns what follows the properties at the beginning of a page of Logseq; of
// other dialects, the whole page.
func (d Dialect) BelowProperties(page []byte) []byte {
	if !d.Logseq {
		return page
	}
	property := regexp.MustCompile(propertyLine)
	for rest := page; len(rest) > 0; page = rest {
		var line []byte
		if line, rest, _ = bytes.Cut(rest, []byte("\n")); !property.Match(line) {
			break
		}
	}
	return page
}

// lastEnds returns, for each mark that can end what is not shown, where the last line with nothing
// but that mark ends.
func lastEnds(text string) map[string]int {
	at, ends := 0, map[string]int{}
	for line := range strings.Lines(text) {
		at += len(line)
		switch end := strings.ToUpper(strings.TrimSpace(line)); end {
		case ":END:", "#+END_QUERY", "#+END_COMMENT":
			ends[end] = at
		}
	}
	return ends
}

// shownProperty returns what is shown of the line of a property, which propertyLine matches as m;
// head says whether the property is one of the page.
func shownProperty(m []string, head bool) string {
	if key := strings.ToLower(m[2]); isOwnProperty(key) || head && (key == "title" || key == "tags" || key == "public") {
		return strings.TrimRight(m[1], " \t") + "\n"
	}
	return m[1] + m[2] + ": " + m[3] + m[4]
}

// replacedInText returns a line with replace applied to the text outside of its code spans.
func replacedInText(line string, replace func(string) string) string {
	var b strings.Builder
	text := 0 // where the text that is not written yet begins
	for at := 0; at < len(line); at++ {
		if line[at] != '`' {
			continue
		}
		span := line[at : at+spanLength(line[at:])]
		if strings.Trim(span, "`") != "" { // else the backquotes are not closed
			b.WriteString(replace(line[text:at]) + span)
			text = at + len(span)
		}
		at += len(span) - 1
	}
	return b.String() + replace(line[text:])
}

// isOwnProperty reports whether a property is one that Logseq writes and does not show.
func isOwnProperty(key string) bool {
	key = strings.ReplaceAll(key, "_", "-")
	switch key {
	case "todo", "doing", "now", "later", "done", "wait", "waiting", "canceled", "cancelled", "started", "in-progress": // the time when a block became that
		return true
	case "id", "custom-id", "collapsed", "heading", "background-color", "created-at", "updated-at", "last-modified-at", "filters", "icon", "ls-type", "template", "template-including-parent", "exclude-from-graph-view":
		return true
	}
	begins := func(prefix string) bool { return strings.HasPrefix(key, prefix) }
	return slices.ContainsFunc([]string{"hl-", "card-", "query-", "logseq."}, begins)
}
