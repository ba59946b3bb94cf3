package searchd

import "time"

// Reasons to build a new index in place of the current one.
const (
	notUpdated   = "its last update failed" // until the engine has written it after all
	foundDamaged = "a search found it damaged"
	lostFolder   = "the data folder was removed, and made again"

	// It takes no updates, and could not be copied; the file system may take writes by now.
	openedReadOnly = "it was opened on a read-only file system"
)

// suspect makes the next load build a new index, if s is still the current one. The first search
// that finds damage also asks for a look at once: the next one may be minutes away where a site
// fails. A lost update stays the reason, whatever else is found: an index that is only damaged may
// have to wait for its repair, and is updated meanwhile; one with a lost update must not be.
func (l *Live) suspect(s *served, why string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.current != s || l.distrust == notUpdated {
		return
	}
	if l.distrust == "" && why == foundDamaged {
		notify(l.hints)
	}
	l.distrust = why
}

// repairs says when a damaged index may be replaced. Where the new one is soon damaged as well, the
// cause is the disk, or a fault of searchd that any search may meet again. Since building an index
// takes all processors, each repair then waits longer than the last.
type repairs struct {
	last time.Time
	rest time.Duration // from the last until the next
}

const (
	minRepairRest = time.Minute
	maxRepairRest = time.Hour
)

func (r *repairs) due(now time.Time) bool { return now.Sub(r.last) >= r.rest }

func (r *repairs) done(now time.Time) {
	if now.Sub(r.last) >= 2*maxRepairRest {
		r.rest = 0
	}
	r.last, r.rest = now, min(max(minRepairRest, 2*r.rest), maxRepairRest)
}
