package cache

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// must ends the test over an error.
func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// version is what a program of this name would be.
func version(name string) func() ([sha256.Size]byte, error) {
	return func() ([sha256.Size]byte, error) { return sha256.Sum256([]byte(name)), nil }
}

func TestWhatIsSavedIsThereAgain(t *testing.T) {
	file := filepath.Join(t.TempDir(), "folder", "a.cache")
	c := Open(file, version("1"))
	want := map[string]Entry{}
	for i := range 100 {
		name := fmt.Sprint("file ", i)
		want[name] = Entry{Stamp{int64(i), -1 << 62, 1 << 62, 1 << 63}, fmt.Sprint("value\x00\n", i)}
		c.Put('a', name, want[name])
		c.Put('b', name, Entry{Value: name})
	}
	must(t, c.Save())
	again := Open(file, version("1"))
	for name, e := range want {
		if got, ok := again.Get('a', name); !ok || got != e {
			t.Errorf("%s is %+v, want %+v", name, got, e)
		}
		if got, ok := again.Get('b', name); !ok || got.Value != name {
			t.Errorf("%s is %+v", name, got)
		}
	}
	if _, ok := again.Get('a', "file 100"); ok {
		t.Error("what was never put is there")
	}
	if _, ok := Open(file, version("2")).Get('a', "file 1"); ok {
		t.Error("another version's entry is there")
	}
}

// What builds have left that were killed while they saved is gone after the next; that of one that
// goes on is not.
func TestSaveSweeps(t *testing.T) {
	folder := t.TempDir()
	file := filepath.Join(folder, "a.cache")
	for name, age := range map[string]time.Duration{
		"a.cache.123": time.Hour, "a.cache.9": 11 * time.Minute, "a.cache.456": time.Minute, "a.cache.old": time.Hour, "a.cached": time.Hour, "b.cache.123": time.Hour,
	} {
		path, at := filepath.Join(folder, name), time.Now().Add(-age)
		must(t, errors.Join(os.WriteFile(path, nil, 0o600), os.Chtimes(path, at, at)))
	}
	c := Open(file, version("1"))
	c.Put('a', "name", Entry{Value: "value"})
	must(t, c.Save())
	entries, err := os.ReadDir(folder)
	must(t, err)
	if want := "a.cache a.cache.456 a.cache.old a.cached b.cache.123"; want != names(entries) {
		t.Errorf("the folder has %s, want %s", names(entries), want)
	}
}

func names(entries []os.DirEntry) string {
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return strings.Join(names, " ")
}

// What no build asks for any more is forgotten, and a cache that says the same is not
// written again.
func TestSave(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a.cache")
	c := Open(file, version("1"))
	save := func() {
		t.Helper()
		must(t, c.Save())
	}
	for _, name := range []string{"got", "put", "neither"} {
		c.Put('a', name, Entry{Value: name})
	}
	save()
	c = Open(file, version("1"))
	use := func() {
		c.Get('a', "got")
		c.Put('a', "put", Entry{Value: "put"})
	}
	use()
	save()
	c = Open(file, version("1"))
	use()
	if _, ok := c.Get('a', "neither"); ok {
		t.Error("what the last build did not use is there")
	}
	must(t, os.Remove(file))
	save()
	if _, err := os.Stat(file); err == nil {
		t.Error("the same entries were written again")
	}
}

// A process that watches a site changes entries for months.
func TestWhatIsReplacedTakesNoRoom(t *testing.T) {
	c := New()
	c.Put('a', "stays", Entry{Value: "as it is"})
	c.Put('a', "goes", Entry{Value: "which nobody asks for"})
	stays, _ := c.Get('a', "stays")
	for round := range 1000 {
		for i := range 10 {
			c.Put('a', fmt.Sprint(i), Entry{Value: fmt.Sprint(round, i, strings.Repeat(".", 100))})
		}
		c.Get('a', "stays")
		must(t, c.Save())
	}
	if n := len(c.pages); n > 3 {
		t.Errorf("11 entries take %d pages", n)
	}
	for i := range 10 {
		if got, ok := c.Get('a', fmt.Sprint(i)); !ok || got.Value != fmt.Sprint(999, i, strings.Repeat(".", 100)) {
			t.Errorf("entry %d is %+v, %t", i, got, ok)
		}
	}
	if _, ok := c.Get('a', "goes"); ok {
		t.Error("what nobody asked for is there")
	}
	if again, ok := c.Get('a', "stays"); !ok || again != stays || again.Value != "as it is" {
		t.Errorf("what stays is %+v, %t, and was %+v", again, ok, stays)
	}
}

// Whatever happens to the file, nothing of it is taken but the whole.
func TestADamagedCacheIsEmpty(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a.cache")
	c := Open(file, version("1"))
	c.Put('a', "name", Entry{Value: "value"})
	must(t, c.Save())
	whole, err := os.ReadFile(file)
	must(t, err)
	damage := func(what string, data []byte) {
		t.Helper()
		must(t, os.WriteFile(file, data, 0o644))
		if _, ok := Open(file, version("1")).Get('a', "name"); ok {
			t.Error(what)
		}
	}
	for i := range whole {
		damage(fmt.Sprintf("cut off at byte %d", i), whole[:i])
		other := append([]byte{}, whole...)
		other[i] ^= 1
		damage(fmt.Sprintf("another byte %d", i), other)
	}
	damage("something after it", append(whole[:len(whole):len(whole)], 0))
}

// A program that cannot tell its version builds without what others remember, and says so.
func TestAVersionThatIsNotKnown(t *testing.T) {
	unknown := errors.New("there is no such program")
	file := filepath.Join(t.TempDir(), "a.cache")
	c := Open(file, func() (v [sha256.Size]byte, err error) { return v, unknown })
	c.Put('a', "name", Entry{Value: "value"})
	if e, ok := c.Get('a', "name"); !ok || e.Value != "value" {
		t.Errorf("what was put is %+v, %t", e, ok)
	}
	if err := c.Save(); !errors.Is(err, unknown) {
		t.Errorf("it was saved: %v", err)
	}
	if _, err := os.Stat(file); err == nil {
		t.Error("a file was written")
	}
}

func TestSettled(t *testing.T) {
	now := time.Now()
	at := func(before time.Duration) int64 { return now.Add(-before).UnixNano() }
	second := now.Truncate(time.Second)
	for _, test := range []struct {
		name  string
		stamp Stamp
		want  bool
	}{
		{"an old file", Stamp{Modified: at(time.Hour), Changed: at(time.Hour)}, true},
		{"written just now", Stamp{Modified: at(time.Millisecond), Changed: at(time.Millisecond)}, false},
		{"written just now, with an older time", Stamp{Modified: at(time.Hour), Changed: at(time.Millisecond)}, false},
		{"written a tick ago", Stamp{Modified: at(tick + 1), Changed: at(tick + 1)}, true},
		{"written in the future", Stamp{Modified: at(-time.Hour), Changed: at(-time.Hour)}, false},
		{"a clock of whole seconds", Stamp{Modified: second.Add(-time.Second).UnixNano()}, false},
		{"a clock of whole seconds, long ago", Stamp{Modified: second.Add(-3 * time.Second).UnixNano()}, true},
	} {
		if got := test.stamp.Settled(now) == test.stamp; got != test.want {
			t.Errorf("%s: settled is %v, want %v", test.name, got, test.want)
		}
	}
}

func TestStampOf(t *testing.T) {
	dir := t.TempDir()
	stamp := func(name string) Stamp {
		t.Helper()
		info, err := os.Lstat(filepath.Join(dir, name))
		must(t, err)
		return StampOf(info)
	}
	if stamp(".") != (Stamp{}) {
		t.Error("a folder has a stamp")
	}
	must(t, os.WriteFile(filepath.Join(dir, "a"), []byte("text"), 0o644))
	a := stamp("a")
	if a == (Stamp{}) || a != stamp("a") || a.Size != 4 {
		t.Errorf("the stamp is %+v", a)
	}
	must(t, os.Rename(filepath.Join(dir, "a"), filepath.Join(dir, "b")))
	if stamp("b").Moved() != a.Moved() {
		t.Error("a renamed file is another one")
	}
	if runtime.GOOS != "linux" {
		return // not every system tells more than size and time
	}
	modified := time.Unix(0, a.Modified)
	must(t, os.WriteFile(filepath.Join(dir, "a"), []byte("TEXT"), 0o644))
	must(t, os.Chtimes(filepath.Join(dir, "a"), modified, modified))
	if other := stamp("a"); other.Moved() == a.Moved() || a.Changed == 0 || other.Changed < a.Changed {
		t.Errorf("a file with the size and the time of another has the stamp %+v, as that has %+v", other, a)
	}
}

// A value that is cut off anywhere is known to be.
func TestACutValueIsNotDone(t *testing.T) {
	read := func(value string) bool {
		r := NewReader(value)
		r.Byte()
		r.Uint()
		r.Int()
		r.Text()
		return r.Done()
	}
	whole := string(AppendText(binary.AppendVarint(binary.AppendUvarint([]byte{7}, 1<<40), -5), "text"))
	for i := range whole {
		if read(whole[:i]) {
			t.Errorf("%q is taken for the whole", whole[:i])
		}
	}
	if !read(whole) || read(whole+"x") {
		t.Error("the whole is not known")
	}
}

// A value that is not what its reader takes it for is refused, never a panic.
func FuzzReader(f *testing.F) {
	f.Add(string(AppendText(binary.AppendVarint(binary.AppendUvarint([]byte{7}, 1<<40), -5), "text")))
	f.Fuzz(func(t *testing.T, value string) {
		r := NewReader(value)
		kind, n, i, text := r.Byte(), r.Uint(), r.Int(), r.Text()
		if !r.Done() {
			return
		}
		again := NewReader(string(AppendText(binary.AppendVarint(binary.AppendUvarint([]byte{kind}, n), i), text)))
		if again.Byte() != kind || again.Uint() != n || again.Int() != i || again.Text() != text || !again.Done() {
			t.Errorf("%q is read otherwise when it is written again", value)
		}
	})
}
