package publication

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/gzip"

	"newsstand/builder/article"
)

// packLevel is gzip's fastest. Slower ones make chunks a fifth smaller and take three
// times as long, longer than rendering them; a chunk is sent only when it changed.
const packLevel = gzip.BestSpeed

// packer packs chunks, one after the other.
type packer struct {
	zip *gzip.Writer
	out bytes.Buffer
}

func newPacker() *packer {
	zip, err := gzip.NewWriterLevel(nil, packLevel)
	if err != nil { // there is no such level
		panic(err)
	}
	return &packer{zip: zip}
}

// pack returns a chunk and its bytes, which are valid until the packer is used again. If the
// published chunk of this number has the same lines, it returns that one: reading is faster than
// packing, and the chunk stays the same even if another version of the compressor would pack it
// differently.
func (w *Writer) pack(p *packer, number, count int, articles []Record) (c Chunk, packed []byte, err error) {
	if c, ok := w.lastChunk(number, count); ok && c.Articles == len(articles) {
		if packed, err := w.last.read(c.File); err == nil { // a damaged one is packed anew
			if old, err := unpack(packed, MaxChunkBytes); err == nil && hasLines(old, articles) {
				return c, packed, nil
			}
		}
	}
	p.out.Reset()
	p.zip.Reset(&p.out)
	for _, a := range articles {
		p.zip.Write(a.Line) // a Buffer takes everything
	}
	if err := p.zip.Close(); err != nil {
		return c, nil, err
	}
	packed = p.out.Bytes()
	sum := sha256.Sum256(packed)
	return Chunk{File: newFile(article.ChunkPath(hex.EncodeToString(sum[:])), packed, sum), Number: number, Articles: len(articles)}, packed, nil
}

// lastChunk returns the published chunk with a number, if there are as many chunks as in this
// build.
func (w *Writer) lastChunk(number, count int) (Chunk, bool) {
	if w.last == nil || ChunkCount(w.last.manifest.Articles) != count {
		return Chunk{}, false
	}
	return w.last.manifest.chunk(number)
}

// hasLines reports whether lines are those of the articles.
func hasLines(lines []byte, articles []Record) bool {
	for _, a := range articles {
		rest, ok := bytes.CutPrefix(lines, a.Line)
		if !ok {
			return false
		}
		lines = rest
	}
	return len(lines) == 0
}

// unpack returns the lines of a packed chunk, at most so many bytes: one gzip member
// and nothing after it.
func unpack(packed []byte, most int64) ([]byte, error) {
	in := bytes.NewReader(packed)
	zr, err := gzip.NewReader(in)
	if err != nil {
		return nil, err
	}
	zr.Multistream(false)
	var lines bytes.Buffer
	if size := int64(binary.LittleEndian.Uint32(packed[len(packed)-4:])); size <= most { // what the member says; it may lie
		lines.Grow(int(size) + bytes.MinRead)
	}
	if _, err := lines.ReadFrom(io.LimitReader(zr, most+1)); err != nil {
		return nil, err
	}
	if int64(lines.Len()) > most {
		return nil, fmt.Errorf("it unpacks to more than %d bytes", most)
	}
	if in.Len() > 0 {
		return nil, errors.New("something follows the gzip member")
	}
	return lines.Bytes(), nil
}

// idOfLine returns the id of an article's line. Encode writes it first, and a valid
// id needs no escaping, so it is found without decoding the whole line.
func idOfLine(line []byte) (id string, ok bool) {
	rest, ok := bytes.CutPrefix(line, []byte(`{"id":"`))
	if !ok {
		return "", false
	}
	name, _, ok := bytes.Cut(rest[:min(len(rest), article.MaxIDBytes+1)], []byte(`"`))
	id = string(name)
	return id, ok && article.ValidID(id)
}
