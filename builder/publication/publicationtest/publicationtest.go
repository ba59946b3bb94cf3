// Package publicationtest publishes articles for the tests of those who read published folders.
package publicationtest

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"newsstand/builder/article"
	"newsstand/builder/publication"
)

// Publish makes dir the published folder of exactly these articles. The lists of the settings may
// be nil.
func Publish(ctx context.Context, dir string, settings article.SearchSettings, articles ...article.Article) error {
	var records []publication.Record
	for _, a := range articles {
		line, err := article.Encode(a)
		if err != nil {
			return err
		}
		records = append(records, publication.Record{ID: a.ID, Line: line})
	}
	return PublishRecords(ctx, dir, settings, records)
}

// PublishRecords publishes lines, which may be those of no article.
func PublishRecords(ctx context.Context, dir string, settings article.SearchSettings, all []publication.Record) (err error) {
	w, err := publication.Begin(ctx, dir, nil)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, w.Close()) }()
	count := publication.ChunkCount(len(all))
	byChunk := map[int][]publication.Record{}
	for _, r := range all {
		n := publication.ChunkNumber(r.ID, count)
		byChunk[n] = append(byChunk[n], r)
	}
	for _, records := range byChunk {
		slices.SortFunc(records, func(a, b publication.Record) int { return cmp.Compare(a.ID, b.ID) })
		if _, err := w.Chunk(count, records); err != nil {
			return err
		}
	}
	settings.Synonyms = append([]article.Synonym{}, settings.Synonyms...) // never null
	settings.Articles = append([]article.ArticleSettings{}, settings.Articles...)
	settings.Tests = append([]article.SearchTest{}, settings.Tests...)
	if _, _, err := w.EndCorpus(settings); err != nil {
		return err
	}
	_, err = w.Commit("https://site.example", time.Time{})
	return err
}
