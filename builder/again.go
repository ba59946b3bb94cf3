package builder

import (
	"encoding/gob"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"time"

	"newsstand/builder/cache"
	"newsstand/builder/dir"
	"newsstand/builder/publication"
)

// A build that would only repeat the last one is skipped. The result of a build depends on its
// options, the files that it reads in the content folder and around it, what is published, the
// program, and the time; and on the time only by whether an article has appeared or expired since.

// lastBuild is what a build was asked for, when it began, and the report that the next one repeats
// if it has nothing to do.
type lastBuild struct {
	Request string
	Built   time.Time
	Report  Report
}

// The kinds of what is kept of the last build: its report, and notes of the files that it saw.
const (
	lastReport  cache.Kind = 'r'
	seenContent cache.Kind = 'c'
	seenAround  cache.Kind = 'a'
	seenPublic  cache.Kind = 'p'
)

// seen is what a build sees, kept for the next one.
type seen struct {
	content, around fs.FS                       // they note what the build asks for
	notes           map[cache.Kind]*cache.Notes // nil where nothing is kept
}

// look returns what a build reads of the folders. If something is kept for the next build, they and
// w note what this one sees.
func (b *builder) look(in folders, w *publication.Writer) seen {
	s := seen{content: in.content.FS()}
	if in.around == nil {
		return s
	}
	s.around = in.around.FS()
	if b.last == nil {
		return s
	}
	s.notes = map[cache.Kind]*cache.Notes{seenContent: {}, seenAround: {}, seenPublic: {}}
	began := time.Now()
	s.content, s.around = s.notes[seenContent].Noting(s.content, began), s.notes[seenAround].Noting(s.around, began)
	w.Note(s.notes[seenPublic])
	return s
}

// request is the text of what a build is asked for. A build must not repeat the report of one that
// was asked for something else. The time is not in it, for again looks at that itself, nor is where
// the program was started, for what is kept belongs to one pair of folders; nor is the system's
// database of time zones, which hardly ever changes.
func (o Options) request() string {
	return fmt.Sprintf("%q %q %q %t", o.Content, o.Public, o.BaseURL, o.Strict)
}

// again returns the report of the last build if another would only repeat it: it is asked
// for the same, and all that the last one saw is unchanged.
func (b *builder) again(now time.Time, in folders) (Report, bool) {
	e, ok := b.last.Get(lastReport, "")
	var last lastBuild
	if !ok || gob.NewDecoder(strings.NewReader(e.Value)).Decode(&last) != nil || last.Request != b.options.request() || in.around == nil {
		return Report{}, false
	}
	r := last.Report
	if now.Before(last.Built) || !r.Next.IsZero() && !now.Before(r.Next) {
		return Report{}, false
	}
	root, err := os.OpenRoot(b.options.Public)
	if err != nil {
		return Report{}, false
	}
	public := dir.New(root)
	defer public.Close()
	same := cache.Hold(b.last, seenContent, in.content) &&
		cache.Hold(b.last, seenAround, in.around) &&
		cache.Hold(b.last, seenPublic, public)
	return r, same
}

// note keeps for the next build what this one saw, when, and what it reported.
func (b *builder) note(now time.Time, s seen, r Report) error {
	if s.notes == nil {
		return nil
	}
	// A build that has nothing to do writes and changes nothing, and finds nothing damaged.
	r.Unchanged += r.Written
	r.Written, r.Removed, r.Bytes, r.Changes, r.Damaged = 0, 0, 0, publication.Changes{}, nil
	var v strings.Builder
	if err := gob.NewEncoder(&v).Encode(lastBuild{b.options.request(), now, r}); err != nil {
		return err
	}
	b.last.Put(lastReport, "", cache.Entry{Value: v.String()})
	for kind, n := range s.notes {
		if !n.Put(b.last, kind) {
			return nil // the file keeps what an earlier build noted, which holds only where nothing has changed since
		}
	}
	return b.last.Save()
}
