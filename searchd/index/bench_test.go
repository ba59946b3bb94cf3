package index

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"newsstand/builder/article"
)

// vocabulary makes words that look like those of a language: their frequency falls with their rank,
// by Zipf's law.
type vocabulary struct {
	words  []string
	random *rand.Rand
	zipf   *rand.Zipf
	texts  []string // of a real site, if it is of one
}

func newVocabulary(n int) *vocabulary {
	random := rand.New(rand.NewPCG(1, 2))
	v := &vocabulary{random: random, zipf: rand.NewZipf(random, 1.1, 4, uint64(n-1))}
	syllables := strings.Fields("ba be bi bo bu da de di do du ka ke ki ko ku la le li lo lu ma me mi mo mu na ne ni no nu ra re ri ro ru sa se si so su ta te ti to tu")
	seen := map[string]bool{}
	for len(v.words) < n {
		var w strings.Builder
		for range 2 + random.IntN(4) {
			w.WriteString(syllables[random.IntN(len(syllables))])
		}
		if !seen[w.String()] {
			seen[w.String()] = true
			v.words = append(v.words, w.String())
		}
	}
	return v
}

func (v *vocabulary) text(words int) string {
	all := make([]string, words)
	for i := range all {
		all[i] = v.words[v.zipf.Uint64()]
	}
	return strings.Join(all, " ")
}

func benchArticles(n int) ([]article.Article, *vocabulary) {
	v := newVocabulary(20_000)
	var all []article.Article
	for i := range n {
		all = append(all, note(fmt.Sprintf("d%d", i), "en", v.text(5), v.text(600)))
	}
	return all, v
}

func BenchmarkUpdate(b *testing.B) {
	all, _ := benchArticles(2000)
	size := 0
	for _, a := range all {
		size += len(a.ContentText)
	}
	b.Run("build", func(b *testing.B) {
		b.SetBytes(int64(size))
		for b.Loop() {
			x := open(b, b.TempDir())
			update(b, x, "r1", all)
		}
	})
	b.Run("ten", func(b *testing.B) {
		x := open(b, b.TempDir())
		update(b, x, "r1", all)
		for b.Loop() {
			update(b, x, "r2", all[:10])
		}
	})
}

func BenchmarkSearch(b *testing.B) {
	all, v := benchArticles(5000)
	x := open(b, b.TempDir())
	update(b, x, "r1", all)
	word := func() string { return v.words[200+v.random.IntN(3000)] }
	for _, kind := range []struct {
		name string
		make func() string
	}{
		{"word", word},
		{"words", func() string { return word() + " " + word() + " " + word() }},
		{"prefix", func() string { return word() + " " + word()[:3] }},
		{"typo", func() string { w := word(); return w[:2] + w[3:] + "xa " + word() }},
		{"phrase", func() string {
			words := strings.Fields(all[v.random.IntN(len(all))].ContentText)
			at := v.random.IntN(len(words) - 3)
			return `"` + strings.Join(words[at:at+3], " ") + `"`
		}},
		{"question", func() string { return v.text(12) }},
	} {
		b.Run(kind.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				answer, err := x.Search(context.Background(), Query{Text: kind.make(), Limit: 10})
				if err != nil {
					b.Fatal(err)
				}
				answer.Recycle()
			}
		})
	}
	b.Run("repeated", func(b *testing.B) {
		q := Query{Text: word(), Limit: 10}
		for b.Loop() {
			if _, err := x.Search(context.Background(), q); err != nil {
				b.Fatal(err)
			}
		}
	})
}
