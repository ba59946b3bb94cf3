package builder

import (
	"cmp"
	"slices"
	"time"

	"newsstand/builder/article"
	"newsstand/builder/publication"
	"newsstand/builder/source"
)

// item is one article to publish.
type item struct {
	id     string
	number int // of its chunk
	file   *source.File
	kept   *publication.Record // of a file with an error: the article as it was published
}

// plan decides which articles are published at this instant. It adds what is kept, and
// what cannot be because it is damaged, to the report.
func (b *attempt) plan(now time.Time, r *Report) error {
	items := make([]item, 0, r.Files[source.Published])
	taken := make(map[string]bool, r.Files[source.Published]) // ids
	withdrawn := map[string]bool{}                            // ids of drafts, and of articles of other times
	var faulty []*source.File                                 // those with an error
	for i := range b.folder.Files {
		f := &b.folder.Files[i]
		_, fails := b.failing[f.Path]
		if fails || f.Status == source.Invalid {
			faulty = append(faulty, f)
		}
		switch {
		case f.Status == source.Published && !fails:
			items = append(items, item{id: f.ID, file: f})
			taken[f.ID] = true
		case f.Status == source.Draft || f.Status == source.Future || f.Status == source.Expired:
			withdrawn[f.ID] = true
		}
	}
	for _, f := range faulty {
		known, ok := b.articleOf(f, withdrawn)
		if !ok || taken[known.id] || !known.expireAt.IsZero() && !now.Before(known.expireAt) {
			continue
		}
		record, err := b.find(known.id)
		if isFault(err) {
			return err
		}
		r.Damaged = cmp.Or(r.Damaged, err)
		if record != nil {
			items = append(items, item{id: known.id, file: f, kept: record})
			taken[known.id] = true
			r.Kept = append(r.Kept, known.id)
			if !known.expireAt.IsZero() && (r.Next.IsZero() || known.expireAt.Before(r.Next)) {
				r.Next = known.expireAt
			}
		}
	}
	b.chunks = publication.ChunkCount(len(items))
	for i := range items {
		items[i].number = publication.ChunkNumber(items[i].id, b.chunks)
	}
	slices.SortFunc(items, func(a, b item) int {
		return cmp.Or(cmp.Compare(a.number, b.number), cmp.Compare(a.id, b.id))
	})
	b.items = items
	return nil
}

// articleOf returns which article a file with an error is. ok is false where that article may have
// been withdrawn in another file.
func (b *attempt) articleOf(f *source.File, withdrawn map[string]bool) (known knownArticle, ok bool) {
	if known, ok := b.known[f.Path]; ok {
		return known, true
	}
	known = knownArticle{id: f.ID, expireAt: f.ExpireAt}
	if known.id == "" { // nothing in the file can be trusted but its name
		known.id = b.folder.ID(f.Path)
	}
	return known, !withdrawn[known.id]
}

// find returns an article as it is published now; nil where it is not. The error says
// that it cannot be read.
func (b *attempt) find(id string) (*publication.Record, error) {
	if b.previous == nil || !article.ValidID(id) {
		return nil, nil
	}
	record, ok, err := b.previous.Find(id)
	if err != nil || !ok {
		return nil, err
	}
	return &record, nil
}

// lastSettings are the search settings of the articles that are published now.
func lastSettings(last *publication.Publication) (map[string]article.ArticleSettings, error) {
	if last == nil {
		return nil, nil
	}
	settings, err := last.Settings()
	return settings.ByID(), err
}

// settingsOf are the search settings of the articles that are published: of those that
// are kept as they were, the settings that they had.
func (b *attempt) settingsOf(kept []string) []article.ArticleSettings {
	left := map[string]bool{} // articles that have other settings, or none
	for _, f := range b.folder.Files {
		if _, fails := b.failing[f.Path]; fails {
			left[f.ID] = true
		}
	}
	settings := slices.DeleteFunc(b.folder.Settings.Articles, func(s article.ArticleSettings) bool { return left[s.ID] })
	for _, id := range kept {
		if s, ok := b.before[id]; ok {
			settings = append(settings, s)
		}
	}
	slices.SortFunc(settings, func(a, b article.ArticleSettings) int { return cmp.Compare(a.ID, b.ID) })
	return settings
}
