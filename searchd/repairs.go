package searchd

import "time"

// notUpdated is a reason to build a new index, until the engine has written the update after all.
const notUpdated = "its last update failed"

// foundDamaged is a reason to build a new index.
const foundDamaged = "a search found it damaged"

// lostFolder is a reason to build a new index.
const lostFolder = "the data folder was removed, and made again"

// suspect makes the next load build a new index, if s is still the current one. The first search that finds damage also asks for a
// look at once: the next one may be minutes away where a site fails. A lost update stays the reason, whatever else is found: an
// index that is only damaged may have to wait for its repair, and is updated meanwhile; one with a lost update must not be.
func (l *Live) suspect(s *served, why string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.current != s || l.distrust == notUpdated {
		return
	}
	if l.distrust == "" && why == foundDamaged {
		hint(l.hints)
	}
	l.distrust = why
}

// repairs are the indexes that took the place of damaged ones. Where such an index is soon damaged as well, the cause is the disk, or a
// fault of searchd that any search may meet again. To build an index takes all processors: so each repair waits for longer.
type repairs struct {
	last time.Time
	rest time.Duration // until the next
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
