package searchd

import (
	"fmt"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"newsstand/builder/hinted"
	"newsstand/searchd/index"
)

// findDamage is a search that meets damage.
func findDamage(l *Live) {
	use(l, func(*index.Index) (any, error) { return nil, fmt.Errorf("search: %w", index.ErrDamaged) })
}

// A search that fails over any index must not make searchd build one after the other.
func TestAnIndexInWhichSearchesFailIsRenewedSeldom(t *testing.T) {
	source, _, l, log := loaded(t, 5)
	fail := func() {
		t.Helper()
		findDamage(l)
		load(t, l)
	}
	fail()
	fail()
	if n := log.count(foundDamaged); n != 1 {
		t.Errorf("a new index was built %d times, want once:\n%s", n, log)
	}
	publish(t, source, many(6, "walrus")...)
	fail()
	if got := found(t, l, "number0005"); got != "a5" || log.count(foundDamaged) != 1 {
		t.Errorf("found %q meanwhile, want a5:\n%s", got, log)
	}
	l.repairs.last = l.repairs.last.Add(-minRepairRest)
	load(t, l)
	if n := log.count(foundDamaged); n != 2 {
		t.Errorf("a new index was built %d times after a rest, want twice:\n%s", n, log)
	}
}

// An index that lacks its last update is replaced, also where a search has found damage since and a
// repair would have to wait: it must not be updated further.
func TestAnIndexThatLacksAnUpdateIsReplacedWhateverASearchFinds(t *testing.T) {
	source, _, l, log := loaded(t, 5)
	findDamage(l)
	load(t, l) // a repair, after which the next has to wait
	l.suspect(l.current, notUpdated)
	findDamage(l)
	publish(t, source, many(6, "walrus")...)
	load(t, l)
	if n := log.count(notUpdated); n != 1 {
		t.Errorf("a new index was built %d times for the lost update, want once:\n%s", n, log)
	}
	if got := found(t, l, "number0005"); got != "a5" {
		t.Errorf("found %q, want a5", got)
	}
}

// Files that are wrong soon after they were written are a fault of the disk, or of searchd. The
// last whole revision stays, and the log says so, once; then a new index is tried after a rest.
func TestAnIndexThatIsDamagedAgainWaits(t *testing.T) {
	source, data, l, log := loaded(t, 5)
	damage := func(articles int) {
		t.Helper()
		catalogs, err := filepath.Glob(filepath.Join(data, indexPrefix+"*", "root.bolt"))
		if err != nil || len(catalogs) == 0 {
			t.Fatalf("%v: %v", catalogs, err)
		}
		for _, path := range catalogs {
			must(t, os.Truncate(path, 0))
		}
		publish(t, source, many(articles, "walrus")...)
	}
	damage(6)
	until(t, "it is built anew", func() bool { return l.Load(t.Context()) == nil && l.Status().Articles == 6 })
	if n := log.count("level=WARN"); n != 1 || log.count("check the disk of --data") < 1 || value(t, l.metrics.logLines.WithLabelValues(levelWarn)) != 1 {
		t.Errorf("%d warnings of the damage, want 1 that is counted; the log is\n%s", n, log)
	}
	damage(7)
	again := func(err error) bool {
		return err != nil && strings.Contains(err.Error(), "a new index is damaged again")
	}
	until(t, "it waits", func() bool { return again(l.Load(t.Context())) })
	first, second := l.Load(t.Context()), l.Load(t.Context())
	if !again(first) || !again(second) || first.Error() != second.Error() || !strings.Contains(hinted.Hint(first), "look at the disk") {
		t.Errorf("got %v, and then %v, hint %q", first, second, hinted.Hint(first))
	}
	if got := found(t, l, "number0005"); got != "a5" || l.Status().Articles != 6 {
		t.Errorf("found %q among %d articles meanwhile", got, l.Status().Articles)
	}
	ready := func() *httptest.ResponseRecorder {
		return ask(t, newAdminHandler(l, new(atomic.Bool), nil), "GET", "/readyz")
	}
	if got := ready(); got.Code != 503 || !strings.HasPrefix(got.Body.String(), "damaged: ") || !strings.Contains(got.Body.String(), "hint: look at the disk") || value(t, l.metrics.ready) != 0 {
		t.Errorf("meanwhile /readyz answers %d %q", got.Code, got.Body)
	}
	l.repairs.last = l.repairs.last.Add(-minRepairRest)
	load(t, l)
	if got := found(t, l, "number0006"); got != "a6" {
		t.Errorf("found %q after a rest, want a6", got)
	}
	if got := ready(); got.Code != 200 || value(t, l.metrics.ready) != 1 {
		t.Errorf("after a rest /readyz answers %d %q", got.Code, got.Body)
	}
}

func TestRestAfterRepairs(t *testing.T) {
	var r repairs
	now := time.Now()
	for i, minutes := range []int{1, 2, 4, 8, 16, 32, 60, 60, 60} {
		if !r.due(now) {
			t.Errorf("repair %d is not due", i+1)
		}
		r.done(now)
		now = now.Add(time.Duration(minutes) * time.Minute)
		if r.due(now.Add(-time.Second)) {
			t.Errorf("after repair %d the next is due sooner than after %d min", i+1, minutes)
		}
	}
	now = now.Add(2 * maxRepairRest) // all was well
	r.done(now)
	if !r.due(now.Add(minRepairRest)) {
		t.Error("a repair long ago counts")
	}
}
