package source

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"io/fs"
	"slices"
	"strings"

	"newsstand/builder/cache"
	"newsstand/builder/source/dialect"
	"newsstand/builder/source/frontmatter"
	"newsstand/builder/source/include"
)

// readings is the kind of the cache entries that hold a reading, by the path of the file.
const readings cache.Kind = 's'

// reading is what the bytes of a file say by themselves, regardless of the site's settings, the
// file's name and the clock. So it stays the same as long as the bytes do.
type reading struct {
	sum      [sha256.Size]byte    // digest of the bytes
	broken   *frontmatter.Error   // why the front matter cannot be read; nil if it can
	doc      frontmatter.Document // without its body and the summary keys
	drafts   bool                 // whether a file that is broken, or may be, has the word draft or cascade
	heading  bool                 // whether the body has a heading that is taken for the title
	includes include.Forms        // of the marks by which the body may include other files
	unspaced bool                 // whether it has one only if a heading needs no space after its #
	empty    bool                 // whether the body has no text
	stray    *frontmatter.Error   // where the body says that the article is a draft, as only front matter can; nil if it does not
	begins   bool                 // whether that is at the beginning of the file, as in front matter with wrong fences
	titled   *frontmatter.Error   // where the body has a title written as in front matter; nil if it has none, or if there is front matter
	heads    bool                 // whether that is at the beginning of the file, so that a heading below it is not a better title
	unended  *frontmatter.Error   // what keeps the end of the text from readers; nil if nothing does
	unmerged *frontmatter.Error   // where the body has two versions of a passage; nil if it has not
}

// reading reads a file as the site's generator does.
func (s *scanner) reading(p string) (reading, error) {
	r, err := s.anyReading(p)
	u := &s.Site.rules
	reads := u.pelican != nil || u.dialect.Logseq && r.doc.Unfenced != frontmatter.OpenHead
	if r.doc.Tabbed {
		reads = u.hexo.lax
	}
	if !reads {
		r.broken = cmp.Or(r.broken, r.doc.Fault)
	}
	return r, err
}

// anyReading returns the reading of a file for any generator, from the cache if the file is
// unchanged.
func (s *scanner) anyReading(p string) (reading, error) {
	known, _ := s.cache.Get(readings, p)
	r, ok := decodeReading(known.Value)
	if ok && s.isUnchanged(p, known.Stamp) {
		return r, nil
	}
	buffer := s.buffers.Get().(*[]byte)
	defer s.buffers.Put(buffer)
	data, stamp, err := readFile(s.content, p, *buffer)
	if *buffer = data; err != nil {
		return reading{}, err
	}
	if err := InPlace(s.content, p); err != nil {
		return reading{}, err
	}
	if sum := sha256.Sum256(data); !ok || r.sum != sum { // else it was written again with the same bytes
		r = newReading(data, sum)
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
	info, err := fs.Stat(s.content, p)
	return err == nil && cache.StampOf(info) == known
}

// newReading makes a reading of a file's bytes, whose digest is sum.
func newReading(data []byte, sum [sha256.Size]byte) reading {
	r := reading{sum: sum}
	r.doc, r.broken = frontmatter.Parse(data)
	if r.doc.Unfenced == frontmatter.OpenHead { // then only the site's generator tells whether it is broken
		r.doc.Fault, r.broken = r.broken, nil
	}
	if r.broken != nil || r.doc.Fault != nil {
		text := bytes.ToLower(data)
		r.drafts = bytes.Contains(text, []byte("draft")) || bytes.Contains(text, []byte("cascade"))
	}
	if r.broken != nil {
		return r
	}
	r.empty = len(bytes.TrimSpace(r.doc.Body)) == 0
	r.includes = include.FormsIn(r.doc.Body)
	r.stray, r.begins = strayDraft(r.doc.Body, r.doc.BodyLine, !r.doc.HasMeta)
	if !r.doc.HasMeta {
		r.titled, r.heads = strayTitle(r.doc.Body, r.doc.BodyLine)
	}
	r.unended = unended(r.doc.Body, r.doc.BodyLine)
	r.unmerged = unmerged(r.doc.Body, r.doc.BodyLine)
	if !r.doc.Meta.Has("title") || r.doc.Unfenced == frontmatter.Properties {
		r.heading = dialect.HasHeading(string(r.doc.Body), false)
		r.unspaced = !r.heading && dialect.HasHeading(string(r.doc.Body), true)
	}
	r.doc.Body = nil
	// A scan does not need the summaries, which are the longest values.
	r.doc.Meta.Fields = slices.DeleteFunc(r.doc.Meta.Fields, func(f frontmatter.Field) bool {
		return f.Value.Kind == frontmatter.Text && isSummary(strings.ToLower(f.Key))
	})
	return r
}

// flags returns the flags of a reading, in the order in which the cache stores them.
func (r *reading) flags() [8]*bool {
	return [...]*bool{&r.heading, &r.unspaced, &r.empty, &r.begins, &r.heads, &r.doc.HasMeta, &r.doc.Tabbed, &r.drafts}
}

// mistakes returns the mistakes of a file that can be read, in the order in which the cache stores
// them.
func (r *reading) mistakes() [5]**frontmatter.Error {
	return [...]**frontmatter.Error{&r.doc.Fault, &r.stray, &r.titled, &r.unended, &r.unmerged}
}

// encode returns the reading in the form in which the cache stores it.
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
	b = binary.AppendUvarint(b, uint64(r.includes))
	b = binary.AppendUvarint(b, uint64(r.doc.BodyLine))
	b = append(b, byte(r.doc.Unfenced))
	b = binary.AppendUvarint(b, uint64(r.doc.Head))
	return appendValue(b, r.doc.Meta)
}

// decodeReading reads what encode has written; ok is false if the text is not such a form.
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
	r.includes = include.Forms(from.Uint())
	r.doc.BodyLine = int(from.Uint())
	r.doc.Unfenced = frontmatter.Unfenced(from.Byte())
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
