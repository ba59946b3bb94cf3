package builder

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"golang.org/x/sync/errgroup"
)

// BenchmarkBuild measures a site of 1,000 articles of about 8 kB: its first build, the
// same build again, and a build after one edit, alone and by a builder that watches; and
// the first build of a site of ten times as many.
//
// Times differ between machines, so what is promised are ratios: of-cold is the time of
// a build as a share of the first one's, of-floor that of the first build as a share of
// what goldmark and the disk alone take, and exponent how time grows with the site (1 is
// in proportion).
func BenchmarkBuild(b *testing.B) {
	const articles = 1000
	var floor, cold float64 // nanoseconds; 0 where it was not asked for
	took := func(b *testing.B) float64 { return float64(b.Elapsed()) / float64(b.N) }
	ratio := func(b *testing.B, to float64, unit string) {
		if to > 0 {
			b.ReportMetric(took(b)/to, unit)
		}
	}
	paragraph := strings.Repeat("Some *words* of a [text](https://example.org) with `code`. ", 20)
	text := strings.Repeat(paragraph+"\n\n## Heading\n\n- one\n- two\n\n", 6)
	prepare := func(b *testing.B, articles int) site {
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
	afresh := func(b *testing.B, s site) { // into a folder that is not there yet
		b.ReportAllocs()
		public := s.options.Public
		for i := 0; b.Loop(); i++ {
			s.options.Public = fmt.Sprint(public, i)
			build(b, s)
		}
	}
	b.Run("floor", func(b *testing.B) {
		s := prepare(b, articles)
		b.ReportAllocs()
		for i := 0; b.Loop(); i++ {
			s.plain(fmt.Sprint(s.options.Public, i), articles)
		}
		floor = took(b)
	})
	b.Run("cold", func(b *testing.B) {
		afresh(b, prepare(b, articles))
		cold = took(b)
		ratio(b, floor, "of-floor")
	})
	b.Run("cold, ten times the site", func(b *testing.B) {
		afresh(b, prepare(b, 10*articles))
		if cold > 0 {
			b.ReportMetric(math.Log10(took(b)/cold), "exponent")
		}
	})
	b.Run("unchanged", func(b *testing.B) {
		s := prepare(b, articles)
		s.remembering()
		build(b, s)
		b.ReportAllocs()
		for b.Loop() {
			build(b, s)
		}
		ratio(b, cold, "of-cold")
	})
	b.Run("one edit", func(b *testing.B) {
		s := prepare(b, articles)
		s.remembering()
		build(b, s)
		b.ReportAllocs()
		for i := 0; b.Loop(); i++ {
			s.write("a1.md", postFile(fmt.Sprintf("Edit %d.\n\n%s", i, text)))
			build(b, s)
		}
		ratio(b, cold, "of-cold")
	})
	b.Run("one edit while watching", func(b *testing.B) {
		s := prepare(b, articles)
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
		ratio(b, cold, "of-cold")
	})
}

// plain is the least that a builder does: on all processors it reads each article,
// renders it, and writes it as JSON.
func (s site) plain(public string, articles int) {
	s.check(os.MkdirAll(public, 0o755))
	var all errgroup.Group
	workers := runtime.GOMAXPROCS(0)
	for first := range workers {
		all.Go(func() error {
			markdown := goldmark.New(goldmark.WithExtensions(extension.GFM))
			for i := first; i < articles; i += workers {
				source, err := os.ReadFile(filepath.Join(s.options.Content, fmt.Sprintf("a%d.md", i)))
				if err != nil {
					return err
				}
				var html bytes.Buffer
				if err := markdown.Convert(source, &html); err != nil {
					return err
				}
				data, err := json.Marshal(map[string]string{"content_html": html.String()})
				if err != nil {
					return err
				}
				if err := os.WriteFile(filepath.Join(public, fmt.Sprintf("a%d.json", i)), data, 0o644); err != nil {
					return err
				}
			}
			return nil
		})
	}
	s.check(all.Wait())
}
