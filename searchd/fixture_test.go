package searchd

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"newsstand/builder/article"
	"newsstand/builder/publication"
	"newsstand/builder/publication/publicationtest"
)

// must ends the test over an error.
func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// anArticle is a published article with this text.
func anArticle(id, text string) article.Article {
	return article.Article{
		Meta: article.Meta{
			ID: id, Title: "About " + id, Summary: "Summary of " + id, Language: "en",
			DatePublished: time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC),
			Authors:       []article.Author{}, Tags: []string{},
		},
		ContentHTML: "<p>" + text + "</p>", ContentText: text,
	}
}

// publish makes dir the published folder of exactly these articles.
func publish(t testing.TB, dir string, articles ...article.Article) {
	t.Helper()
	publishWith(t, dir, article.SearchSettings{}, articles...)
}

// publishWith publishes search settings too.
func publishWith(t testing.TB, dir string, settings article.SearchSettings, articles ...article.Article) {
	t.Helper()
	must(t, publicationtest.Publish(t.Context(), dir, settings, articles...))
}

// publishRecords publishes lines, which may be those of no article.
func publishRecords(t testing.TB, dir string, settings article.SearchSettings, all []publication.Record) {
	t.Helper()
	must(t, publicationtest.PublishRecords(t.Context(), dir, settings, all))
}

// hideChunks removes all articles from a published folder, so that whoever reads one fails.
func hideChunks(t *testing.T, dir string) {
	t.Helper()
	eachChunk(t, dir, os.Remove)
}

// chunksOf lists the chunks of a published folder.
func chunksOf(t *testing.T, dir string) []string {
	t.Helper()
	chunks, err := filepath.Glob(filepath.Join(dir, article.ChunkPath("*")))
	if err != nil || len(chunks) == 0 {
		t.Fatalf("%d chunks: %v", len(chunks), err)
	}
	return chunks
}

func eachChunk(t *testing.T, dir string, do func(path string) error) {
	t.Helper()
	for _, path := range chunksOf(t, dir) {
		must(t, do(path))
	}
}

// opened is a Live over these folders, closed at the end of the test, and its log.
func opened(t testing.TB, source, data string) (*Live, *logged) {
	t.Helper()
	log := &logged{}
	t.Cleanup(func() { // whoever reads a warning wants to know what to do
		for line := range strings.Lines(log.String()) {
			if (strings.Contains(line, "level=WARN") || strings.Contains(line, "level=ERROR")) && !strings.Contains(line, "hint=") {
				t.Errorf("logged without a hint: %s", line)
			}
		}
	})
	l, err := Open(t.Context(), Options{Source: source, Data: data, Log: slog.New(slog.NewTextHandler(log, nil)), TimeLimit: 30 * time.Second})
	must(t, err)
	t.Cleanup(func() { l.Close() }) // a second time is harmless
	return l, log
}

func load(t testing.TB, l *Live) {
	t.Helper()
	must(t, l.Load(t.Context()))
}

// loaded is a Live, as opened returns it, that has loaded so many articles from a folder of its
// own.
func loaded(t testing.TB, articles int) (source, data string, l *Live, log *logged) {
	t.Helper()
	source, data = t.TempDir(), t.TempDir()
	publish(t, source, many(articles, "walrus")...)
	l, log = opened(t, source, data)
	load(t, l)
	return source, data, l, log
}

// found is the ids that a search finds, joined by spaces.
func found(t testing.TB, l *Live, words string) string {
	t.Helper()
	body, err := l.Search(t.Context(), url.Values{"q": {words}, "limit": {fmt.Sprint(article.MaxLimit)}})
	must(t, err)
	return ids(t, body)
}

// ids are those of a search result, sorted.
func ids(t testing.TB, body []byte) string {
	t.Helper()
	var r article.SearchResult
	must(t, json.Unmarshal(body, &r))
	var ids []string
	for _, hit := range r.Articles {
		ids = append(ids, hit.ID)
	}
	slices.Sort(ids)
	return strings.Join(ids, " ")
}

// many are n articles that all hold the word common, and one word each.
func many(n int, word string) []article.Article {
	var articles []article.Article
	for i := range n {
		articles = append(articles, anArticle(fmt.Sprintf("a%d", i), fmt.Sprintf("common %s number%04d", word, i)))
	}
	return articles
}

// logged is a log that a test reads while it is written.
type logged struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *logged) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *logged) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// count counts the lines that hold text.
func (l *logged) count(text string) int {
	n := 0
	for line := range strings.Lines(l.String()) {
		if strings.Contains(line, text) {
			n++
		}
	}
	return n
}
