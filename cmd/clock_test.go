//go:build e2e

package cmd_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"
)

// setClock is added to package time: its wall clock is ahead by as many seconds as a file says.
const setClock = `package time

import (
	"sync/atomic"
	"syscall"
)

var ahead atomic.Int64

func init() {
	name, _ := syscall.Getenv("CLOCK")
	read := func() {
		if text, err := readFile(name); err == nil {
			if n, err := atoi(text); err == nil {
				ahead.Store(int64(n))
			}
		}
	}
	read()
	go func() {
		for ; ; Sleep(10 * Millisecond) {
			read()
		}
	}()
}

func set(sec int64, nsec int32, mono int64) (int64, int32, int64) { return sec + ahead.Load(), nsec, mono }
`

// withSetClock builds searchd as it is, but with that package time: the clock of this machine is
// not set for a test. Not optimised, as all that imports package time is compiled for it.
func withSetClock(t *testing.T) string {
	t.Helper()
	root, err := exec.Command("go", "env", "GOROOT").Output()
	must(t, err)
	dir, standard := t.TempDir(), filepath.Join(strings.TrimSpace(string(root)), "src", "time")
	source := read(t, filepath.Join(standard, "time.go"))
	now := regexp.MustCompile(`sec, nsec, mono := (\w+\(\))`) // in time.Now
	if n := len(now.FindAllString(source, -1)); n != 1 {
		t.Fatalf("package time of this Go asks the system for the time in %d places, want 1", n)
	}
	write(t, filepath.Join(dir, "time.go"), now.ReplaceAllString(source, "sec, nsec, mono := set($1)"))
	write(t, filepath.Join(dir, "set.go"), setClock)
	overlay, err := json.Marshal(map[string]any{"Replace": map[string]string{
		filepath.Join(standard, "time.go"): filepath.Join(dir, "time.go"),
		filepath.Join(standard, "set.go"):  filepath.Join(dir, "set.go"),
	}})
	must(t, err)
	write(t, filepath.Join(dir, "overlay.json"), string(overlay))
	searchd := filepath.Join(dir, "searchd")
	if out, err := exec.Command("go", "build", "-gcflags=all=-N -l", "-overlay", filepath.Join(dir, "overlay.json"), "-o", searchd, "newsstand/cmd/searchd").CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	return searchd
}

// A clock that is set, by hours or to 1970, is told of once, and changes no answer: new builds are
// taken up, and a start in the past serves what was indexed in the future.
func TestE2EClockIsSet(t *testing.T) {
	searchd := withSetClock(t)
	content, public, data, clock := t.TempDir(), t.TempDir(), t.TempDir(), filepath.Join(t.TempDir(), "clock")
	edition(t, content, public, 0)
	write(t, clock, "0")
	begin := func() (*program, string) {
		cmd := exec.Command(searchd, "serve", "--source", public, "--data", data, "--listen", "127.0.0.1:0", "--admin", "127.0.0.1:0", "--poll", "100ms")
		cmd.Env = append(os.Environ(), "CLOCK="+clock)
		return ready(t, launch(t, "searchd", cmd))
	}
	const hour, year = time.Hour, 365 * 24 * time.Hour
	p, base := begin()
	ahead := time.Duration(0)
	for number, next := range []time.Duration{2 * hour, 50 * year, -56 * year, 0} {
		write(t, clock, fmt.Sprint(int64(next.Seconds())))
		line := fmt.Sprintf(`msg="the clock of this machine was set, or it stood still" by=%v hint=`, next-ahead)
		until(t, "the new clock is told of", func() bool { return strings.Contains(p.output.String(), line) })
		ahead = next
		if n := whichEdition(t, base); n != number {
			t.Errorf("with a clock %v ahead: edition %d, want %d", ahead, n, number)
		}
		edition(t, content, public, number+1)
		until(t, "the new edition is served", func() bool { return whichEdition(t, base) == number+1 })
		p.stop(syscall.SIGTERM)
		if n := strings.Count(p.output.String(), "level=WARN"); n != 1 {
			t.Errorf("with a clock %v ahead: %d warnings, want one\n%s", ahead, n, p.output)
		}
		p, base = begin()
		until(t, "it tells what it serves", func() bool { return strings.Contains(p.output.String(), "serving the revision of the data folder") })
		if n := whichEdition(t, base); n != number+1 {
			t.Errorf("a start with a clock %v ahead: edition %d, want %d", ahead, n, number+1)
		}
	}
}
