//go:build linux

package index

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"

	segment "github.com/blevesearch/scorch_segment_api/v2"

	"newsstand/builder/article"
	"newsstand/builder/article/articletest"
)

// Rotten bytes are not merged into another file, which would get the right checksum: the damage is
// reported.
func TestRotIsNotMerged(t *testing.T) {
	dir := t.TempDir()
	x := still(t, dir)
	update(t, x, "r", commonWords())
	merged := make(chan error, 1)
	for round := 0; x.Damage() == nil; round++ {
		update(t, x, "r", []article.Article{note(fmt.Sprint("a", round), "en", "A", "one segment more")})
		for _, s := range x.current.reader.Segments() {
			if file, ok := s.Segment().(segment.PersistedSegment); ok {
				write(t, file.Path(), 9, "rot") // into a stored text, which neither an update nor a merge reads
			}
		}
		go func() { merged <- x.engine.ForceMerge(t.Context(), nil) }()
		eventually(t, "damage is told, or the engine had merged all before", func() bool { return x.Damage() != nil || len(merged) > 0 })
		if len(merged) > 0 {
			<-merged
		}
	}
	if err := x.Damage(); !errors.Is(err, ErrDamaged) {
		t.Errorf("got %v, want ErrDamaged", err)
	}
	x.damage.Store(nil) // or Close would not wait for a slow disk, and spoil the files
	shut(t, x)
	wantDamaged(t, dir) // else the wrong bytes have got the right checksum
}

// write writes a text at a place in a file.
func write(t *testing.T, path string, at int64, text string) {
	t.Helper()
	file, err := os.OpenFile(path, os.O_WRONLY, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return // it has been merged away
	}
	if err != nil {
		t.Fatal(err)
	}
	if _, err := file.WriteAt([]byte(text), at); errors.Join(err, file.Close()) != nil {
		t.Fatal(err)
	}
}

// Files may be truncated or written to while they are in use, for example when a backup is
// restored. Whatever the index then does with them, it returns an error, and the process goes on.
// (The race detector also checks pointers, and ends the process at a page of the catalog that
// claims to have more than it has.)
func TestDamageInUse(t *testing.T) {
	articletest.WithoutRace(t)
	if dir := os.Getenv("TEST_DAMAGED_IN"); dir != "" {
		seed, _ := strconv.ParseUint(os.Getenv("TEST_SEED"), 10, 64)
		useDamaged(t, dir, rand.New(rand.NewPCG(13, seed)))
		return
	}
	for seed := range rounds(12) {
		process := exec.Command(os.Args[0], "-test.run=^TestDamageInUse$", "-test.v", "-test.timeout=1m")
		process.Env = append(os.Environ(), "TEST_DAMAGED_IN="+t.TempDir(), fmt.Sprint("TEST_SEED=", seed))
		if out, err := process.CombinedOutput(); err != nil {
			t.Errorf("seed %d: %v\n%s", seed, err, out)
		}
	}
}

// useDamaged damages the files of an index, and then uses it.
func useDamaged(t *testing.T, dir string, r *rand.Rand) {
	x := still(t, dir)
	update(t, x, "r0", commonWords())
	for i := range 3 {
		update(t, x, fmt.Sprint("r", i), []article.Article{note(fmt.Sprint("d", i), "en", "Title", "common word again")}, fmt.Sprint("d", 10+i))
	}
	names, err := filepath.Glob(filepath.Join(dir, "*.zap"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range append(names, filepath.Join(dir, catalogName)) {
		file, err := os.OpenFile(name, os.O_RDWR, 0)
		if err != nil {
			continue // it has been merged away
		}
		info, err := file.Stat()
		if err != nil {
			t.Fatal(err)
		}
		size := max(1, info.Size()) // a file that is being written may still be empty
		if r.IntN(2) == 0 {
			err = file.Truncate(r.Int64N(size))
		} else {
			for range 1 << r.IntN(10) {
				_, wrong := file.WriteAt([]byte{byte(r.IntN(256))}, r.Int64N(size))
				err = errors.Join(err, wrong)
			}
		}
		if err := errors.Join(err, file.Close()); err != nil {
			t.Fatal(err)
		}
	}
	for i := range 4 {
		var err error
		switch r.IntN(5) {
		case 0:
			put := feed(t, note("d9", "en", "Title 9", fmt.Sprint("common word again ", i)))
			err = x.Update(t.Context(), Update{Revision: "later", Put: put, Delete: []string{"d20"}, State: []byte("s")})
		case 1:
			go x.engine.ForceMerge(t.Context(), nil)
		case 2:
			err = x.Digests(func(id, digest string) error { return nil })
		case 3:
			err = lookLater(x)
		case 4:
			_, err = x.Search(t.Context(), Query{Text: `common "word again"`, Limit: 10})
		}
		if err != nil && !errors.Is(err, ErrDamaged) && !errors.Is(err, ErrNotWritten) {
			t.Error(err)
		}
	}
	x.Close() // its error may be about the files, too
}

// The same holds for the catalog right after a start, before the engine has written to it.
func TestTheCatalogIsTruncatedAtOnce(t *testing.T) {
	if dir := os.Getenv("TEST_CUT_OFF_IN"); dir != "" {
		x := still(t, dir)
		if err := os.Truncate(filepath.Join(dir, catalogName), 0); err != nil {
			t.Fatal(err)
		}
		put := feed(t, note("d9", "en", "Title 9", "common word"))
		if err := x.Update(t.Context(), Update{Revision: "later", Put: put, State: []byte("s")}); !errors.Is(err, ErrDamaged) {
			t.Errorf("%v, want ErrDamaged", err)
		}
		x.Close()
		return
	}
	process := exec.Command(os.Args[0], "-test.run=^TestTheCatalogIsTruncatedAtOnce$", "-test.v", "-test.timeout=1m")
	process.Env = append(os.Environ(), "TEST_CUT_OFF_IN="+stamped(t))
	if out, err := process.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// Rot in a file that is believed may end the process, for example if the engine allocates as much
// memory as a number in it says. The next start reads all files, and reports the damage.
func TestAStartAfterOneThatEndedTheProcessReadsAll(t *testing.T) {
	if dir := os.Getenv("TEST_ENDED_IN"); dir != "" {
		x := still(t, dir)
		x.Close()
		return
	}
	dir := t.TempDir()
	x := still(t, dir)
	update(t, x, "r1", commonWords()) // one file, which is never merged
	closeStamped(t, x)
	x = still(t, dir)
	var path string
	var row fieldPlaces
	for i, s := range x.current.reader.Segments() {
		path, row = s.Segment().(segment.PersistedSegment).Path(), x.current.layouts[i].fields[fieldRow]
	}
	shut(t, x)
	write(t, path, int64(row.last-8), "\x00\x00\x01\x00\x00\x00\x00\x00") // the number of pieces
	before := readStamps(dir)
	before.Files[filepath.Base(path)], _ = stampOf(path)
	if err := before.write(dir); err != nil {
		t.Fatal(err)
	}
	process := exec.Command(os.Args[0], "-test.run=^TestAStartAfterOneThatEndedTheProcessReadsAll$")
	process.Env = append(os.Environ(), "TEST_ENDED_IN="+dir)
	if out, err := process.CombinedOutput(); err == nil {
		t.Fatalf("the process did not end: %s", out)
	} else if !strings.Contains(string(out), "out of memory") {
		t.Fatalf("%v, want a process that is out of memory: %s", err, out)
	}
	wantDamaged(t, dir)
}

// A closed index leaves no goroutine, open file or mapping, even if it was merging or its files
// were damaged.
func TestNothingIsLeftOfAClosedIndex(t *testing.T) {
	left := func() [3]int {
		runtime.GC() // closes files that nothing refers to any more
		files, err := os.ReadDir("/proc/self/fd")
		if err != nil {
			t.Fatal(err)
		}
		mapped, err := os.ReadFile("/proc/self/maps")
		if err != nil {
			t.Fatal(err)
		}
		return [...]int{runtime.NumGoroutine(), len(files), bytes.Count(mapped, []byte(".zap\n")) + bytes.Count(mapped, []byte("/"+catalogName))}
	}
	before := left()
	for range 5 {
		for _, use := range []func(x *Index){
			func(x *Index) { search(t, x, `common "word again"`, 10) },
			func(x *Index) { go x.engine.ForceMerge(t.Context(), nil) },
			func(x *Index) {
				for _, s := range x.current.reader.Segments() {
					if file, ok := s.Segment().(segment.PersistedSegment); ok {
						os.Truncate(file.Path(), 1000)
					}
				}
				x.Search(t.Context(), Query{Text: "common word", Limit: 10})
				go x.engine.ForceMerge(t.Context(), nil)
				x.Update(t.Context(), Update{Revision: "r", Put: feed(t, note("d9", "en", "Nine", "common")), State: []byte("s")})
			},
		} {
			dir := t.TempDir()
			x := still(t, dir)
			update(t, x, "r", commonWords())
			for i := range 3 {
				update(t, x, "r", []article.Article{note(fmt.Sprint("d", i), "en", "Title", "common word again")})
			}
			use(x)
			x.Close() // its error may be about the files
			if x, err := Open(t.Context(), dir, 0); err == nil {
				x.Close()
			}
		}
	}
	eventually(t, "no more goroutines, files and mappings are left than there were", func() bool {
		now := left()
		return now[0] <= before[0] && now[1] <= before[1] && now[2] <= before[2]
	})
}

// damagedCopy copies the folder of a file, and returns the copy. In the copy, the file has the
// bytes that damage returns; if these are nil, it is missing.
func damagedCopy(t *testing.T, path string, damage func([]byte) []byte) (dir string) {
	t.Helper()
	dir = t.TempDir()
	b, err := os.ReadFile(path)
	if err := errors.Join(err, os.CopyFS(dir, os.DirFS(filepath.Dir(path)))); err != nil {
		t.Fatal(err)
	}
	path = filepath.Join(dir, filepath.Base(path))
	if b = damage(b); b == nil {
		err = os.Remove(path)
	} else {
		err = os.WriteFile(path, b, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// Whatever happens to its files, an index answers as before, or returns ErrDamaged.
func TestDamage(t *testing.T) {
	whole := t.TempDir()
	x := unclosed(t, whole)
	update(t, x, "r1", commonWords())
	want := search(t, x, "common word", 100)
	shut(t, x)
	names, err := filepath.Glob(filepath.Join(whole, "*"))
	if err != nil || len(names) < 2 {
		t.Fatalf("%v %v", names, err)
	}
	for _, name := range names {
		for how, damage := range map[string]func([]byte) []byte{
			"missing":   func([]byte) []byte { return nil },
			"empty":     func([]byte) []byte { return []byte{} },
			"torn":      func(b []byte) []byte { return b[:len(b)/2] },
			"zeros":     func(b []byte) []byte { return make([]byte, len(b)) },
			"torn late": func(b []byte) []byte { return b[:len(b)-10] },
		} {
			t.Run(filepath.Base(name)+" "+how, func(t *testing.T) {
				x, err := Open(t.Context(), damagedCopy(t, name, damage), 0)
				if err != nil {
					if !errors.Is(err, ErrDamaged) {
						t.Errorf("open: %v, want ErrDamaged", err)
					}
					return
				}
				defer x.Close()
				if x.State() == nil {
					return // as if the folder had been empty
				}
				answer, err := x.Search(context.Background(), Query{Text: "common word", Limit: 100})
				if err == nil && answer.Total != want.Total {
					t.Errorf("found %d, want %d", answer.Total, want.Total)
				}
				if err != nil && !errors.Is(err, ErrDamaged) {
					t.Errorf("search: %v, want ErrDamaged", err)
				}
			})
		}
	}
	if _, err := Open(t.Context(), filepath.Join(names[0], "below a file"), 0); err == nil || errors.Is(err, fs.ErrExist) {
		t.Errorf("a folder below a file: %v", err)
	}
}

// With wrong bytes anywhere, after updates and deletions, an index gives the same answers or
// returns ErrDamaged, and neither opening nor searching nor updating it ends the process.
func TestWrongBytes(t *testing.T) {
	whole := t.TempDir()
	x := unclosed(t, whole)
	q := Query{Text: "common word", Limit: 50}
	update(t, x, "r1", commonWords())
	want := map[string]string{"state of r1": body(t, x, q)}
	update(t, x, "r2", []article.Article{note("d7", "en", "Title 7", "common word again")}, "d3", "d20")
	want["state of r2"] = body(t, x, q)
	shut(t, x)
	names, err := filepath.Glob(filepath.Join(whole, "*.*"))
	if err != nil || len(names) < 2 {
		t.Fatalf("%v %v", names, err)
	}
	random := rand.New(rand.NewPCG(5, 6))
	intact := 0
	for round := range 300 {
		dir := damagedCopy(t, names[round%len(names)], func(b []byte) []byte {
			for range 1 << random.IntN(8) {
				b[random.IntN(len(b))] ^= byte(1 + random.IntN(255))
			}
			return b
		})
		x, err := Open(t.Context(), dir, 0)
		if err != nil {
			if !errors.Is(err, ErrDamaged) {
				t.Errorf("round %d: open: %v, want ErrDamaged", round, err)
			}
			continue
		}
		if x.State() != nil { // else nothing is left of the index
			intact++
			got, err := x.Search(t.Context(), q)
			if state := string(x.State()); err != nil || string(got.Body) != want[state] {
				t.Errorf("round %d: %s: %v\n got %s\nwant %s", round, state, err, got.Body, want[state])
			}
			update(t, x, "r3", []article.Article{note("d8", "en", "Title 8", "common word newest")})
			if r := search(t, x, "newest", 10); r.Total != 1 {
				t.Errorf("round %d: after an update %d found, want 1", round, r.Total)
			}
		}
		if err := x.Close(); err != nil {
			t.Errorf("round %d: close: %v", round, err)
		}
	}
	t.Logf("%d of 300 indexes answered as before their damage", intact)
}

// A panic of a search becomes an error that says where it happened, and reveals nothing of the
// query.
func TestPanicIsAnError(t *testing.T) {
	x := indexOf(t, note("a", "en", "A", "canary"))
	x.current.damping = nil
	_, err := x.Search(t.Context(), Query{Text: "canary", Limit: 1})
	var at interface{ Stack() string }
	if !errors.Is(err, ErrDamaged) || !errors.As(err, &at) || !strings.Contains(at.Stack(), "searchd/index/") {
		t.Errorf("got %v", err)
	}
	if err := newCrash("canary"); strings.Contains(err.Error(), "canary") {
		t.Errorf("it has text that may be of the query: %v", err)
	}
}
