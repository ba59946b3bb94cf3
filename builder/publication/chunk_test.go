//go:build unix

package publication

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"strings"
	"testing"
	"testing/fstest"

	"newsstand/builder/article"
)

func TestChunksAreReadStrictly(t *testing.T) {
	a, b := record(t, "a", "x").Line, record(t, "b", "x").Line
	for _, test := range []struct {
		name   string
		packed []byte
		want   string
	}{
		{"good", pack(t, a, b), ""},
		{"order", pack(t, b, a), "line 2, article a, is out of order"},
		{"twice", pack(t, a, a), "out of order or there twice"},
		{"count", pack(t, a), "it has 1 articles and the manifest says 2"},
		{"no end", pack(t, a, bytes.TrimSpace(b)), "its last line has no end"},
		{"no id", pack(t, a, []byte("{}\n")), "line 2 does not begin with a valid id"},
		{"wrong id", pack(t, []byte(`{"id":"../a"}`+"\n"), b), "line 1 does not begin with a valid id"},
		{"no gzip", a, "gzip: invalid header"},
		{"a byte after it", append(pack(t, a, b), 0), "something follows"},
		{"cut off", pack(t, a, b)[:40], "unexpected EOF"},
		{"second member", append(pack(t, a, b), pack(t)...), "something follows"},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := Chunk{File: newFile(article.ChunkPath(sumOf(test.packed)), test.packed, sha256.Sum256(test.packed)), Articles: 2}
			p := &Publication{fsys: fstest.MapFS{c.Path: {Data: test.packed}}, manifest: Manifest{Articles: 2}}
			_, err := p.Chunk(c)
			if test.want == "" && err != nil || test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)) {
				t.Errorf("error %v, want %q", err, test.want)
			}
			if test.want != "" {
				return
			}
			c.Bytes++
			if _, err := p.Chunk(c); err == nil || !strings.Contains(err.Error(), "the manifest says") {
				t.Errorf("another size: %v", err)
			}
			c.Bytes--
			c.SHA256 = strings.Repeat("0", 64)
			if _, err := p.Chunk(c); err == nil || !strings.Contains(err.Error(), "has the sha256") {
				t.Errorf("another sum: %v", err)
			}
		})
	}
	if _, err := unpack(pack(t, make([]byte, 1<<20)), 1<<20-1); err == nil || !strings.Contains(err.Error(), "unpacks to more than") {
		t.Errorf("a bomb: %v", err)
	}
	p := &Publication{fsys: fstest.MapFS{}, manifest: Manifest{Articles: 70}}
	packed := pack(t, a)
	c := Chunk{File: newFile(article.ChunkPath(sumOf(packed)), packed, sha256.Sum256(packed)), Number: 1 - ChunkNumber("a", 2), Articles: 1}
	p.fsys = fstest.MapFS{c.Path: {Data: packed}}
	if _, err := p.Chunk(c); err == nil || !strings.Contains(err.Error(), "article a belongs in chunk") {
		t.Errorf("wrong chunk: %v", err)
	}
}

// What no reader would take is refused by the writer.
func TestChunksAreWrittenStrictly(t *testing.T) {
	b, c := record(t, "b", "x"), record(t, "c", "x") // in one of two chunks, and "a" in the other
	for want, articles := range map[string][]Record{
		"article c: it is out of order or there twice":          {c, c},
		"article b: it is out of order or there twice":          {c, b},
		"article c: it belongs in chunk 0, not 1":               {record(t, "a", "x"), c},
		`article "b": its line is not one of article.Encode`:    {{ID: "b", Line: c.Line}},
		`article "c": its line is not one of article.Encode`:    {{ID: "c", Line: bytes.TrimSpace(c.Line)}},
		`article "../x": its line is not one of article.Encode`: {{ID: "../x", Line: []byte(`{"id":"../x"}` + "\n")}},
		"2 articles came in chunks of 2, and belong into 1":     {b, c},
	} {
		w, err := Begin(t.Context(), t.TempDir(), nil)
		must(t, err)
		_, err = w.Chunk(2, articles)
		if err == nil {
			_, _, err = w.EndCorpus(article.SearchSettings{})
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
		must(t, w.Close())
	}
}

func pack(t testing.TB, lines ...[]byte) []byte {
	t.Helper()
	var b bytes.Buffer
	zw := gzip.NewWriter(&b)
	for _, line := range lines {
		zw.Write(line)
	}
	must(t, zw.Close())
	return b.Bytes()
}

func TestChunkCount(t *testing.T) {
	for articles, want := range map[int]int{0: 1, 1: 1, 64: 1, 65: 2, 128: 2, 129: 4, 10_000: 256, 262_144: 4096, 1_000_000: 4096} {
		if got := ChunkCount(articles); got != want {
			t.Errorf("%d articles: %d chunks, want %d", articles, got, want)
		}
	}
	if n := ChunkNumber("anything", 1); n != 0 {
		t.Errorf("the only chunk has number %d", n)
	}
}

// FuzzChunk: a reader of a chunk neither panics nor hands on what is not in order.
func FuzzChunk(f *testing.F) {
	f.Add(pack(f, record(f, "a", "x").Line, record(f, "b", "y").Line))
	f.Fuzz(func(t *testing.T, packed []byte) {
		c := Chunk{File: newFile(article.ChunkPath(sumOf(packed)), packed, sha256.Sum256(packed)), Articles: 2}
		p := &Publication{fsys: fstest.MapFS{c.Path: {Data: packed}}, manifest: Manifest{Articles: 2}}
		records, err := p.Chunk(c)
		if err == nil && (len(records) != 2 || records[0].ID >= records[1].ID) {
			t.Errorf("%v", records)
		}
	})
}
