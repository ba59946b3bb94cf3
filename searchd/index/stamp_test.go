//go:build linux

package index

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/RoaringBitmap/roaring/v2"
	segment "github.com/blevesearch/scorch_segment_api/v2"
	"go.etcd.io/bbolt"
	bolt "go.etcd.io/bbolt/errors"

	"newsstand/builder/article"
	"newsstand/builder/article/articletest"
	"newsstand/searchd/index/analysis"
)

// stamped makes an index of a few articles, and stamps its files once the engine has nothing to
// write.
func stamped(t *testing.T) (dir string) {
	t.Helper()
	dir = t.TempDir()
	x := still(t, dir)
	update(t, x, "r1", commonWords())
	update(t, x, "r2", []article.Article{note("d7", "en", "Title 7", "common word again")}, "d3")
	closeStamped(t, x)
	return dir
}

func closeStamped(t *testing.T, x *Index) {
	t.Helper()
	dir := x.dir
	if err := errors.Join(lookLater(x), x.Close()); err != nil {
		t.Fatal(err)
	}
	segments, err := filepath.Glob(filepath.Join(dir, "*.zap"))
	if err != nil {
		t.Fatal(err)
	}
	x.read.Files = map[string]stamp{} // some were merged meanwhile and removed
	for _, path := range append(segments, filepath.Join(dir, catalogName)) {
		if x.read.Files[filepath.Base(path)], err = stampOf(path); err != nil {
			t.Fatal(err)
		}
	}
	if err := x.read.write(dir); err != nil {
		t.Fatal(err)
	}
	later(t, dir)
}

// still opens an index whose files only the test looks at.
func still(t *testing.T, dir string) *Index {
	t.Helper()
	x := unclosed(t, dir)
	x.stop()
	return x
}

// wantDamaged opens an index that should be found damaged.
func wantDamaged(t *testing.T, dir string) {
	t.Helper()
	x, err := Open(t.Context(), dir, 0)
	if err == nil {
		x.Close()
	}
	if !errors.Is(err, ErrDamaged) {
		t.Errorf("open: %v, want ErrDamaged", err)
	}
}

// lookLater is keep's look at files that are no longer young.
func lookLater(x *Index) error {
	return x.look(time.Now().Add(time.Hour), unresting)
}

// later waits until a file that is written now gets another time than those in the folder.
func later(t *testing.T, dir string) {
	t.Helper()
	newest := int64(0)
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		s, err := stampOf(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		newest = max(newest, s.Changed)
	}
	for path := filepath.Join(t.TempDir(), "now"); ; {
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		s, err := stampOf(path)
		if err != nil {
			t.Fatal(err)
		}
		if s.Changed > newest {
			return
		}
	}
}

// segmentIn returns the path of a segment.
func segmentIn(t *testing.T, dir string) string {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, "*.zap"))
	if err != nil || len(names) == 0 {
		t.Fatalf("%v %v", names, err)
	}
	return names[0]
}

// flip changes one byte in the middle of a file in place.
func flip(t *testing.T, path string) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		t.Fatal(err)
	}
	one := make([]byte, 1)
	at := info.Size() / 2
	if _, err := f.ReadAt(one, at); err != nil {
		t.Fatal(err)
	}
	one[0] ^= 0xFF
	if _, err := f.WriteAt(one, at); err != nil {
		t.Fatal(err)
	}
}

// A start does not read again a file that nobody has written to since.
func TestWhatWasReadIsBelieved(t *testing.T) {
	dir := stamped(t)
	x := still(t, dir)
	if len(x.believed) == 0 || x.counted {
		t.Errorf("believed are %v, and the articles were counted: %v", x.believed, x.counted)
	}
	if got := search(t, x, "common word", 100); got.Total != 49 || got.Revision != "r2" {
		t.Errorf("%d of %s found, want 49 of r2", got.Total, got.Revision)
	}
	if err := lookLater(x); err != nil || len(x.believed) > 0 || !x.counted {
		t.Errorf("after a look: %v, believed are %v, counted: %v", err, x.believed, x.counted)
	}
	update(t, x, "r3", []article.Article{note("new", "en", "New", "common word")})
	shut(t, x)
	x = still(t, dir)
	if n := search(t, x, "common word", 100).Total; !x.counted || n != 50 {
		t.Errorf("after an update %d found, want 50; counted: %v", n, x.counted)
	}
	shut(t, x)
}

// A start soon after another believes what that one believed: the engine writes to the catalog at
// each start, and the process that ends knows that nobody else did.
func TestAStartSoonAfterAnotherReadsNothing(t *testing.T) {
	dir := t.TempDir()
	x := still(t, dir)
	update(t, x, "r1", commonWords())
	if err := lookLater(x); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		eventually(t, "the catalog is written, and no longer young", func() bool {
			s, err := stampOf(filepath.Join(dir, catalogName))
			return atomic.LoadUint64(&x.stats().LastPersistedEpoch) > 0 && err == nil && !s.young(time.Now())
		})
		shut(t, x)
		if x = still(t, dir); x.counted {
			t.Error("the articles were counted")
		}
	}
	shut(t, x)
	if err := os.Truncate(filepath.Join(dir, catalogName), 20_000); err != nil {
		t.Fatal(err)
	}
	wantDamaged(t, dir)
}

// An index that is found damaged when it is opened stamps none of its files: the next start reads
// them.
func TestWhatCannotBeOpenedIsNotStamped(t *testing.T) {
	dir := stamped(t)
	x := still(t, dir)
	kept, err := x.current.reader.GetInternal([]byte(keyHead))
	if err != nil {
		t.Fatal(err)
	}
	h, err := parseHead(kept)
	if err != nil {
		t.Fatal(err)
	}
	h.Totals.Digests++
	if kept, err = withSum(h); err != nil {
		t.Fatal(err)
	}
	written := atomic.LoadUint64(&x.stats().LastPersistedEpoch)
	if err := x.engine.SetInternal([]byte(keyHead), kept); err != nil {
		t.Fatal(err)
	}
	eventually(t, "it is written", func() bool { return atomic.LoadUint64(&x.stats().LastPersistedEpoch) > written })
	shut(t, x)
	wantDamaged(t, dir)
	if left := readStamps(dir); len(left.Files) > 0 {
		t.Errorf("it left stamps: %v", left.Files)
	}
}

// Whatever is written to a file changes its stamp. (A kept time of change cannot be tested: no
// system call sets it.)
func TestWhatIsWrittenToIsReadFirst(t *testing.T) {
	for name, damage := range map[string]func(t *testing.T, path string){
		"a byte": flip,
		"a byte, and the time of modification is set back": func(t *testing.T, path string) {
			info, err := os.Stat(path)
			if err != nil {
				t.Fatal(err)
			}
			flip(t, path)
			if err := os.Chtimes(path, info.ModTime(), info.ModTime()); err != nil {
				t.Fatal(err)
			}
		},
		"the end": func(t *testing.T, path string) {
			if err := os.Truncate(path, 100); err != nil {
				t.Fatal(err)
			}
		},
		"another file in its place": func(t *testing.T, path string) {
			b, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			b[len(b)/2] ^= 1
			if err := errors.Join(os.WriteFile(path+".other", b, 0o600), os.Rename(path+".other", path)); err != nil {
				t.Fatal(err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := stamped(t)
			damage(t, segmentIn(t, dir))
			wantDamaged(t, dir)
		})
	}
}

// After a restart of the machine, and if the stamps are damaged, everything is read.
func TestStampsOfAnotherStartAreNotBelieved(t *testing.T) {
	for name, change := range map[string]func(t *testing.T, dir string) error{
		"another start": func(t *testing.T, dir string) error {
			s := readStamps(dir)
			s.Boot = "another"
			return s.write(dir)
		},
		"a wrong byte": func(t *testing.T, dir string) error {
			flip(t, filepath.Join(dir, stampsName))
			return nil
		},
		"a torn file": func(t *testing.T, dir string) error { return os.Truncate(filepath.Join(dir, stampsName), 3) },
		"none":        func(t *testing.T, dir string) error { return os.Remove(filepath.Join(dir, stampsName)) },
		"of another folder": func(t *testing.T, dir string) error {
			b, err := os.ReadFile(filepath.Join(stamped(t), stampsName))
			return errors.Join(err, os.WriteFile(filepath.Join(dir, stampsName), b, 0o600))
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := stamped(t)
			if err := change(t, dir); err != nil {
				t.Fatal(err)
			}
			x := still(t, dir)
			if len(x.believed) > 0 || !x.counted {
				t.Errorf("believed are %v", x.believed)
			}
			shut(t, x)
		})
	}
}

// A file may be written to again within the tick of the clock in which it was read.
func TestYoungFilesAreNotStamped(t *testing.T) {
	x := still(t, t.TempDir())
	defer x.Close()
	update(t, x, "r1", []article.Article{note("a", "en", "A", "a")})
	if err := x.look(time.Now(), unresting); err != nil || len(x.read.Files) > 0 {
		t.Errorf("%v; stamped are %v", err, x.read.Files)
	}
	if err := lookLater(x); err != nil || len(x.read.Files) < 2 {
		t.Errorf("%v; stamped are %v", err, x.read.Files)
	}
}

// A folder that was copied or restored from a backup has the stamps of other files, perhaps with
// the same bytes.
func TestStampsOfACopyAreNotBelieved(t *testing.T) {
	dir, copied := stamped(t), t.TempDir()
	if err := os.CopyFS(copied, os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	for name := range readStamps(dir).Files {
		info, err := os.Stat(filepath.Join(dir, name))
		if err == nil {
			err = os.Chtimes(filepath.Join(copied, name), info.ModTime(), info.ModTime())
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	x := still(t, copied)
	defer x.Close()
	if len(x.believed) > 0 || !x.counted {
		t.Errorf("believed are %v", x.believed)
	}
}

// While the clock is behind the time of a file, nobody knows when the file was written: it is read
// at the next start. When the clock is right again, the file is stamped.
func TestClockIsSetBack(t *testing.T) {
	dir := t.TempDir()
	for _, years := range []int{-20, -1, 0} {
		x := still(t, dir)
		if x.Articles() == 0 {
			update(t, x, "r1", []article.Article{note("a", "en", "A", "a")})
		}
		if len(x.believed) > 0 {
			t.Errorf("%d years: believed are %v", years, x.believed)
		}
		if err := x.look(time.Now().AddDate(years, 0, 0).Add(time.Minute), unresting); err != nil || (len(x.read.Files) > 0) != (years == 0) {
			t.Errorf("%d years: %v; stamped are %v", years, err, x.read.Files)
		}
		if n := search(t, x, "a", 1).Total; n != 1 {
			t.Errorf("%d years: %d found", years, n)
		}
		shut(t, x)
	}
}

// A file that rots while it is believed or in use is found by reading it again, and is not believed
// any more.
func TestRotIsFoundLater(t *testing.T) {
	dir := stamped(t)
	x := still(t, dir)
	defer x.Close()
	flip(t, segmentIn(t, dir))
	if err := lookLater(x); !errors.Is(err, ErrDamaged) {
		t.Errorf("%v, want ErrDamaged", err)
	}
}

// A process that is killed at any instant of its updates leaves no stamps of what was not written:
// the next one opens the revision before or after, and its files are right.
func TestKilledWhileItStamps(t *testing.T) {
	if dir := os.Getenv("TEST_KILLED_IN"); dir != "" {
		x := still(t, dir)
		go func() { // all the time, and whatever their age
			for {
				lookLater(x)
			}
		}()
		for n, _ := strconv.Atoi(string(x.State())); ; n++ {
			put := []article.Article{note("counter", "en", "Counter", fmt.Sprintf("number%d", n+1)), note(fmt.Sprint("a", n%50), "en", "A", "common")}
			if err := x.Update(t.Context(), Update{Revision: "r", Put: feed(t, put...), State: fmt.Append(nil, n+1)}); err != nil {
				t.Fatal(err)
			}
			fmt.Printf("\ndone %d\n", n+1)
		}
	}
	dir := t.TempDir()
	random := rand.New(rand.NewPCG(9, 10))
	believed := 0
	for round := 0; round < rounds(3) || believed == 0 && round < rounds(30); round++ { // a kill may come before any stamp
		process := exec.Command(os.Args[0], "-test.run=^TestKilledWhileItStamps$", "-test.v")
		process.Env = append(os.Environ(), "TEST_KILLED_IN="+dir)
		out, err := process.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := process.Start(); err != nil {
			t.Fatal(err)
		}
		done, wanted := 0, 1+random.IntN(30)
		lines := bufio.NewScanner(out)
		for seen := 0; lines.Scan(); {
			if text, ok := strings.CutPrefix(lines.Text(), "done "); ok {
				done, _ = strconv.Atoi(text)
				if seen++; seen == wanted {
					process.Process.Kill()
				}
			}
		}
		process.Wait() // it was killed
		x := still(t, dir)
		believed += len(x.believed)
		n, _ := strconv.Atoi(string(x.State()))
		if n < done || n > done+1 {
			t.Errorf("round %d: state %d, and %d were done", round, n, done)
		}
		if got := search(t, x, fmt.Sprint("number", n), 10).Total; got != 1 {
			t.Errorf("round %d: %d articles tell of %d", round, got, n)
		}
		if err := lookLater(x); err != nil {
			t.Errorf("round %d: %v", round, err)
		}
		shut(t, x)
	}
	if believed == 0 {
		t.Error("nothing was believed after any kill")
	}
}

// A file that cannot be opened because too many are open is not damaged, and is read later.
func TestTooManyOpenFiles(t *testing.T) {
	x := still(t, stamped(t))
	defer x.Close()
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
		t.Fatal(err)
	}
	for _, files := range []string{"believed", "new"} {
		if err := syscall.Setrlimit(syscall.RLIMIT_NOFILE, &syscall.Rlimit{Max: limit.Max}); err != nil {
			t.Fatal(err)
		}
		err := lookLater(x)
		if err := syscall.Setrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
			t.Fatal(err)
		}
		if !errors.Is(err, syscall.EMFILE) || errors.Is(err, ErrDamaged) {
			t.Errorf("%s: %v, want only that too many files are open", files, err)
		}
		if err := lookLater(x); err != nil || len(x.believed) > 0 {
			t.Errorf("%s: %v afterwards; believed are %v", files, err, x.believed)
		}
		update(t, x, "r3", []article.Article{note("new", "en", "New", "common word")})
	}
}

// Nor is an index damaged if a file cannot be opened, or mapped, when the index is opened;
// otherwise it would be built anew. Each limit of open files is tried in a process of its own,
// because the engine leaves some open after it fails.
func TestOpenWithTooFewFiles(t *testing.T) {
	articletest.WithoutRace(t)
	if dir := os.Getenv("TEST_FEW_FILES_IN"); dir != "" {
		files, _ := strconv.ParseUint(os.Getenv("TEST_FEW_FILES"), 10, 64)
		if err := syscall.Setrlimit(syscall.RLIMIT_NOFILE, &syscall.Rlimit{Cur: files, Max: files}); err != nil {
			t.Fatal(err)
		}
		x, err := Open(t.Context(), dir, 1)
		if err == nil {
			fmt.Println("opened")
			x.Close()
		} else if errors.Is(err, ErrDamaged) || !errors.Is(err, syscall.EMFILE) {
			t.Error(err)
		}
		return
	}
	for _, believed := range []bool{false, true} {
		dir := t.TempDir()
		x := still(t, dir)
		for i := range 6 { // segments, each of which is a file
			update(t, x, fmt.Sprint("r", i), []article.Article{note(fmt.Sprint("d", i), "en", "Title", "common word")})
		}
		closeStamped(t, x)
		if !believed {
			if err := os.Remove(filepath.Join(dir, stampsName)); err != nil {
				t.Fatal(err)
			}
		}
		failed, opened := 0, false
		for files := 4; files < 60 && !opened; files++ {
			process := exec.Command(os.Args[0], "-test.run=^TestOpenWithTooFewFiles$", "-test.v", "-test.timeout=1m")
			process.Env = append(os.Environ(), "TEST_FEW_FILES_IN="+dir, fmt.Sprint("TEST_FEW_FILES=", files))
			out, err := process.CombinedOutput()
			if err != nil {
				t.Errorf("believed %v, %d files: %v\n%s", believed, files, err, out)
			}
			failed++
			opened = strings.Contains(string(out), "opened")
		}
		if !opened || failed < 3 {
			t.Errorf("believed %v: opened is %v after %d tries", believed, opened, failed)
		}
	}
}

// Nor is it damaged if the engine cannot open the first file of the index. The engine does not fail
// then: it went on with no articles, and removed those that there were.
func TestTheFirstSegmentCannotBeOpened(t *testing.T) {
	whole := stamped(t)
	failed := 0
	for more := 1; ; more++ {
		dir := t.TempDir() // the engine leaves its catalog open after it fails
		if err := os.CopyFS(dir, os.DirFS(whole)); err != nil {
			t.Fatal(err)
		}
		x := &Index{languages: analysis.NewLanguages(), dir: dir, processors: 1, closing: make(chan struct{}), guarded: func() {}}
		restore := articletest.FewFiles(t, more)
		err := x.openEngine(true)
		restore()
		if err != nil {
			if failed++; !errors.Is(err, syscall.EMFILE) || errors.Is(err, ErrDamaged) {
				t.Errorf("%d files more: %v, want only that too many files are open", more, err)
			}
			continue
		}
		x.current, err = x.take()
		if err != nil || x.current.state == nil {
			t.Errorf("%d files more: opened without a revision, %v", more, err)
		}
		x.close()
		break
	}
	if failed == 0 {
		t.Error("it could always be opened")
	}
}

// A disk that cannot read a file once may read it a moment later: an index is damaged only if it
// cannot be read the second time.
func TestADiskThatIsDisturbed(t *testing.T) {
	disturb := func(dir string) (calm func()) {
		t.Helper()
		segments, err := filepath.Glob(filepath.Join(dir, "*.zap"))
		if err != nil || len(segments) == 0 {
			t.Fatal(segments, err)
		}
		path, aside := segments[0], filepath.Join(t.TempDir(), "aside")
		if err := errors.Join(os.Rename(path, aside), os.Symlink("/proc/self/mem", path)); err != nil { // its first byte cannot be read: EIO
			t.Fatal(err)
		}
		return func() {
			if err := os.Rename(aside, path); err != nil {
				t.Error(err)
			}
		}
	}
	for _, lasting := range []bool{false, true} {
		dir := stamped(t)
		calm := disturb(dir)
		if !lasting {
			time.AfterFunc(disturbance/2, calm)
		}
		x, err := Open(t.Context(), dir, 0)
		if errors.Is(err, ErrDamaged) != lasting || errors.Is(err, syscall.EIO) != lasting {
			t.Errorf("opened while the disk is disturbed, lasting %v: %v", lasting, err)
		}
		if err == nil {
			x.Close()
		}

		x = still(t, stamped(t))
		calm = disturb(x.dir)
		if err := x.lookTwice(time.Now(), unresting); err != nil {
			t.Errorf("at the first look: %v", err)
		}
		if !lasting {
			calm()
		}
		if err := x.lookTwice(time.Now(), unresting); errors.Is(err, ErrDamaged) != lasting || (err != nil) != lasting {
			t.Errorf("at the second look, lasting %v: %v", lasting, err)
		}
		x.Close()
	}
}

// An index whose catalog cannot be examined is damaged: one taken for new is opened without being
// read first.
func TestTheCatalogCannotBeLookedAt(t *testing.T) {
	dir := t.TempDir()
	if err := os.Symlink(catalogName, filepath.Join(dir, catalogName)); err != nil {
		t.Fatal(err)
	}
	wantDamaged(t, dir)
}

// Errors for which the machine is at fault are not damage; all others are.
func TestUnread(t *testing.T) {
	for _, c := range []struct {
		err     error
		damaged bool
	}{
		{&fs.PathError{Op: "open", Path: "root.bolt", Err: syscall.EMFILE}, false},
		{&fs.PathError{Op: "open", Path: "root.bolt", Err: syscall.EACCES}, false},
		{&fs.PathError{Op: "read", Path: "root.bolt", Err: syscall.ENOMEM}, false},
		{misread("1.zap", &fs.PathError{Op: "read", Path: "1.zap", Err: syscall.ENOMEM}), false},
		{misread("1.zap", &fs.PathError{Op: "read", Path: "1.zap", Err: syscall.EIO}), true},
		{fmt.Errorf("lock: %w", syscall.EINTR), false},
		{fmt.Errorf("map: %w", syscall.EAGAIN), false},
		{fmt.Errorf("map: %w", syscall.ENOMEM), false},
		{bolt.ErrTimeout, false},
		{context.Canceled, false},
		{&fs.PathError{Op: "open", Path: "1.zap", Err: syscall.ENOENT}, true},
		{&fs.PathError{Op: "read", Path: "1.zap", Err: syscall.EIO}, true},
		{bolt.ErrInvalid, true},
		{crash{"index out of range", ""}, true},
	} {
		if err := unread(c.err); errors.Is(err, ErrDamaged) != c.damaged || !errors.Is(err, c.err) {
			t.Errorf("%v: %v", c.err, err)
		}
	}
}

// Nor is it damage if another process has the index open.
func TestOpenWhatIsOpenElsewhere(t *testing.T) {
	dir := stamped(t)
	catalog, err := bbolt.Open(filepath.Join(dir, catalogName), 0o600, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer catalog.Close()
	if _, err := Open(t.Context(), dir, 0); !errors.Is(err, bolt.ErrTimeout) || errors.Is(err, ErrDamaged) {
		t.Errorf("%v, want that it is in use", err)
	}
}

// If a process is told to end while it opens an index, it does not first read all of it, and does
// not find it damaged.
func TestOpeningEndsInTheMiddle(t *testing.T) {
	dir := stamped(t)
	if err := os.Remove(filepath.Join(dir, stampsName)); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Open(ctx, dir, 0); !errors.Is(err, context.Canceled) || errors.Is(err, ErrDamaged) {
		t.Errorf("%v, want only that of the context", err)
	}
	if err := still(t, dir).Close(); err != nil {
		t.Error(err)
	}
}

// Closing an index does not wait until all that is being read is read.
func TestReadingEndsInTheMiddle(t *testing.T) {
	x := still(t, t.TempDir())
	defer x.Close()
	update(t, x, "r", large())
	closed := errors.New("closed")
	pieces := 0
	err := x.look(time.Now().Add(time.Hour), func(time.Duration) error {
		pieces++
		return closed
	})
	if !errors.Is(err, closed) || errors.Is(err, ErrDamaged) || pieces != 1 {
		t.Errorf("%v after %d pieces", err, pieces)
	}
	path := segmentIn(t, x.dir)
	flip(t, path) // nobody reads it any more
	closing := make(chan struct{})
	close(closing)
	from, drops := []segment.Segment{opened(t, path)}, []*roaring.Bitmap{nil}
	if _, _, err := new(segments).MergeUsing(from, drops, filepath.Join(t.TempDir(), "merged"), closing, nil, nil); err != segment.ErrClosed {
		t.Errorf("a merge: %v, want the engine's own error", err)
	}
}
