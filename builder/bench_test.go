package builder

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// BenchmarkBuild measures a site of 1,000 articles of about 8 kB: its first build, the
// same build again, and a build after one edit, alone and by a builder that watches.
func BenchmarkBuild(b *testing.B) {
	const articles = 1000
	paragraph := strings.Repeat("Some *words* of a [text](https://example.org) with `code`. ", 20)
	text := strings.Repeat(paragraph+"\n\n## Heading\n\n- one\n- two\n\n", 6)
	prepare := func(b *testing.B) site {
		s := newSite(b)
		for i := range articles {
			s.write(fmt.Sprintf("a%d.md", i), postFile(fmt.Sprintf("Article %d.\n\n%s", i, text), "date: 2026-01-01"))
		}
		return s
	}
	build := func(b *testing.B, s site) {
		b.Helper()
		if _, err := Build(b.Context(), s.options); err != nil {
			b.Fatal(err)
		}
	}
	b.Run("cold", func(b *testing.B) {
		s := prepare(b)
		b.ReportAllocs()
		for i := 0; b.Loop(); i++ {
			s.options.Public = fmt.Sprintf("%s%d", s.options.Public, i%10)
			build(b, s)
		}
	})
	b.Run("unchanged", func(b *testing.B) {
		s := prepare(b)
		s.remembering()
		build(b, s)
		b.ReportAllocs()
		for b.Loop() {
			build(b, s)
		}
	})
	b.Run("one edit", func(b *testing.B) {
		s := prepare(b)
		s.remembering()
		build(b, s)
		b.ReportAllocs()
		for i := 0; b.Loop(); i++ {
			s.write("a1.md", postFile(fmt.Sprintf("Edit %d.\n\n%s", i, text)))
			build(b, s)
		}
	})
	b.Run("one edit while watching", func(b *testing.B) {
		s := prepare(b)
		w := newWatcher(s.options, func() time.Time { return s.options.Now })
		edit := func(i int) {
			s.write("a1.md", postFile(fmt.Sprintf("Edit %d.\n\n%s", i, text)))
			if _, err := w.build(b.Context()); err != nil {
				b.Fatal(err)
			}
		}
		edit(-1)
		b.ReportAllocs()
		for i := 0; b.Loop(); i++ {
			edit(i)
		}
	})
}
