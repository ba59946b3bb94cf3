package dialect

import (
	"strings"
)

// namesLanguage reports whether codehilite reads the first line of a code block as the name of its
// language, such as :::go or #!go, and not as code, such as #!/bin/sh.
func namesLanguage(line string) bool {
	text := strings.TrimSpace(line)
	rest, named := strings.CutPrefix(text, "#!")
	if !named {
		rest = strings.TrimLeft(text, ":")
		named = len(text)-len(rest) >= 2
	}
	return named && (rest == "" || rest[0] != '/' && rest[0] != ' ')
}

// codeText writes code, with the program's own escapes resolved, without shortcodes of Zola, which
// run in code as well, and without raw tags if RawInCode is set.
func (t *reader) codeText(code string) {
	if t.Generator == Zola && (strings.Contains(code, "{{") || strings.Contains(code, "{%")) {
		without := t.pattern(zolaTag).ReplaceAllString(code, "")
		if without != code && strings.Trim(without, "` \t\r\n") == "" { // a span without text would be backquotes
			return
		}
		code = without
	}
	if t.Generator != Plain && (strings.Contains(code, "/*") || strings.Contains(code, "*/")) {
		var undone []string
		for _, f := range t.forms {
			if f.kind == shown {
				undone = append(undone, f.open, f.bareOpen(), f.close, f.bareClose())
			}
		}
		code = strings.NewReplacer(undone...).Replace(code)
	}
	if t.RawInCode && strings.Contains(code, "{%") && strings.Contains(code, "raw") {
		without := t.withoutRaw(code)
		if without != code && strings.TrimSpace(without) == "" {
			return
		}
		code = without
	}
	t.out.WriteString(code)
}

// withoutRaw returns code without its raw and endraw tags. A raw tag between two of these is text,
// and stays.
func (t *reader) withoutRaw(code string) string {
	tags := t.pattern(rawTag).FindAllStringIndex(code, -1)
	ends := func(tag []int) bool { return strings.Contains(code[tag[0]:tag[1]], "endraw") }
	last := len(tags) - 1
	for last >= 0 && !ends(tags[last]) {
		last--
	}
	var without strings.Builder
	from, isRaw := 0, false
	for i, tag := range tags {
		if isRaw && !ends(tag) {
			continue
		}
		without.WriteString(code[from:tag[0]])
		from, isRaw = tag[1], !ends(tag) && i < last
	}
	return without.String() + code[from:]
}

// codeSpan writes a code span, which may end on a later line, and returns its length.
func (t *reader) codeSpan() int {
	if t.HTML || t.verbatim || t.isEscaped() {
		return 0
	}
	rest := t.rest()
	ticks := leading(rest, "`")
	end := -1
	if t.vain < maxVainBytes {
		end = ticksIn(rest[len(ticks):], len(ticks))
	}
	if end < 0 {
		t.vain += len(rest)
		end = t.ticksBelow(rest[len(ticks):], ticks)
	}
	if end < 0 {
		t.out.WriteString(ticks)
		return len(ticks)
	}
	length := 2*len(ticks) + end
	span := rest[:min(len(rest), length)]
	span += t.following[:length-len(span)]
	if t.Generator == Hugo && strings.Contains(span, "{{") {
		if span = t.pattern(shortcodeTag).ReplaceAllString(span, ""); strings.Trim(span, "` \t\r\n") == "" {
			return length
		}
	}
	if t.Spans {
		span = t.pattern("^(`+)(?::{3,}|#!)[\\w#.+-]*\\s+").ReplaceAllString(span, "$1")
	}
	if text, language, ok := strings.Cut(span, "{:"); ok && t.Generator == Plain { // `code{:js}` of Nextra
		name := strings.TrimRight(language, "`")
		if isKind(strings.TrimSuffix(name, "}")) && strings.HasSuffix(name, "}") && text != ticks && !strings.HasSuffix(text, " ") {
			span = text + ticks
		}
	}
	if t.table.open {
		span = escapeBars(span)
	}
	t.codeText(span)
	return length
}

// ticksBelow returns where the closing backquotes of a code span are in the lines below; -1 if the
// paragraph ends first. The place is counted from the beginning of rest, the rest of the line.
func (t *reader) ticksBelow(rest, ticks string) int {
	read := len(rest)
	for line := range strings.Lines(t.following) {
		if t.vain >= maxVainBytes || beginsBlock(strings.TrimSpace(line)) {
			break
		}
		if end := ticksIn(line, len(ticks)); end >= 0 {
			return read + end
		}
		read += len(line)
		t.vain += len(line)
	}
	return -1
}

// spanLength returns the length of the code span that a text begins with, or of its backquotes
// alone if these are not closed.
func spanLength(s string) int {
	ticks := len(leading(s, "`"))
	if end := ticksIn(s[ticks:], ticks); end >= 0 {
		return ticks + end + ticks
	}
	return ticks
}

// ticksIn returns where in a text the first run of exactly count backquotes begins; -1 if there is
// none.
func ticksIn(s string, count int) int {
	for at := 0; ; {
		next := strings.IndexByte(s[at:], '`')
		if next < 0 {
			return -1
		}
		at += next
		n := len(leading(s[at:], "`"))
		if n == count {
			return at
		}
		at += n
	}
}
