package searchd

import (
	"flag"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"newsstand/builder"
	"newsstand/builder/article"
	"newsstand/builder/source/sourcetest"
	"newsstand/searchd/index"
)

var (
	updateGolden = flag.Bool("update", false, "write the golden files anew")
	thorough     = flag.Bool("thorough", false, "build and index real sites, and compare the whole ranking of the guide, which any edit of it may change")
)

// TestRanking compares what is found with the files in testdata/ranking, so that a change of
// the ranking is seen as a difference, query by query. In them,
//
//	? query | parameters => ids
//
// is what somebody asks and the articles that they want, one of which is best first; below it
// are the first five found, each with its rung, and a star at those that are wanted. The
// figures on top are of all queries. -update writes everything but the questions.
func TestRanking(t *testing.T) {
	for name, folder := range map[string]string{
		"guide":         sourcetest.Guide,
		"cncf-glossary": "sites/cncf-glossary/content",
		"rust-blog":     "sites/rust-blog/content",
		"bitcoinops":    "sites/bitcoinops",
	} {
		t.Run(name, func(t *testing.T) {
			content := sourcetest.Folder(t, folder)
			if name != "guide" && !*thorough {
				t.Skip("a site is built and indexed with -thorough only: see make relevance")
			}
			public := t.TempDir()
			now := time.Date(2026, 11, 21, 0, 0, 0, 0, time.UTC)
			if _, err := builder.Build(t.Context(), builder.Options{Content: content, Public: public, BaseURL: "https://site.example", Now: now}); err != nil {
				t.Fatal(err)
			}
			l, _ := opened(t, public, "")
			load(t, l)
			file := filepath.Join("testdata", "ranking", name+".txt")
			before, err := os.ReadFile(file)
			must(t, err)
			after, reciprocal := ranked(t, l, string(before))
			t.Log(name + ": " + strings.SplitN(after, "\n", 2)[0])
			if reciprocal < leastMRR {
				t.Errorf("MRR %.3f, want at least %.3f", reciprocal, leastMRR)
			}
			if *updateGolden {
				must(t, os.WriteFile(file, []byte(after), 0o644))
				return
			}
			if name == "guide" && !*thorough {
				return
			}
			if diff := cmp.Diff(string(before), after); diff != "" {
				t.Errorf("%s: (-file +found)\n%s\nhint: if this is better, write it with make golden", file, diff)
			}
		})
	}
}

// leastMRR is below what any of the files has: one over the rank of the first article that was
// wanted, on average.
const leastMRR = 0.7

// shownRanks is how many of the articles found are in a file.
const shownRanks = 5

// ranked answers the questions of a file.
func ranked(t *testing.T, l *Live, file string) (after string, meanReciprocal float64) {
	t.Helper()
	var b strings.Builder
	asked, first, firstFive, reciprocal := 0, 0, 0, 0.0
	for line := range strings.Lines(file) {
		line = strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(line, "#"):
			fmt.Fprintf(&b, "\n%s\n", line)
		case strings.HasPrefix(line, "? "):
			question, wanted, ok := strings.Cut(line[2:], " => ")
			text, parameters, _ := strings.Cut(question, " | ")
			q, _, errs := parseQuery("q=" + url.QueryEscape(text) + "&" + parameters)
			if !ok || len(errs) > 0 {
				t.Fatalf("%s: %v", line, errs)
			}
			found, err := (&checker{live: l}).rank(t.Context(), q)
			must(t, err)
			ids := strings.Fields(wanted)
			for _, id := range ids {
				if _, err := os.Stat(filepath.Join(l.options.Source, article.Path(id))); err != nil {
					t.Errorf("%s: %s is not published", line, id)
				}
			}
			rank := 1 + slices.IndexFunc(found, func(one index.Ranked) bool { return slices.Contains(ids, one.ID) })
			asked++
			if rank == 1 {
				first++
			}
			if rank >= 1 && rank <= shownRanks {
				firstFive++
			}
			if rank > 0 {
				reciprocal += 1 / float64(rank)
			}
			fmt.Fprintf(&b, "\n%s\n", line)
			for i, one := range found[:min(shownRanks, len(found))] {
				star := " "
				if slices.Contains(ids, one.ID) {
					star = "*"
				}
				fmt.Fprintf(&b, "  %d %s %-40s %s\n", i+1, star, one.ID, one.Rung)
			}
		}
	}
	n := float64(max(1, asked))
	head := fmt.Sprintf("recall@1 %.3f  recall@5 %.3f  MRR %.3f  of %d queries\n", float64(first)/n, float64(firstFive)/n, reciprocal/n, asked)
	return head + b.String(), reciprocal / n
}
