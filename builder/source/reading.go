package source

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"newsstand/builder/cache"
	"newsstand/builder/source/dialect"
	"newsstand/builder/source/frontmatter"
)

// readings is the kind of the cache's entries that hold a reading, by the path of the file.
const readings cache.Kind = 's'

// reading is what the bytes of a file say by themselves, whatever the site's settings,
// the file's name and the clock. So it stays the same as long as the bytes do.
type reading struct {
	sum      [sha256.Size]byte    // digest of the bytes
	broken   *frontmatter.Error   // why the front matter cannot be read; nil where it can
	doc      frontmatter.Document // without its body and the summary keys
	drafts   bool                 // whether a file that is broken has the word draft or cascade
	heading  bool                 // whether the body has a heading that is taken for the title
	unspaced bool                 // whether it has one where a heading needs no space behind its #, and else none
	empty    bool                 // whether the body has no text
	stray    *frontmatter.Error   // where the body says that the article is a draft, as only a front matter can; nil where it does not
	begins   bool                 // whether that is at the beginning of the file, as of a front matter with wrong fences
	titled   *frontmatter.Error   // where the body has a title as only a front matter has one; nil where there is a front matter
	heads    bool                 // whether that is at the beginning of the file, so that a heading below it is no better title
	unended  *frontmatter.Error   // what keeps the end of the text from readers; nil where nothing does
	unmerged *frontmatter.Error   // where the body has two versions of something; nil where it has not
}

// reading reads a file as the site's generator does.
func (s *scanner) reading(p string) (reading, error) {
	r, err := s.anyReading(p)
	if u := &s.folder.Site.rules; r.doc.Tabbed && !u.hexo.lax || !r.doc.Tabbed && u.pelican == nil && !u.dialect.Logseq {
		r.broken = cmp.Or(r.broken, r.doc.Fault)
	}
	return r, err
}

// anyReading reads a file, unless the cache has its reading.
func (s *scanner) anyReading(p string) (reading, error) {
	known, _ := s.cache.Get(readings, p)
	r, ok := decodeReading(known.Value)
	if ok && s.isUnchanged(p, known.Stamp) {
		return r, nil
	}
	buffer := s.folder.buffers.Get().(*[]byte)
	defer s.folder.buffers.Put(buffer)
	data, stamp, err := readFile(s.folder.content, p, *buffer)
	if *buffer = data; err != nil {
		return reading{}, err
	}
	if sum := sha256.Sum256(data); !ok || r.sum != sum { // else it was written again with the same bytes
		r = read(data, sum)
	}
	if s.cache != nil {
		s.cache.Put(readings, p, cache.Entry{Stamp: stamp.Settled(s.began), Value: string(r.encode())})
	}
	return r, nil
}

// isUnchanged reports whether a file still has the stamp under which the cache knows it.
func (s *scanner) isUnchanged(p string, known cache.Stamp) bool {
	if known == (cache.Stamp{}) {
		return false
	}
	info, err := fs.Stat(s.folder.content, p)
	return err == nil && cache.StampOf(info) == known
}

// read makes a reading of a file's bytes.
func read(data []byte, sum [sha256.Size]byte) reading {
	r := reading{sum: sum}
	if r.doc, r.broken = frontmatter.Parse(data); r.broken != nil || r.doc.Fault != nil {
		text := bytes.ToLower(data)
		r.drafts = bytes.Contains(text, []byte("draft")) || bytes.Contains(text, []byte("cascade"))
	}
	if r.broken != nil {
		return r
	}
	r.empty = len(bytes.TrimSpace(r.doc.Body)) == 0
	r.stray, r.begins = strayDraft(r.doc.Body, r.doc.BodyLine, !r.doc.HasMeta)
	if !r.doc.HasMeta {
		r.titled, r.heads = strayTitle(r.doc.Body, r.doc.BodyLine)
	}
	r.unended = unended(r.doc.Body, r.doc.BodyLine)
	r.unmerged = unmerged(r.doc.Body, r.doc.BodyLine)
	if !r.doc.Meta.Has("title") || r.doc.Properties {
		r.heading = dialect.HasHeading(string(r.doc.Body), false)
		r.unspaced = !r.heading && dialect.HasHeading(string(r.doc.Body), true)
	}
	r.doc.Body = nil
	// A scan needs no summaries, which are the longest values.
	r.doc.Meta.Fields = slices.DeleteFunc(r.doc.Meta.Fields, func(f frontmatter.Field) bool {
		return f.Value.Kind == frontmatter.Text && isSummary(strings.ToLower(f.Key))
	})
	return r
}

// strayDraft returns where the beginning of a text, whose first line is the given one of the file,
// says that the article is a draft, as the front matter should: it may be without fences, with
// wrong ones, or below a heading. It is nil where the text does not. begins tells whether nothing
// but such a front matter stands before it; it may be only where the text is the whole file.
func strayDraft(text []byte, line int, whole bool) (e *frontmatter.Error, begins bool) {
	const mostLines, mostBytes = 40, 4 << 10
	text = text[:min(len(text), mostBytes)]
	has := func(word string) bool { return bytes.Contains(text, []byte(word)) }
	if !has("raft") && !has("RAFT") && !has("ublished") && !has("UBLISHED") { // most articles, which need not be looked at line by line
		return nil, false
	}
	last, shown := line+mostLines, false
	begins = whole
	for l, isCode := range dialect.Lines(string(text)) {
		if line == last {
			break
		}
		s := strings.TrimSpace(l)
		if strings.HasPrefix(s, "{{<") || strings.HasPrefix(s, "{{%") || strings.HasPrefix(s, "{%") { // its template may show the text as code
			dense := strings.ReplaceAll(s, " ", "")
			shown = !strings.Contains(dense, "{{</") && !strings.Contains(dense, "{{%/") && !strings.HasSuffix(dense, "/>}}") &&
				!strings.Contains(dense, "{%end")
		}
		isShown := shown || isCode && !begins || strings.HasPrefix(l, "    ") || strings.HasPrefix(l, "\t")
		if field := draftIn(s); field != "" && !isShown {
			otherwise := "put it in a block of code"
			if begins {
				otherwise = "write draft: false there"
			}
			return strayKey(line, field, "keeps nothing back", "; if readers are to see the line, "+otherwise), begins
		}
		begins = begins && isOfHead(l)
		line++
	}
	return nil, false
}

// draftIn returns the field of a line by which an article is a draft, "" where there is none. In
// JSON, or what was meant as that, a line may have several.
func draftIn(line string) string {
	fields := []string{line}
	if strings.HasPrefix(line, "{") {
		fields = strings.Split(strings.Trim(line, "{}"), ",")
	}
	if i := slices.IndexFunc(fields, saysDraft); i >= 0 && len(line) <= 200 {
		return fields[i]
	}
	return ""
}

// isOfHead reports whether a line may be one of a front matter, or was meant as its fence: signs
// with at most a word behind them, such as ----, *** and ```yaml, or dashes of several kinds: some
// systems make —- of --- as it is typed, and others \---.
func isOfHead(line string) bool {
	s := strings.TrimSpace(line)
	if strings.Trim(s, `{}-–—\`) == "" || strings.HasPrefix(line, " ") || strings.HasPrefix(s, "- ") || strings.HasPrefix(s, "<!--") {
		return true
	}
	sign, size := utf8.DecodeRuneInString(s)
	word := strings.TrimSpace(strings.TrimLeft(s, string(sign)))
	isFence := sign != '#' && !unicode.IsLetter(sign) && strings.HasPrefix(s[size:], string(sign)) && strings.TrimFunc(word, unicode.IsLetter) == ""
	at := strings.IndexAny(s, ":=：")
	return isFence || at > 0 && !strings.ContainsAny(strings.TrimSpace(s[:at]), " \t")
}

// strayTitle returns where one of the first lines of a text, whose first line is the given one of
// the file, has a title as a front matter has it. heads tells whether nothing but such a front
// matter stands before it, no comment and no mark of a merge: then a heading below it is no better
// title.
func strayTitle(text []byte, line int) (e *frontmatter.Error, heads bool) {
	heads = true
	for first := range 5 {
		l, rest, _ := bytes.Cut(text, []byte("\n"))
		if at := bytes.IndexAny(l, ":="); at > 0 && len(l) <= 200 &&
			strings.EqualFold(strings.Trim(string(l[:at]), " \t{\"'“”\u200b\ufeff"), "title") {
			return strayKey(line+first, string(l), "is no title", ""), heads && !bytes.HasPrefix(l[at:], []byte("::")) // a field of notes
		}
		heads = heads && isOfHead(string(l)) && !bytes.HasPrefix(l, []byte("<"))
		text = rest
	}
	return nil, false
}

func strayKey(line int, field, does, otherwise string) *frontmatter.Error {
	return &frontmatter.Error{Line: line, Column: 1, What: fmt.Sprintf("%q stands in the text, where it %s", strings.TrimSpace(field), does),
		Hint: `begin the file with the front matter, between two lines "---"` + otherwise}
}

// saysDraft reports whether a line is nothing but a key with a value by which an article is a
// draft.
func saysDraft(line string) bool {
	at := strings.IndexAny(line, ":=：")
	if at < 0 {
		return false
	}
	const signs = " \t\"'“”,;：\u00a0\u200b\ufeff"
	key, value := strings.Trim(line[:at], signs), strings.Trim(line[at:], signs+":=")
	switch strings.ToLower(key) {
	case "draft":
		return strings.EqualFold(value, "true") || strings.EqualFold(value, "yes")
	case "published":
		return strings.EqualFold(value, "false") || strings.EqualFold(value, "no")
	}
	return false
}

// part is a part of a text between two marks, such as a comment or a script.
type part struct{ begin, end string }

func (p part) isElement() bool { return strings.HasPrefix(p.end, "</") }

// beginsWith reports whether the part begins where a line does.
func (p part) beginsWith(line string) bool {
	rest, ok := strings.CutPrefix(line, p.begin)
	return ok && (!p.isElement() || rest == "" || strings.IndexByte("> \r\n", rest[0]) >= 0)
}

// unended returns where a comment, a script or another element begins that has no end in a text,
// whose first line is the given one of the file. To Markdown and to browsers the rest of the text
// is a part of it.
func unended(text []byte, line int) *frontmatter.Error {
	parts := []part{
		{"<!--", "-->"}, {"<?", "?>"}, {"<![CDATA[", "]]>"},
		{"<script", "</script>"}, {"<style", "</style>"}, {"<title", "</title>"}, {"<noscript", "</noscript>"},
	}
	lastIsOpen := func(p part) bool {
		if !bytes.Contains(text, []byte(p.begin)) { // as in most; LastIndex looks at each byte
			return false
		}
		return !bytes.Contains(text[bytes.LastIndex(text, []byte(p.begin)):], []byte(p.end))
	}
	if !slices.ContainsFunc(parts, lastIsOpen) { // most texts need not be read
		return nil
	}
	var open part
	at := 0 // the line where it begins
	for l, isCode := range dialect.Lines(string(text)) {
		l = strings.TrimLeft(l, " ")
		if open.begin == "" && !isCode {
			if i := slices.IndexFunc(parts, func(p part) bool { return p.beginsWith(l) }); i >= 0 {
				open, at = parts[i], line
				l = l[len(open.begin):]
			}
		}
		if open.begin != "" && (strings.Contains(l, open.end) || open.isElement() && strings.HasSuffix(strings.TrimSpace(l), "/>")) { // the latter in MDX
			open = part{}
		}
		line++
	}
	what := "the " + open.begin
	switch {
	case open.begin == "":
		return nil
	case open.begin == "<!--":
		what = "the comment"
	case open.isElement():
		what += ">"
	}
	return &frontmatter.Error{Line: at, Column: 1, What: what + " that begins here has no end, so that readers get nothing of the text below",
		Hint: "put " + open.end + " behind it"}
}

// unmerged finds a text in which Git has left two versions of a passage, between lines with <<<<<<<
// and >>>>>>>, for its author to choose. It returns the mistake at the first of these lines, and
// nil where there are none, or only in code, as in an article about Git. line is that of the file
// in which the text begins.
func unmerged(text []byte, line int) *frontmatter.Error {
	if !bytes.Contains(text, []byte("<<<<<<< ")) || !bytes.Contains(text, []byte("\n>>>>>>> ")) { // most texts need not be read
		return nil
	}
	begin := 0 // the line of the first mark; 0 before it
	for l, isCode := range dialect.Lines(string(text)) {
		switch {
		case isCode:
		case begin == 0 && strings.HasPrefix(l, "<<<<<<< "):
			begin = line
		case begin > 0 && strings.HasPrefix(l, ">>>>>>> "):
			return frontmatter.Unmerged(begin)
		}
		line++
	}
	return nil
}

// flags returns what is true or false of a file, in the order in which the cache has it.
func (r *reading) flags() [11]*bool {
	return [...]*bool{&r.heading, &r.unspaced, &r.empty, &r.begins, &r.heads, &r.doc.HasMeta, &r.doc.Exported, &r.doc.Properties, &r.doc.Lone, &r.doc.Tabbed, &r.drafts}
}

// mistakes returns those of a file that can be read, in that order.
func (r *reading) mistakes() [5]**frontmatter.Error {
	return [...]**frontmatter.Error{&r.doc.Fault, &r.stray, &r.titled, &r.unended, &r.unmerged}
}

// encode returns the reading in its form in the cache.
func (r *reading) encode() []byte {
	b := slices.Clone(r.sum[:])
	if r.broken != nil {
		return appendFlag(appendSyntaxError(append(b, 1), r.broken), r.drafts)
	}
	b = append(b, 0)
	for _, on := range r.flags() {
		b = appendFlag(b, *on)
	}
	for _, e := range r.mistakes() {
		if b = appendFlag(b, *e != nil); *e != nil {
			b = appendSyntaxError(b, *e)
		}
	}
	b = binary.AppendUvarint(b, uint64(r.doc.BodyLine))
	b = binary.AppendUvarint(b, uint64(r.doc.Head))
	return appendValue(b, r.doc.Meta)
}

// decodeReading reads what encode has written.
func decodeReading(text string) (r reading, ok bool) {
	from := cache.NewReader(text)
	copy(r.sum[:], from.Raw(len(r.sum)))
	if from.Byte() == 1 {
		r.broken = readSyntaxError(from)
		r.drafts = from.Byte() == 1
		return r, from.Done()
	}
	for _, on := range r.flags() {
		*on = from.Byte() == 1
	}
	for _, e := range r.mistakes() {
		if from.Byte() == 1 {
			*e = readSyntaxError(from)
		}
	}
	r.doc.BodyLine = int(from.Uint())
	r.doc.Head = int(from.Uint())
	r.doc.Meta = readValue(from)
	return r, from.Done()
}

func appendFlag(b []byte, on bool) []byte {
	if on {
		return append(b, 1)
	}
	return append(b, 0)
}

// appendValue appends a value and all values within it.
func appendValue(b []byte, v frontmatter.Value) []byte {
	quoted := byte(0)
	if v.Quoted {
		quoted = 1
	}
	b = cache.AppendText(append(b, byte(v.Kind)<<1|quoted), v.Text)
	b = binary.AppendUvarint(binary.AppendUvarint(b, uint64(v.Line)), uint64(v.Column))
	b = binary.AppendUvarint(b, uint64(len(v.Items)))
	for _, item := range v.Items {
		b = appendValue(b, item)
	}
	b = binary.AppendUvarint(b, uint64(len(v.Fields)))
	for _, f := range v.Fields {
		b = binary.AppendUvarint(binary.AppendUvarint(cache.AppendText(b, f.Key), uint64(f.Line)), uint64(f.Column))
		b = appendValue(b, f.Value)
	}
	for _, errors := range [...][]*frontmatter.Error{v.Again, v.Twice} {
		b = binary.AppendUvarint(b, uint64(len(errors)))
		for _, e := range errors {
			b = appendSyntaxError(b, e)
		}
	}
	return b
}

// readValue reads what appendValue has written.
func readValue(from *cache.Reader) frontmatter.Value {
	first := from.Byte()
	v := frontmatter.Value{
		Kind:   frontmatter.Kind(first >> 1),
		Quoted: first&1 == 1,
		Text:   from.Text(),
		Line:   int(from.Uint()),
		Column: int(from.Uint()),
	}
	if n := from.Len(); n > 0 {
		v.Items = make([]frontmatter.Value, n)
		for i := range v.Items {
			v.Items[i] = readValue(from)
		}
	}
	if n := from.Len(); n > 0 {
		v.Fields = make([]frontmatter.Field, n)
		for i := range v.Fields {
			v.Fields[i] = frontmatter.Field{Key: from.Text(), Line: int(from.Uint()), Column: int(from.Uint()), Value: readValue(from)}
		}
	}
	for _, errors := range [...]*[]*frontmatter.Error{&v.Again, &v.Twice} {
		if n := from.Len(); n > 0 {
			*errors = make([]*frontmatter.Error, n)
			for i := range *errors {
				(*errors)[i] = readSyntaxError(from)
			}
		}
	}
	return v
}

func appendSyntaxError(b []byte, e *frontmatter.Error) []byte {
	b = binary.AppendUvarint(binary.AppendUvarint(b, uint64(e.Line)), uint64(e.Column))
	return cache.AppendText(cache.AppendText(b, e.What), e.Hint)
}

func readSyntaxError(from *cache.Reader) *frontmatter.Error {
	return &frontmatter.Error{Line: int(from.Uint()), Column: int(from.Uint()), What: from.Text(), Hint: from.Text()}
}

// maxFileBytes is the largest size of an article's file: a long novel has a tenth of it.
const maxFileBytes = 10 << 20

// tooLarge is the error of a file above maxFileBytes.
type tooLarge struct{}

func (tooLarge) Error() string { return fmt.Sprintf("the file is larger than %d MB", maxFileBytes>>20) }

// readFile reads a file of at most maxFileBytes, into buf where it fits, and returns its
// stamp from before it was read.
func readFile(fsys fs.FS, name string, buf []byte) ([]byte, cache.Stamp, error) {
	f, err := fsys.Open(name)
	if err != nil {
		return buf, cache.Stamp{}, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return buf, cache.Stamp{}, err
	}
	stamp := cache.StampOf(info)
	if info.Size() > maxFileBytes {
		return buf, stamp, tooLarge{}
	}
	b := bytes.NewBuffer(buf[:0])
	b.Grow(int(info.Size()) + bytes.MinRead)
	_, err = b.ReadFrom(io.LimitReader(f, maxFileBytes+1))
	if err == nil && b.Len() > maxFileBytes {
		err = tooLarge{}
	}
	return b.Bytes(), stamp, err
}

// ChangedError says that a file was written or removed after the folder was scanned.
// What the scan decided, such as whether the article is a draft, no longer holds for it:
// scan again.
type ChangedError struct{ Path string }

func (e ChangedError) Error() string { return e.Path + " was changed while it was read" }
