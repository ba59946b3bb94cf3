package source

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"io/fs"
	"slices"
	"strings"

	"newsstand/builder/cache"
)

// readings is the cache's kind of what the bytes of a source file say, by its path.
const readings cache.Kind = 's'

// reading is what the bytes of a file say by themselves, whatever the site's settings,
// the file's name and the clock. So it is the same as long as the bytes are.
type reading struct {
	sum     [sha256.Size]byte // of the bytes
	broken  *syntaxError      // why nothing else can be told; nil where it can
	doc     document          // without its body and summary
	heading bool              // whether the body has a heading that is taken for the title
	empty   bool              // whether the body has no text
}

// reading reads a file, unless the cache knows what it says. The buffer may be used
// again.
func (s *scanner) reading(p string, buf []byte) (reading, []byte, error) {
	known, ok := s.cache.Get(readings, p)
	if ok && s.isUnchanged(p, known.Stamp) {
		if r, ok := decodeReading(known.Value); ok {
			return r, buf, nil
		}
	}
	buf, stamp, err := readFile(s.folder.content, p, buf)
	if err != nil {
		return reading{}, buf, err
	}
	sum := sha256.Sum256(buf)
	stamp = stamp.Settled(s.began)
	if ok && len(known.Value) > len(sum) && known.Value[:len(sum)] == string(sum[:]) { // only touched
		if r, ok := decodeReading(known.Value); ok {
			s.cache.Put(readings, p, cache.Entry{Stamp: stamp, Value: known.Value})
			return r, buf, nil
		}
	}
	r := read(buf, sum)
	if s.cache != nil {
		s.cache.Put(readings, p, cache.Entry{Stamp: stamp, Value: string(r.append(nil))})
	}
	return r, buf, nil
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
	if line, column, ok := validUTF8(data); !ok {
		r.broken = &syntaxError{line, column, "the file is not UTF-8", "save it as UTF-8, in an editor or with: iconv -f WINDOWS-1252 -t UTF-8"}
		return r
	}
	if r.doc, r.broken = parseDocument(data); r.broken != nil {
		return r
	}
	r.empty = len(bytes.TrimSpace(r.doc.body)) == 0
	r.heading = !r.doc.meta.has("title") && hasHeading(string(r.doc.body))
	r.doc.body = nil
	// Of what a scan asks nothing of, the summaries are most.
	r.doc.meta.fields = slices.DeleteFunc(r.doc.meta.fields, func(f field) bool {
		return f.value.kind == text && isSummary(strings.ToLower(f.key))
	})
	return r
}

// hasHeading reports whether Markdown has a heading that is taken for the title: one of the first
// level, or the only one of the second if it begins the text.
func hasHeading(body string) bool {
	code := codeLines{blank: true}
	text, begun, begins := false, false, false // whether the last line may be a heading that the next underlines, anything was before, and a heading
	for line := range strings.Lines(body) {
		if code.is(line) {
			text, begun = false, true
			continue
		}
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "# ") || strings.HasPrefix(line, "<h1") || text && line != "" && strings.Trim(line, "=") == "" {
			return true
		}
		if strings.HasPrefix(line, "## ") {
			begins = !begun
		}
		text = line != ""
		begun = begun || text && !isComment(line)
	}
	return begins
}

// append appends the reading for the cache.
func (r *reading) append(b []byte) []byte {
	b = append(b, r.sum[:]...)
	if r.broken != nil {
		return appendSyntaxError(append(b, 1), r.broken)
	}
	b = append(b, 0)
	for _, on := range [...]bool{r.heading, r.empty, r.doc.hasMeta} {
		if on {
			b = append(b, 1)
		} else {
			b = append(b, 0)
		}
	}
	b = binary.AppendUvarint(b, uint64(r.doc.bodyLine))
	b = binary.AppendUvarint(b, uint64(r.doc.head))
	return appendValue(b, r.doc.meta)
}

// decodeReading reads what append has written.
func decodeReading(text string) (r reading, ok bool) {
	from := cache.NewReader(text)
	copy(r.sum[:], from.Raw(len(r.sum)))
	if from.Byte() == 1 {
		r.broken = readSyntaxError(from)
		return r, from.Done()
	}
	r.heading, r.empty, r.doc.hasMeta = from.Byte() == 1, from.Byte() == 1, from.Byte() == 1
	r.doc.bodyLine = int(from.Uint())
	r.doc.head = int(from.Uint())
	r.doc.meta = readValue(from)
	return r, from.Done()
}

// appendValue appends a value and all within it.
func appendValue(b []byte, v value) []byte {
	quoted := byte(0)
	if v.quoted {
		quoted = 1
	}
	b = cache.AppendText(append(b, byte(v.kind)<<1|quoted), v.text)
	b = binary.AppendUvarint(binary.AppendUvarint(b, uint64(v.line)), uint64(v.column))
	b = binary.AppendUvarint(b, uint64(len(v.items)))
	for _, item := range v.items {
		b = appendValue(b, item)
	}
	b = binary.AppendUvarint(b, uint64(len(v.fields)))
	for _, f := range v.fields {
		b = binary.AppendUvarint(binary.AppendUvarint(cache.AppendText(b, f.key), uint64(f.line)), uint64(f.column))
		b = appendValue(b, f.value)
	}
	for _, errors := range [...][]*syntaxError{v.again, v.twice} {
		b = binary.AppendUvarint(b, uint64(len(errors)))
		for _, e := range errors {
			b = appendSyntaxError(b, e)
		}
	}
	return b
}

// readValue reads what appendValue has written.
func readValue(from *cache.Reader) value {
	first := from.Byte()
	v := value{kind: kind(first >> 1), quoted: first&1 == 1, text: from.Text(), line: int(from.Uint()), column: int(from.Uint())}
	if n := from.Len(); n > 0 {
		v.items = make([]value, n)
		for i := range v.items {
			v.items[i] = readValue(from)
		}
	}
	if n := from.Len(); n > 0 {
		v.fields = make([]field, n)
		for i := range v.fields {
			v.fields[i] = field{key: from.Text(), line: int(from.Uint()), column: int(from.Uint()), value: readValue(from)}
		}
	}
	for _, errors := range [...]*[]*syntaxError{&v.again, &v.twice} {
		if n := from.Len(); n > 0 {
			*errors = make([]*syntaxError, n)
			for i := range *errors {
				(*errors)[i] = readSyntaxError(from)
			}
		}
	}
	return v
}

func appendSyntaxError(b []byte, e *syntaxError) []byte {
	b = binary.AppendUvarint(binary.AppendUvarint(b, uint64(e.line)), uint64(e.column))
	return cache.AppendText(cache.AppendText(b, e.what), e.hint)
}

func readSyntaxError(from *cache.Reader) *syntaxError {
	return &syntaxError{int(from.Uint()), int(from.Uint()), from.Text(), from.Text()}
}
