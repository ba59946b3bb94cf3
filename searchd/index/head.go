package index

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"strconv"

	"newsstand/builder/article"
)

// format is the version of what is written into the folder. It also goes up with every change of
// the analysis, so that a search never uses other words than the index was written with.
const format = "58"

// keyHead is the engine's key for the head, preceded by its CRC-32. The engine writes it together
// with the documents in one atomic step.
const keyHead = "head"

// head says which revision the documents belong to.
type head struct {
	Format   string                 `json:"format"`
	Revision string                 `json:"revision"`
	Settings article.SearchSettings `json:"settings"`
	State    []byte                 `json:"state"`
	Totals   totals                 `json:"totals"`
	Frequent frequent               `json:"frequent"`
}

// parseHead parses a head that withSum encoded. The error is ErrDamaged, and ErrFormat for a head
// of another format.
func parseHead(b []byte) (h head, err error) {
	text, ok := cutSum(b)
	if !ok {
		return h, fmt.Errorf("%w: its head does not have the checksum that it begins with", ErrDamaged)
	}
	if err := json.Unmarshal(text, &h); err != nil {
		return h, fmt.Errorf("%w: head: %w", ErrDamaged, err)
	}
	if h.Format != format {
		return h, fmt.Errorf("%w: it has format %q, this program reads %q", ErrFormat, h.Format, format)
	}
	return h, nil
}

// withSum returns the JSON of a value after its CRC-32.
func withSum(v any) ([]byte, error) {
	text, err := json.Marshal(v)
	return append(binary.BigEndian.AppendUint32(nil, crc32.ChecksumIEEE(text)), text...), err
}

// cutSum returns what follows a CRC-32, and whether the CRC-32 is that of what follows.
func cutSum(b []byte) (text []byte, ok bool) {
	if len(b) < crc32.Size {
		return nil, false
	}
	text = b[crc32.Size:]
	return text, binary.BigEndian.Uint32(b) == crc32.ChecksumIEEE(text)
}

// totals are sums over all articles. They are exact, whatever the history of the index, so that the
// same articles get the same scores.
type totals struct {
	Articles int   `json:"articles"`
	Length   int64 `json:"length"` // weighted words
	// Languages counts articles by language; queries are stemmed in each language.
	Languages map[string]int `json:"languages"`
	// Digests is the exclusive or of the first eight bytes of all digests. It identifies the set of
	// articles, whatever their order.
	Digests uint64 `json:"digests"`
}

// add adds an article to the totals (times is 1) or removes it (times is -1).
func (t *totals) add(r row, times int) {
	t.Articles += times
	t.Length += int64(times * r.length())
	language := r.language()
	if t.Languages[language] += times; t.Languages[language] == 0 {
		delete(t.Languages, language)
	}
	t.Digests ^= r.sum()
}

// row is what a column keeps of an article, so that it can be read without the text: when it was
// published (8 bytes), its length (4), its digest (hexadecimal) and the base code of its language.
type row []byte

func newRow(published int64, length int, digest, language string) row {
	r := binary.BigEndian.AppendUint64(nil, uint64(published))
	r = binary.BigEndian.AppendUint32(r, uint32(length))
	return append(append(r, digest...), language...)
}

// published returns when the article was published, in Unix seconds. An article without a date is
// of the year 1, before all others.
func (r row) published() int64 { return int64(binary.BigEndian.Uint64(r)) }

// length returns how many words the article has, weighted.
func (r row) length() int { return int(binary.BigEndian.Uint32(r[8:])) }

func (r row) digest() string { return string(r[12 : 12+digestHex]) }

func (r row) language() string { return string(r[12+digestHex:]) }

// sum returns the first eight bytes of the digest; 0 if the digest is not hexadecimal.
func (r row) sum() uint64 {
	sum, _ := strconv.ParseUint(r.digest()[:16], 16, 64)
	return sum
}
