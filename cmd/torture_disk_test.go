//go:build e2e

package cmd_test

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// smallDisk is a folder on a disk of its own, of which a test takes what room it likes.
type smallDisk struct {
	dir, ballast string
}

func newSmallDisk(t *testing.T, size string) smallDisk {
	t.Helper()
	dir := t.TempDir()
	if os.Geteuid() != 0 || exec.Command("mount", "-t", "tmpfs", "-o", "size="+size, "tmpfs", dir).Run() != nil {
		t.Skip("a full disk needs the right to mount one")
	}
	t.Cleanup(func() { exec.Command("umount", "-l", dir).Run() })
	return smallDisk{dir, filepath.Join(dir, "ballast")}
}

// leave makes the room that is left so many bytes, as far as pages allow.
func (d smallDisk) leave(t *testing.T, bytes int64) {
	t.Helper()
	var disk syscall.Statfs_t
	f, err := os.OpenFile(d.ballast, os.O_CREATE|os.O_RDWR, 0o600)
	if err == nil {
		defer f.Close()
		err = syscall.Statfs(d.dir, &disk)
	}
	must(t, err)
	info, err := f.Stat()
	must(t, err)
	size := info.Size() + int64(disk.Bavail)*int64(disk.Bsize) - bytes
	if size < info.Size() {
		must(t, f.Truncate(max(0, size)))
		return
	}
	if _, err := f.WriteAt(make([]byte, size-info.Size()), info.Size()); err != nil && bytes > 0 {
		t.Fatal(err)
	}
}

// sizes are the bytes of the segments of the index.
func (d smallDisk) sizes(t *testing.T) (total, newest int64) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(d.dir, "index-*", "*.zap"))
	must(t, err)
	for _, file := range files { // sorted by age
		if info, err := os.Stat(file); err == nil {
			newest = info.Size()
			total += newest
		}
	}
	return total, newest
}

// The disk fills up while the engine merges segments: updates that fit go on, what is served is
// right, and the log and a metric tell of it. Filled to the last byte, the revision before stays;
// with room for the update alone, that is taken up, without a new index; and so after kill -9. With
// room for a merge, all is as if nothing had been.
func TestE2ETortureFullDiskInAMerge(t *testing.T) {
	disk := newSmallDisk(t, "48m")
	content, public := t.TempDir(), filepath.Join(t.TempDir(), "public")
	const articles, changed = 900, 60
	words := rand.New(rand.NewPCG(4, 5))
	last := map[int]int{} // articles by the number of the edition that changed them last
	of := make([]int, articles)
	publish := func(number int) {
		t.Helper()
		first, end := (number-1)*changed%articles, 0
		if end = first + changed; number == 0 {
			first, end = 0, articles
		}
		for i := first; i < end; i++ {
			var text strings.Builder
			for range 300 {
				fmt.Fprintf(&text, " w%d", words.IntN(20000))
			}
			writeArticle(t, content, fmt.Sprintf("a%04d", i), fmt.Sprintf("Article %d", i), fmt.Sprintf("common edition%d.%s", number, text.String()))
			if number > 0 {
				last[of[i]]--
			}
			of[i] = number
			last[number]++
		}
		build(t, content, public, "https://site.example")
	}
	client := &http.Client{Timeout: patience}
	total := func(base string, number int) string {
		return get(client, fmt.Sprintf("%s/api/articles?q=%%22edition%d%%22&limit=1", base, number))
	}
	serves := func(base string, number int) bool {
		return strings.Contains(total(base, number), fmt.Sprintf(`"total":%d,`, changed))
	}
	right := func(base string, without int) {
		t.Helper()
		for number, n := range last {
			if number == without {
				n = 0
			}
			if without > 0 && number == 0 {
				continue // some of these were changed by the one that is not served
			}
			if body := total(base, number); !strings.Contains(body, fmt.Sprintf(`"total":%d,`, n)) {
				t.Errorf("edition %d: %.200s, want total %d", number, body, n)
			}
		}
	}

	publish(0)
	searchd, base := startSearchd(t, public, disk.dir, "--poll", "200ms")
	publish(1)
	until(t, "the first update is served", func() bool { return serves(base, 1) })
	_, size := disk.sizes(t)

	// There is always room for an update, and never for two segments in one.
	const cannot = "the files of the index cannot be merged"
	number := 1
	for !strings.Contains(searchd.output.String(), cannot) {
		if number++; number > 20 {
			t.Fatalf("nothing was to be merged in %d updates\n%s", number, searchd.output)
		}
		disk.leave(t, size+size/2)
		publish(number)
		until(t, "an update that fits is served", func() bool { return serves(base, number) })
		right(base, -1)
	}
	t.Logf("update %d, of %d kB each, could not be merged", number, size>>10)
	if m := searchd.metrics(); m["searchd_last_merge_successful"] != 0 || m["searchd_last_reload_successful"] != 1 {
		t.Errorf("merges %v, reloads %v", m["searchd_last_merge_successful"], m["searchd_last_reload_successful"])
	}
	for line := range strings.Lines(searchd.output.String()) {
		if strings.Contains(line, cannot) && (!strings.Contains(line, "no space left on device") || !strings.Contains(line, `hint="see that --data has free space`)) {
			t.Errorf("the log does not say what to do: %s", line)
		}
	}

	// Not a byte is left: the revision before stays.
	disk.leave(t, 0)
	number++
	publish(number)
	until(t, "the failure is logged", func() bool {
		return strings.Contains(searchd.output.String(), "update the index: update index: the files of the index cannot be written")
	})
	until(t, "the log says why there is no new index", func() bool {
		return strings.Contains(searchd.output.String(), "no space left on device, nor is there room for a new index")
	})
	right(base, number)

	// Room for that update is enough, without a new index.
	disk.leave(t, 2*size)
	until(t, "the update is served after all", func() bool { return serves(base, number) })
	right(base, -1)
	until(t, "the metric says so", func() bool { return searchd.metrics()["searchd_last_reload_successful"] == 1 })
	if said := searchd.output.String(); strings.Count(said, "building a new index") != 1 || strings.Count(said, cannot) != 1 || strings.Count(said, "level=ERROR") > 2 {
		t.Errorf("the log says\n%s", said)
	}

	searchd.kill()
	searchd, base = startSearchd(t, public, disk.dir, "--poll", "200ms")
	right(base, -1)
	if said := searchd.output.String(); strings.Contains(said, "building a new index") {
		t.Errorf("a restart needs a new index\n%s", said)
	}
	until(t, "the new process tells of merges that fail", func() bool { return searchd.metrics()["searchd_last_merge_successful"] == 0 })

	must(t, os.Remove(disk.ballast))
	until(t, "files are merged again", func() bool {
		return strings.Contains(searchd.output.String(), "the files of the index are merged again")
	})
	publish(number + 1)
	until(t, "the newest edition is served", func() bool { return serves(base, number+1) })
	_, fresh := startSearchd(t, public, t.TempDir())
	for _, target := range []string{"/api/articles?q=common&limit=100", "/api/articles?q=w17", "/api/articles?q=edition3+w5"} {
		if got, want := get(client, base+target), get(client, fresh+target); got != want {
			t.Errorf("%s: %.300s, a new index says %.300s", target, got, want)
		}
	}
	searchd.stop(syscall.SIGTERM)
}

// The disk is full while searchd copies a site: the revision before stays, one line says so however
// often it is tried, and with room the newest is taken up.
func TestE2ETortureFullDiskInACopy(t *testing.T) {
	disk := newSmallDisk(t, "16m")
	content, public := t.TempDir(), t.TempDir()
	edition(t, content, public, 0)
	host := httptest.NewServer(http.FileServer(http.Dir(public)))
	t.Cleanup(host.Close)
	searchd, base := startSearchd(t, host.URL, disk.dir, "--poll", "100ms")
	disk.leave(t, 0)
	edition(t, content, public, 1)
	until(t, "it is tried several times", func() bool { return searchd.metrics()[`searchd_reload_failures_total{reason="disk"}`] > 3 })
	if said := searchd.output.String(); strings.Count(said, "level=ERROR") != 1 || !strings.Contains(said, "no space left on device") || !strings.Contains(said, `hint="see that --data has free space`) {
		t.Errorf("the log says\n%s", said)
	}
	if got := whichEdition(t, base); got != 0 {
		t.Errorf("edition %d is served, want the one before", got)
	}
	must(t, os.Remove(disk.ballast))
	until(t, "the newest edition is served", func() bool { return whichEdition(t, base) == 1 })
	searchd.stop(syscall.SIGTERM)
}
