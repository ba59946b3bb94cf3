package publication

import (
	"cmp"
	"errors"
	"io/fs"
	"slices"

	"newsstand/builder/article"
)

// previous lists the corpus files that stay for readers of the last manifest: none if one of its
// articles is no longer published, for no byte of it may stay.
func (w *Writer) previous() []string {
	previous := []string{}
	if w.last == nil {
		return previous
	}
	last := w.last.manifest
	former := last.Previous // of the same generation, published again
	if last.Search != w.manifest.Search || !slices.Equal(last.Chunks, w.manifest.Chunks) {
		former = nil
		now := paths(w.manifest.Corpus())
		for _, c := range last.Chunks {
			if !now[c.Path] && !w.publishesAll(c) {
				return previous
			}
		}
		for _, f := range last.Corpus() {
			if !now[f.Path] {
				former = append(former, f.Path)
			}
		}
		slices.Sort(former)
	}
	for _, name := range former {
		if w.readable(name) {
			previous = append(previous, name)
		}
	}
	return previous
}

// readable reports whether a file of the corpus is what its name says, or is gone.
func (w *Writer) readable(name string) bool {
	digits, ok := corpusSum(name)
	_, err := w.disk.root.Lstat(name)
	return ok && (errors.Is(err, fs.ErrNotExist) || w.has(name, File{SHA256: digits}.sum()))
}

// publishesAll reports whether all articles of a chunk of the last build are part of
// this one, too. A chunk that is damaged is of no use to a reader.
func (w *Writer) publishesAll(c Chunk) bool {
	records, err := w.last.Chunk(c)
	if err != nil {
		return false
	}
	return !slices.ContainsFunc(records, func(r Record) bool { return !w.publishes(r.ID) })
}

// publishes reports whether an article is part of this build, after EndCorpus.
func (w *Writer) publishes(id string) bool {
	_, ok := slices.BinarySearchFunc(w.digests, id, func(d Digest, id string) int { return cmp.Compare(d.ID, id) })
	return ok
}

// leftovers lists what the builder owns and this build does not have, sorted: article
// files, corpus files, and documents of the last manifest.
func (w *Writer) leftovers() ([]string, error) {
	documents := paths(w.manifest.Files)
	var remove []string
	for name := range w.owned {
		if !documents[name] {
			remove = append(remove, name)
		}
	}
	corpus, err := w.strays(article.CorpusFolder, w.leftover())
	w.listing.Wait()
	remove = slices.Concat(remove, corpus, w.strayArticles)
	remove = slices.DeleteFunc(remove, func(name string) bool { // it is gone, or a folder of somebody's
		info, err := w.disk.root.Lstat(name)
		return errors.Is(err, fs.ErrNotExist) || err == nil && info.IsDir()
	})
	slices.Sort(remove)
	return remove, cmp.Or(err, w.listingFailed)
}

// strays lists what is left over in one of the builder's own folders.
func (w *Writer) strays(folder string, leftover func(name string) bool) (strays []string, err error) {
	err = w.disk.list(folder, func(name string) {
		if leftover(name) {
			strays = append(strays, name)
		}
	})
	return strays, err
}

// leftover returns, after EndCorpus, a function that reports whether a path is that of an article
// file or of a corpus file that this build does not have. About the corpus it is right only once
// commit has set what stays for readers of the last manifest.
func (w *Writer) leftover() func(name string) bool {
	keep := paths(w.manifest.Corpus())
	for _, name := range w.manifest.Previous {
		keep[name] = true
	}
	return func(name string) bool {
		if id, ok := article.IDOfPath(name); ok {
			return !w.publishes(id)
		}
		if id, ok := article.IDOfMarkdownPath(name); ok {
			return !w.markdown || !w.publishes(id)
		}
		_, ok := corpusSum(name)
		return ok && !keep[name]
	}
}

// changes names the articles whose files are staged, or are to be removed.
func (w *Writer) changes(remove []string) (c Changes) {
	for _, f := range w.staged {
		switch {
		case f.kind != lineFile:
		case f.fresh:
			c.New = append(c.New, f.text)
		default:
			c.Changed = append(c.Changed, f.text)
		}
	}
	for _, name := range remove {
		if id, ok := article.IDOfPath(name); ok {
			c.Gone = append(c.Gone, id)
		}
	}
	for _, ids := range [][]string{c.New, c.Changed, c.Gone} {
		slices.Sort(ids) // a path has a suffix, which sorts otherwise
	}
	return c
}
