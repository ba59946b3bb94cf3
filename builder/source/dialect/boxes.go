package dialect

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"newsstand/builder/source/markdown"
)

// mark returns a line of text without the block syntax of Markdown's dialects. What a reader sees
// of that syntax stays: the title of a box, or its kind if it has no title.
//
//	everywhere   > [!NOTE] Title, and of DocFX > [!div class="a"] and > [!VIDEO address]
//	Hugo         {.class #id key="value"}; {% a tag %} of Liquid, as in articles that were moved from another program
//	Jekyll       *[HTML]: the meaning of an abbreviation, which readers see by pointing at it
//	plain        attribute lists and abbreviations as above; ::: note Title, :::note[Title] and ::note; !!! note "Title", ??? note
//	             and === "Title" before indented lines; [[toc]]; <<< file, --8<-- "file" and ::include[file]; ::: package.Class; @tab Title; #slot
//	             within ::name; /// note | Title; !!!note Title before !!!; @[card](address); and # Heading [#id]
func (t *reader) mark(line string) string {
	trimmed := strings.TrimSpace(line)
	if i := strings.Index(line, "[!"); i > 0 {
		if marked, ok := alert(line, i); ok {
			return marked
		}
	}
	switch {
	case !t.Unspaced, t.html.open > 0 && !t.html.markdown:
	case strings.HasPrefix(line, "#"): // if it is indented, it may be the number of an issue in a list
		line = spaced(line)
		trimmed = strings.TrimSpace(line)
	case strings.HasPrefix(trimmed, "[") && markdown.LinkName([]byte(line)) != "":
		return "\n" + line
	}
	if inner := strings.TrimLeft(line, "> \t"); (t.Generator == Hugo || t.Generator == Plain) && t.isAttributes(strings.TrimSpace(inner)) ||
		t.Generator == Hugo && isLiquid(trimmed) {
		return line[:len(line)-len(inner)] + "\n" // of a quotation, its marks stay
	}
	if (t.Generator == Jekyll || t.Generator == Plain) && t.isAbbreviation(trimmed) {
		return "\n"
	}
	if t.Generator != Plain || trimmed == "" {
		return line
	}
	return t.plainMark(line, trimmed)
}

// plainMark is mark for the syntax of texts that are Plain.
func (t *reader) plainMark(line, trimmed string) string {
	switch trimmed[0] {
	case '<':
		if strings.HasPrefix(trimmed, "<<< ") && strings.ContainsRune("@./", rune(trimmed[4])) { // VitePress includes a file
			return "\n"
		}
	case '-':
		if rest, _, _ := strings.Cut(trimmed, ` "`); isScissors(rest) { // MkDocs includes a file
			return "\n"
		}
	case ':':
		if strings.HasPrefix(trimmed, "::include[") { // Fumadocs includes a file
			return "\n"
		}
		if t.docfxMark(trimmed).length > 0 {
			return line
		}
		return containerTitle(line, trimmed)
	case '@':
		if title, ok := tabOfVuePress(trimmed); ok {
			return paragraph("", title)
		}
		if shown, ok := embedded(trimmed); ok {
			return "\n" + shown + "\n"
		}
	case '(':
		if name, ok := between(trimmed, "(", ")="); ok && name != "" && !strings.ContainsAny(name, "()") { // in MyST, the name of what follows
			return "\n"
		}
	case '#':
		return t.heading(line, trimmed)
	case '[':
		for _, toc := range []string{"[toc]", "[[toc]]", "[[_toc_]]"} {
			if strings.EqualFold(trimmed, toc) {
				return "\n"
			}
		}
	case '!', '?', '=':
		if title, ok := t.box(trimmed); ok {
			t.boxes = append(t.boxes, indentation(t.whole))
			return paragraph(indentOf(line), title)
		}
	}
	return line
}

// isAbbreviation reports whether a line defines an abbreviation. It does not if its star begins
// emphasis that ends in the same paragraph.
func (t *reader) isAbbreviation(trimmed string) bool {
	inner, opened := strings.CutPrefix(trimmed, "*[")
	if !opened { // like most lines
		return false
	}
	name, meaning, ended := strings.Cut(inner, "]:")
	if !ended || name == "" || strings.Contains(name, "]") || strings.Contains(meaning, "*") {
		return false
	}
	for line := range strings.Lines(t.following) {
		if line = strings.TrimSpace(line); line == "" || isItem(line) {
			break
		}
		if star := strings.IndexByte(line, '*'); star >= 0 {
			return star == 0 || line[star-1] == ' '
		}
	}
	return true
}

// paragraph returns the title of a box as a paragraph of its own; a blank line if there is none.
func paragraph(indent, title string) string {
	if title == "" {
		return "\n"
	}
	return "\n" + indent + bold(title) + "\n\n"
}

// bold returns a title in bold. If it has bold words already, it is returned as it is, since their
// marks would run together with the new ones.
func bold(title string) string {
	if strings.Contains(title, "**") {
		return title
	}
	return "**" + title + "**"
}

// unindent removes the indentation of the open boxes from a line, and closes the boxes with
// indented contents that the line is not in. It also removes the indentation of nested :::
// containers, which would be code from four spaces on, and of the columns of DocFX.
func (t *reader) unindent(line string) string {
	if strings.TrimSpace(line) == "" {
		return line
	}
	if n := len(t.containers); n > 0 {
		space := t.containers[n-1] - t.containers[0]
		if t.code.fence == "" && isContainer(strings.TrimSpace(line)) {
			space = indentation(line)
		}
		if space >= 4 {
			line = line[min(len(indentOf(line)), space):]
		}
	}
	if n := len(t.columns); n > 0 {
		line = line[min(len(indentOf(line)), t.columns[n-1]):]
	}
	for open, column := range t.boxes {
		rest, ok := strings.CutPrefix(line, "    ")
		if tab := strings.IndexByte(line, '\t'); !ok && tab >= 0 && strings.TrimLeft(line[:tab], " ") == "" { // up to three spaces may stand before it
			rest, ok = line[tab+1:], true
		}
		if !ok || indentation(t.whole) < column+4 {
			t.boxes = t.boxes[:open]
			break
		}
		line = rest
	}
	return line
}

// alert reads the first line of an alert of GitHub, or of another program that lets it have a
// title; at is where [!KIND] begins. ok is false if the line is no alert.
func alert(line string, at int) (marked string, ok bool) {
	before := line[:at]
	kind, title, found := strings.Cut(line[at+len("[!"):], "]")
	if !found || !strings.Contains(before, ">") || strings.Trim(before, listAndQuote) != "" {
		return "", false
	}
	switch word, rest, _ := strings.Cut(kind, " "); { // of DocFX
	case strings.EqualFold(word, "div") && strings.HasPrefix(rest, "class="):
		return strings.TrimRight(quotesOf(before), " ") + "\n", true
	case strings.EqualFold(word, "video") && rest != "": // rest may also be the id of a video, for which there is no frame
		return before + strings.TrimSuffix(frame(rest), "\n") + "\n", true
	}
	kind, _, _ = strings.Cut(kind, "|") // after which Obsidian's themes say how the box looks
	if !isKind(kind) {
		return "", false
	}
	if title != "" && strings.ContainsRune("([:", rune(title[0])) { // a link
		return "", false
	}
	if title = strings.TrimSpace(strings.TrimLeft(title, "+-")); title == "" {
		title = capital(kind)
	}
	return before + bold(title) + "\n" + strings.TrimRight(quotesOf(before), " ") + "\n", true
}

// documented reads a line ::: package.Class, or a heading ## ::: package, which mkdocstrings
// replaces with documentation: it writes the name and skips the options that are indented below. It
// reports whether the line is of that form.
func (t *reader) documented(line, trimmed string) bool {
	hashes := leading(trimmed, "#")
	name, marked := strings.CutPrefix(strings.TrimLeft(trimmed[len(hashes):], " "), "::: ")
	if !marked { // like most lines
		return false
	}
	name = strings.TrimSpace(name)
	isName := strings.Contains(strings.TrimLeft(name, "."), ".") || hashes != "" && t.Python // else it may be a word
	if !isName || strings.TrimLeft(name, nameLetters+".") != "" || len(hashes) > 6 {
		return false
	}
	indent := indentOf(line)
	if hashes != "" {
		t.out.WriteString(indent + hashes + " `" + name + "`\n")
	} else {
		t.out.WriteString(paragraph(indent, "`"+name+"`"))
	}
	t.skipOptions(indentation(indent) + 2)
	return true
}

// slashed reads a line that begins a block of pymdownx.blocks, such as /// note | Title, or ends
// one: it writes the title, and skips the options that are indented below. It reports whether the
// line is such a line.
func (t *reader) slashed(line, trimmed string) bool {
	rest := strings.TrimLeft(trimmed, "/")
	if len(trimmed)-len(rest) < 3 {
		return false
	}
	kind, title, titled := strings.Cut(rest, "|")
	switch kind, title = strings.TrimSpace(kind), strings.Trim(strings.TrimSpace(title), `"`); {
	case rest == "" && t.slashes > 0:
		t.slashes--
		t.out.WriteString("\n")
		return true
	case !isKind(kind) || !titled && !isBox(kind) && !strings.HasSuffix(kind, "caption"): // other text that begins with slashes
		return false
	case kind == "html" || strings.HasSuffix(kind, "caption"): // after the bar are classes, or a number
		title = ""
	case title == "":
		title = capital(kind)
	}
	t.slashes++
	t.out.WriteString(paragraph(indentOf(line), title))
	t.skipOptions(indentation(line) + 2)
	return true
}

// enclosing reads a line that begins a component of Retype, such as !!!warning Title, ==- Title,
// +++ Tab or ||| Column, or that ends one with its sign alone: it writes the title. It reports
// whether the line is such a line. No component nests in another with the same sign: otherwise the
// ends of all of them would be searched for again and again.
func (t *reader) enclosing(line, trimmed string) bool {
	if len(trimmed) < 3 || strings.IndexByte("!=+|", trimmed[0]) < 0 || !slices.Contains([]string{"!!!", "===", "==-", "+++", "|||"}, trimmed[:3]) {
		return false
	}
	end, title := strings.Replace(trimmed[:3], "-", "=", 1), trimmed[3:]
	if end == "|||" && strings.Contains(title, "|") { // a row of a table whose first cells are empty
		return false
	}
	last := len(t.enclosed) - 1
	isOpen := last >= 0 && t.enclosed[last] == end
	isCallout, isTitled := end == "!!!", strings.HasPrefix(title, " ")
	switch {
	case title == "" && isOpen:
		t.enclosed = t.enclosed[:last]
	case isTitled && isOpen && !isCallout: // the next tab
	case slices.Contains(t.enclosed, end), !isTitled && !isCallout, strings.HasSuffix(title, `"`), !t.endsBelow(end):
		return false
	default:
		t.enclosed = append(t.enclosed, end)
	}
	if !isTitled { // the first word is the kind, of which readers see only a colour
		_, title, _ = strings.Cut(title, " ")
	}
	t.out.WriteString(paragraph(indentOf(line), strings.TrimSpace(title)))
	return true
}

// endsBelow reports whether a line below is nothing but this sign.
func (t *reader) endsBelow(sign string) bool {
	if t.vain >= maxVainBytes {
		return false
	}
	text := t.following
	for found := true; found; {
		var before string
		before, text, found = strings.Cut(text, sign)
		line, after := before[strings.LastIndexByte(before, '\n')+1:], strings.TrimLeft(text, " \t\r")
		if found && strings.TrimSpace(line) == "" && (after == "" || after[0] == '\n') {
			return true
		}
	}
	t.vain += len(t.following)
	return false
}

// skipOptions skips the lines below that are indented by at least this much, up to a blank one.
func (t *reader) skipOptions(indent int) {
	for option := range strings.Lines(t.following) {
		if strings.TrimSpace(option) == "" || indentation(option) < indent {
			break
		}
		t.skip += len(option)
	}
}

// tabOfVuePress returns the title in a line that begins a tab: @tab npm#id, @tab:active npm.
func tabOfVuePress(trimmed string) (title string, ok bool) {
	rest, ok := strings.CutPrefix(trimmed, "@tab")
	rest = strings.TrimPrefix(rest, ":active")
	if !ok || !strings.HasPrefix(rest, " ") {
		return "", false
	}
	title, _, _ = strings.Cut(rest, "#")
	return strings.TrimSpace(title), true
}

// embedded returns the iframe for a line of Zenn or markdown-it-video that shows another page, such
// as @[card](address) or @[youtube](id); "" if the line names the page in a way that only the other
// site understands. ok is false if it is no such line: @[name](address) may name a person.
func embedded(trimmed string) (shown string, ok bool) {
	inner, _ := between(trimmed, "@[", ")")
	switch kind, page, _ := strings.Cut(inner, "]("); kind {
	case "youtube":
		return frame("https://www.youtube.com/embed/" + page), true
	case "vimeo":
		return frame("https://player.vimeo.com/video/" + page), true
	case "card", "tweet", "speakerdeck", "slideshare", "docswell", "codepen", "jsfiddle", "codesandbox", "stackblitz", "figma", "gist":
		return frame(page), true
	}
	return "", false
}

// isBox reports whether readers see this kind above a box that has no title.
func isBox(kind string) bool {
	switch kind {
	case "note", "info", "tip", "hint", "important", "warning", "caution", "danger", "success", "details":
		return true
	}
	return false
}

// box returns the title in the first line of a box or a tab with indented contents.
func (t *reader) box(trimmed string) (title string, ok bool) {
	kind, quoted, titled := strings.Cut(strings.TrimSuffix(trimmed, `"`), ` "`)
	if titled && !strings.HasSuffix(trimmed, `"`) {
		return "", false
	}
	mark, kind, _ := strings.Cut(kind, " ")
	switch mark {
	case "!!!", "???", "???+":
		classes := strings.Fields(kind)
		if len(classes) == 0 && titled && mark != "!!!" {
			break
		}
		isClass := func(class string) bool { return isKind(class) || t.Python && strings.Trim(class, nameLetters) == "" }
		if len(classes) == 0 || slices.ContainsFunc(classes, func(class string) bool { return !isClass(class) }) {
			return "", false
		}
		kind = classes[0]
		contains := indentation(strings.TrimLeft(t.following, "\r\n")) >= indentation(t.whole)+4
		if !titled && !(t.Python && contains) && len(classes) > 1 && slices.ContainsFunc(classes[1:], func(class string) bool { return class != "inline" && class != "end" }) {
			return "", false // the line is a sentence
		}
	case "===", "===!", "===+":
		if !titled {
			return "", false
		}
	default:
		return "", false
	}
	if titled {
		return quoted, true
	}
	return capital(kind), true
}

// isKind reports whether a word may be the kind of a box.
func isKind(s string) bool {
	return s != "" && !strings.ContainsFunc(s, func(r rune) bool { return !unicode.IsLetter(r) && r != '-' && r != '_' })
}

// Capitals returns the words of a hyphenated name with capitals and with spaces between them.
func Capitals(name string) string {
	words := strings.FieldsFunc(name, func(r rune) bool { return r == '-' })
	for i, w := range words {
		words[i] = capital(w)
	}
	return strings.Join(words, " ")
}

// capital returns a word with its first letter in upper case and the others in lower case.
func capital(word string) string {
	word = strings.ToLower(word)
	r, size := utf8.DecodeRuneInString(word)
	return string(unicode.ToUpper(r)) + word[size:]
}

// isLiquid reports whether a text is nothing but a tag of Liquid.
func isLiquid(trimmed string) bool {
	inner, ok := between(trimmed, "{%", "%}")
	name, _, _ := strings.Cut(strings.TrimSpace(strings.Trim(inner, "-")), " ")
	return ok && isKind(name) && !strings.ContainsAny(inner, "{}")
}

// isScissors reports whether a line is the mark with which MkDocs includes files, such as --8<--.
func isScissors(line string) bool {
	rest := strings.TrimLeft(line, "-")
	return len(rest) < len(line) && strings.HasPrefix(rest, "8<-") && strings.Trim(rest, "8<-") == ""
}

// shownFiles skips the names of files that MkDocs includes, from a line with a mark up to the next
// line with the same mark. It reports whether mark, a line without white space around it, begins
// such names.
func (t *reader) shownFiles(mark string) bool {
	if !isScissors(mark) {
		return false
	}
	length := 0
	for next := range strings.Lines(t.following) {
		length += len(next)
		switch strings.TrimSpace(next) {
		case mark:
			t.out.WriteByte('\n')
			t.skip = length
			return true
		case "":
			return false
		}
	}
	return false
}
