package builder

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"golang.org/x/sync/errgroup"
)

// A site of Hugo that makes what the floor makes: of each article a file of JSON, and no page for
// people.
const (
	hugoJSON   = `{{ dict "title" .Title "date" .Date "html" .Content | jsonify }}`
	hugoConfig = `
baseURL = "https://site.example/"
disableKinds = ["home", "taxonomy", "term", "section", "rss", "sitemap", "robotstxt", "404"]
uglyURLs = true
outputs.page = ["json"]
markup.highlight.codeFences = false
markup.goldmark.renderer.unsafe = true
`
)

// BenchmarkBuild measures a site of 1,000 articles of about 8 kB: its first build, the
// same build again, and a build after one edit, alone and by a builder that watches; and
// the first build of a site of ten times as many.
//
// Times differ between machines, so what is promised are ratios: of-cold is the time of
// a build as a share of the first one's, of-floor that of the first build as a share of
// what goldmark and the disk alone take, of-hugo as a share of what Hugo takes to render
// the same folder to one JSON file for each article, and exponent how time grows with the
// site (1 is in proportion). Hugo is measured where it is installed:
//
//	go install github.com/gohugoio/hugo@v0.165.0
func BenchmarkBuild(b *testing.B) {
	const articles = 1000
	var floor, hugo, cold float64 // nanoseconds; 0 where it was not asked for
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
	b.Run("hugo", func(b *testing.B) {
		program, err := exec.LookPath("hugo")
		if err != nil {
			b.Skip("hugo is not in PATH")
		}
		s := prepare(b, articles)
		layouts := filepath.Join(filepath.Dir(s.options.Content), "layouts")
		s.check(os.Mkdir(layouts, 0o755))
		s.check(os.WriteFile(filepath.Join(layouts, "single.json"), []byte(hugoJSON), 0o644))
		s.check(os.WriteFile(filepath.Join(layouts, "..", "hugo.toml"), []byte(hugoConfig), 0o644))
		for i := 0; b.Loop(); i++ {
			public := fmt.Sprint(s.options.Public, i)
			if out, err := exec.CommandContext(b.Context(), program, "--quiet", "--noBuildLock", "--source", filepath.Dir(layouts), "--destination", public).CombinedOutput(); err != nil {
				b.Fatalf("%v: %s", err, out)
			}
			if made, err := filepath.Glob(filepath.Join(public, "*.json")); err != nil || len(made) != articles {
				b.Fatalf("hugo made %d files of %d articles: %v", len(made), articles, err)
			}
		}
		hugo = took(b)
	})
	b.Run("cold", func(b *testing.B) {
		afresh(b, prepare(b, articles))
		cold = took(b)
		ratio(b, floor, "of-floor")
		ratio(b, hugo, "of-hugo")
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
