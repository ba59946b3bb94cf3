package index

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"strconv"
	"strings"

	"newsstand/builder/article"
)

// format is the version of what is written into the folder. It also goes up with every change of
// the analysis, so that a search never uses other words than the index was written with.
const format = "49"

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

// parseHead parses a head that withSum encoded. The error is ErrDamaged, also for a head of another
// format.
func parseHead(b []byte) (h head, err error) {
	text, ok := cutSum(b)
	if !ok {
		return h, fmt.Errorf("%w: its head does not have the checksum that it begins with", ErrDamaged)
	}
	if err := json.Unmarshal(text, &h); err != nil {
		return h, fmt.Errorf("%w: head: %w", ErrDamaged, err)
	}
	if h.Format != format {
		return h, fmt.Errorf("%w: it has format %q, this program reads %q", ErrDamaged, h.Format, format)
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
	t.Length += int64(times * r.length)
	if t.Languages[r.language] += times; t.Languages[r.language] == 0 {
		delete(t.Languages, r.language)
	}
	t.Digests ^= r.sum()
}

// row is what a column keeps of an article, so that it can be read without the text.
type row struct {
	digest    string // hexadecimal
	published int64  // Unix seconds; an article without a date is of the year 1, before all others
	length    int    // weighted words
	language  string // base code
}

// sum returns the first eight bytes of the digest.
func (r row) sum() uint64 {
	sum, _ := strconv.ParseUint(r.digest[:min(16, len(r.digest))], 16, 64) // 0 if the digest is not hexadecimal
	return sum
}

// encode returns a row as text, which must not contain the byte 0xFF, the engine's separator.
func (r row) encode() string {
	return fmt.Sprintf("%s %d %d %s", r.digest, r.published, r.length, r.language)
}

func parseRow(s string) (r row, err error) {
	parts := strings.SplitN(s, " ", 4)
	if len(parts) != 4 {
		return r, fmt.Errorf("%w: a row has %d columns", ErrDamaged, len(parts))
	}
	r.digest, r.language = parts[0], parts[3]
	if r.published, err = strconv.ParseInt(parts[1], 10, 64); err == nil {
		r.length, err = strconv.Atoi(parts[2])
	}
	if err != nil {
		return r, fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	return r, nil
}
