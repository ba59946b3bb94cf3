package index

import (
	"bytes"
	"context"
	"math"
	"slices"

	index "github.com/blevesearch/bleve_index_api"
)

// phrase returns the documents in which the forms of a phrase stand next to each other,
// ascending: in the title, the summary, a tag or the text.
func (s *snapshot) phrase(ctx context.Context, p phrase) ([]uint32, error) {
	may := newBitmap(s.docs)
	m, err := s.withWords(ctx, p, may)
	if err != nil {
		return nil, err
	}
	if m == nil {
		return may.list(), nil
	}
	texts, err := s.texts()
	if err != nil {
		return nil, err
	}
	err = leave(ctx, may, func(d uint32) (bool, error) { return texts.have(d, m) })
	return may.list(), err
}

// withWords adds to an empty set the documents with all words of a phrase, and those of its neighbours that are terms:
// none where all words are longer than those in the index. The matcher tells which of them have the phrase; it is nil
// where all have.
func (s *snapshot) withWords(ctx context.Context, p phrase, into *bitmap) (*matcher, error) {
	var one *bitmap
	any, least, rarest := false, math.MaxInt, 0
	add := func(field, term string) (found int, err error) {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		docs, err := s.read(ctx, field, term)
		if err != nil {
			return 0, err
		}
		if !any {
			docs.addTo(into)
			any = true
			return docs.found, nil
		}
		if one == nil {
			one = newBitmap(s.docs)
		}
		clear(one.words)
		docs.addTo(one)
		into.and(one)
		return docs.found, nil
	}
	pairs := 0
	for i, u := range p {
		if i > 0 && s.frequent[p[i-1].form] && s.frequent[u.form] {
			if _, err := add(fieldPairs, pairTerm(p[i-1].form, u.form)); err != nil {
				return nil, err
			}
			pairs++
		}
		if u.term == "" {
			continue
		}
		found, err := add(u.field, u.term)
		if err != nil {
			return nil, err
		}
		if found < least {
			rarest, least = i, found
		}
	}
	if len(p) == 1 || len(p) == 2 && pairs == 1 {
		return nil, nil
	}
	return newMatcher(p, rarest), nil
}

// matcher finds a phrase in articles that have its words.
type matcher struct {
	phrase phrase
	hashes []uint64    // of its forms
	rarest int         // of them
	told   bool        // whether an article has all its forms if it has its terms
	first  *beginnings // of it; other words are passed over until it comes
	codes  []byte      // used again
}

func newMatcher(p phrase, rarest int) *matcher {
	m := &matcher{phrase: p, told: true, rarest: rarest}
	for _, u := range p {
		m.hashes = append(m.hashes, hashForm([]byte(u.form)))
		m.told = m.told && u.told
	}
	if p[0].form != "" {
		m.first = &beginnings{}
		m.first.addForm(p[0].form)
	}
	return m
}

// in reports whether the phrase stands in a text.
func (m *matcher) in(text string) bool { return m.phrase.in(text, m.first) }

// texts finds phrases in the texts of documents. It is for one goroutine.
type texts struct {
	snapshot  *snapshot
	sequences index.DocValueReader
}

func (s *snapshot) texts() (*texts, error) {
	sequences, err := s.reader.DocValueReader([]string{fieldOrder})
	if err != nil {
		return nil, err
	}
	return &texts{s, sequences}, nil
}

// have reports whether a document that has the words of a phrase has the phrase.
func (t *texts) have(doc uint32, m *matcher) (has bool, err error) {
	read := true // only the text can tell
	err = t.sequences.VisitDocValues(index.NewIndexInternalID(nil, uint64(doc)), func(_ string, found []byte) {
		if len(found) > 0 {
			has = sequence(found).has(m.hashes, m.rarest, &m.codes)
			read = has && !m.told
		}
	})
	if err != nil || !read {
		return has, err
	}
	err = t.snapshot.look(doc, func(got stored) (err error) {
		has, err = got.has(m.in)
		return err
	})
	return has, err
}

// has reports whether a phrase stands in the text, title, summary or a tag.
func (g *stored) has(in func(text string) bool) (bool, error) {
	if in(g.text) {
		return true, nil
	}
	// Without escapes, what stands in a field stands in the JSON too; it is much quicker to look there first.
	if !bytes.ContainsRune(g.hit, '\\') && !in(sharing(g.hit)) {
		return false, nil
	}
	meta, err := g.meta()
	return err == nil && (in(meta.Title) || in(meta.Summary) || slices.ContainsFunc(meta.Tags, in)), err
}

// in reports whether the phrase stands in a text. First is how it begins, nil where that is not known.
func (p phrase) in(text string, first *beginnings) bool {
	t := tokenizer{text: text, begins: first}
	var low, folded []byte
	var runs []int // how many forms of the phrase end here, for each beginning that may still succeed
	for w, ok := t.next(); ok; w, ok = t.next() {
		for _, part := range w.parts {
			low = lower(text[part.start:part.end], low)
			folded = fold(low, folded)
			kept := runs[:0]
			for _, n := range runs {
				if p[n].form == string(folded) {
					if n+1 == len(p) {
						return true
					}
					kept = append(kept, n+1)
				}
			}
			if runs = kept; p[0].form == string(folded) {
				if len(p) == 1 {
					return true
				}
				runs = append(runs, 1)
			}
		}
		if t.begins = nil; len(runs) == 0 {
			t.begins = first
		}
	}
	return false
}
