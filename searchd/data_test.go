package searchd

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"hash/crc32"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"newsstand/builder/hinted"
	"newsstand/searchd/index"
)

// The temporary folders of processes that were killed do not fill the disk, and nothing else is
// taken for one.
func TestTemporaryFoldersOfTheKilledAreRemoved(t *testing.T) {
	if !locks {
		t.Skip("without locks nobody can tell which are in use")
	}
	temp, outside := filepath.Join(t.TempDir(), "[a]*"), t.TempDir()
	t.Setenv("TMPDIR", temp)
	if err := os.Mkdir(temp, 0o700); err != nil {
		t.Skip(err)
	}
	folder := func(name string, files ...string) string {
		dir := filepath.Join(temp, name)
		for _, file := range append(files, "index-v1-1/store") {
			file = filepath.Join(dir, file)
			must(t, errors.Join(os.MkdirAll(filepath.Dir(file), 0o750), os.WriteFile(file, nil, 0o640)))
		}
		return dir
	}
	inUse, err := openData("")
	must(t, err)
	defer inUse.close()
	killed := folder(temporaryPrefix+"1", lockName)
	young := folder(temporaryPrefix+"2", lockName)
	stay := []string{inUse.dir, young, folder(temporaryPrefix + "3"), folder(temporaryPrefix+"mine", lockName), folder("another", lockName), filepath.Join(temp, temporaryPrefix+"4")}
	must(t, errors.Join(os.WriteFile(filepath.Join(outside, lockName), nil, 0o640), os.Symlink(outside, stay[len(stay)-1])))
	old := time.Now().Add(-2 * youngest)
	for _, dir := range append(stay, killed) {
		must(t, os.Chtimes(dir, old, old))
	}
	must(t, os.Chtimes(young, time.Now(), time.Now()))
	another, err := openData("")
	must(t, err)
	must(t, another.close())
	for _, dir := range append(stay, filepath.Join(outside, lockName)) {
		if _, err := os.Stat(dir); err != nil {
			t.Errorf("%s was removed", dir)
		}
	}
	for _, dir := range []string{killed, another.dir} {
		if _, err := os.Stat(dir); err == nil {
			t.Errorf("%s stayed", dir)
		}
	}
}

// An index within the published folder would be served, by whatever way its path leads there.
func TestDataWithinTheSource(t *testing.T) {
	source, link := t.TempDir(), filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(source, link); err != nil {
		t.Skip(err)
	}
	missing := filepath.Join(source, "missing")
	for _, c := range []struct {
		folder, path string
		want         bool
	}{
		{source, source, true},
		{source, missing, true},
		{source, link + "/missing", true},
		{link, source, true},
		{missing, missing + "/data", true},
		{missing, source, false},
		{missing, missing + "-data", false},
		{source, source + "-data", false},
		{source, filepath.Dir(link), false},
	} {
		if got := within(c.folder, c.path); got != c.want {
			t.Errorf("%s within %s: %t", c.path, c.folder, got)
		}
	}
}

// A data folder that cannot be looked at is neither gone nor that of another process.
func TestTheDataFolderCannotBeLookedAt(t *testing.T) {
	d, err := openData(t.TempDir())
	must(t, err)
	defer d.close()
	path := filepath.Join(d.dir, lockName)
	must(t, errors.Join(os.Rename(path, path+".aside"), os.Symlink(lockName, path)))
	if anew, err := d.hold(); anew || err == nil || !strings.Contains(err.Error(), "look at the data folder: ") || hinted.Hint(err) != hintData {
		t.Errorf("taken anew is %v, %v, hint %q", anew, err, hinted.Hint(err))
	}
	must(t, os.Rename(path+".aside", path))
	if anew, err := d.hold(); anew || err != nil {
		t.Errorf("afterwards: taken anew is %v, %v", anew, err)
	}
}

// Where the data folder itself is gone, the log says what to do, and what is loaded is served. Once
// the folder is there again, it is used as at the start: for this process alone.
func TestTheDataFolderIsRemoved(t *testing.T) {
	source, data, l, _ := loaded(t, 5)
	if err := os.RemoveAll(data); err != nil {
		t.Skip(err)
	}
	publish(t, source, many(6, "walrus")...)
	for range 2 {
		if err := l.Load(t.Context()); !strings.Contains(hinted.Hint(err), "make the folder of --data again") {
			t.Errorf("load: %v, hint %q", err, hinted.Hint(err))
		}
	}
	if got := found(t, l, "number0004"); got != "a4" {
		t.Errorf("found %q in the revision before, want a4", got)
	}
	must(t, os.Mkdir(data, 0o750))
	load(t, l)
	if got := found(t, l, "number0005"); got != "a5" {
		t.Errorf("found %q, want a5", got)
	}
	if locks {
		if another, err := openData(data); err == nil {
			another.close()
			t.Error("another process may use the folder that was made again")
		}
	}
}

// The data folder is removed, and another searchd takes the one that comes in its place: the first
// writes nothing into it.
func TestTheDataFolderIsNowAnothers(t *testing.T) {
	if !locks {
		t.Skip("without locks nobody can tell that a folder is in use")
	}
	source, data, first, _ := loaded(t, 5)
	if err := os.RemoveAll(data); err != nil {
		t.Skip(err)
	}
	second, _ := opened(t, source, data)
	load(t, second)
	publish(t, source, many(6, "walrus")...)
	before := files(t, data)
	if err := first.Load(t.Context()); err == nil || !strings.Contains(err.Error(), "in use by another searchd") || hinted.Hint(err) == "" {
		t.Errorf("load: %v", err)
	}
	if now := files(t, data); !slices.Equal(now, before) {
		t.Errorf("the folder of another searchd has %v, want %v", now, before)
	}
	if got := found(t, first, "number0004"); got != "a4" {
		t.Errorf("found %q in the revision before, want a4", got)
	}
	load(t, second)

	// The second ends. What it left is not taken for what the first wrote.
	must(t, second.Close())
	publish(t, source, many(7, "walrus")...)
	load(t, first)
	if got := found(t, first, "number0006"); got != "a6" {
		t.Errorf("found %q, want a6", got)
	}
	must(t, first.Close())
	hideChunks(t, source)
	if l, log := opened(t, source, data); !l.Status().Ready || found(t, l, "number0006") != "a6" {
		t.Errorf("after a restart: status %+v\n%s", l.Status(), log)
	}
}

// files lists the files of a folder and of those in it.
func files(t *testing.T, dir string) (paths []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		paths = append(paths, path)
		return err
	})
	must(t, err)
	return paths
}

// A new index is made in a folder that neither is there nor was.
func TestTheNextIndexIsNew(t *testing.T) {
	d, err := openData(t.TempDir())
	must(t, err)
	defer d.close()
	for _, c := range []struct{ there, served, want int }{{0, 0, 1}, {0, 9, 10}, {7, 0, 8}, {7, 3, 8}, {7, 9, 10}} {
		if c.there > 0 {
			must(t, os.MkdirAll(filepath.Join(d.dir, indexPrefix+strconv.Itoa(c.there)), 0o750))
		}
		d.newest = c.served
		if got, err := d.next(); err != nil || indexNumber(got) != c.want {
			t.Errorf("%+v: %s, %v", c, got, err)
		}
	}
}

// A new index is not begun where a disk that is full cannot hold it.
func TestNoRoomForANewIndex(t *testing.T) {
	_, data, l, log := loaded(t, 5)
	if _, known := room(data); !known {
		t.Skip("this system is not asked how much is free")
	}
	l.suspect(l.current, notUpdated)
	load(t, l) // there is room
	large := filepath.Join(data, indexPrefix+"2", "large")
	must(t, os.WriteFile(large, nil, 0o600))
	if err := os.Truncate(large, 15<<40); err != nil { // a hole
		t.Skip(err)
	}
	l.suspect(l.current, notUpdated)
	if err := l.Load(t.Context()); !errors.Is(err, syscall.ENOSPC) || hinted.Hint(err) == "" || log.count("building a new index") != 2 {
		t.Errorf("beside an index of 15 TB: %v; the log is\n%s", err, log)
	}
}

// A process that is killed leaves an index that it was building, and one that it
// was closing; neither is served, and both are gone after the next start.
func TestLeftoversAreRemoved(t *testing.T) {
	source, data, l, _ := loaded(t, 5)
	l.Close()
	unfinished, err := index.Open(t.Context(), filepath.Join(data, indexPrefix+"7"), 0)
	must(t, err)
	must(t, unfinished.Close())
	for _, name := range []string{indexFamily + "0-3", indexPrefix + "0", "9", "notes"} {
		must(t, os.Mkdir(filepath.Join(data, name), 0o755))
	}
	// What has the name of an index and is no folder is none; what a link leads to is not
	// searchd's.
	elsewhere := t.TempDir()
	must(t, errors.Join(os.Symlink(elsewhere, filepath.Join(data, indexPrefix+"8")), os.WriteFile(filepath.Join(data, indexPrefix+"9"), nil, 0o600)))
	l, log := opened(t, source, data)
	if !l.Status().Ready || log.count("unfinished") != 1 {
		t.Errorf("status %+v\n%s", l.Status(), log)
	}
	if got := names(t, elsewhere); got != "" {
		t.Errorf("it wrote %q where a link leads to", got)
	}
	if got := names(t, data); got != "9 "+indexPrefix+"1 lock notes" {
		t.Errorf("the data folder has %q", got)
	}
}

// A process that is killed before the index that it replaced was closed leaves two that are whole:
// the newer is served, and the other is gone.
func TestTheNewerOfTwoIndexesIsServed(t *testing.T) {
	source, data, l, _ := loaded(t, 5)
	l.Close()
	older, newer := filepath.Join(data, indexPrefix+"1"), filepath.Join(data, indexPrefix+"2")
	must(t, os.CopyFS(newer, os.DirFS(older)))
	l, log := opened(t, source, data)
	if !l.Status().Ready || log.count("serving the revision of the data folder") != 1 {
		t.Errorf("status %+v\n%s", l.Status(), log)
	}
	if got := names(t, data); got != indexPrefix+"2 lock" {
		t.Errorf("the data folder has %q", got)
	}
}

func names(t *testing.T, dir string) string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	must(t, err)
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return strings.Join(names, " ")
}

func TestDataFolderIsForOneProcess(t *testing.T) {
	data := t.TempDir()
	l, _ := opened(t, t.TempDir(), data)
	_, err := Open(t.Context(), Options{Data: data})
	if err == nil || !strings.Contains(err.Error(), "in use by another searchd") || hinted.Hint(err) == "" {
		t.Errorf("second open: %v, hint %q", err, hinted.Hint(err))
	}
	l.Close()
	l, _ = opened(t, t.TempDir(), data)
	l.Close()
}

func TestTemporaryDataFolderIsRemoved(t *testing.T) {
	source := t.TempDir()
	publish(t, source, many(2, "walrus")...)
	l, _ := opened(t, source, "")
	load(t, l)
	dir := l.data.dir
	must(t, l.Close())
	if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%s is left: %v", dir, err)
	}
	if _, err := l.Search(t.Context(), url.Values{"q": {"walrus"}}); !errors.Is(err, errNotReady) {
		t.Errorf("search after close: %v, want errNotReady", err)
	}
}

// After an upgrade to another format nothing is served until the new index is built. Whoever goes
// back before that finds the old one, however often the new version was started and killed.
func TestAnIndexOfAnotherVersionStaysUntilOneIsServed(t *testing.T) {
	source, data, l, _ := loaded(t, 5)
	l.Close()
	theirs := filepath.Join(data, indexPrefix+"1")
	ofAnotherVersion(t, theirs)
	must(t, os.Rename(source, source+"-away"))
	for range 2 {
		unfinished, err := index.Open(t.Context(), filepath.Join(data, indexPrefix+"2"), 0)
		must(t, err)
		must(t, unfinished.Close())
		l, log := opened(t, source, data)
		if err := l.Load(t.Context()); err == nil || l.Status().Ready || log.count("another version wrote it") != 1 {
			t.Errorf("loaded what is not there: %v, %+v\n%s", err, l.Status(), log)
		}
		if got := names(t, data); got != indexPrefix+"1 lock" {
			t.Errorf("without a source, the data folder has %q", got)
		}
		l.Close()
	}
	must(t, os.Rename(source+"-away", source))
	l, _ = opened(t, source, data)
	load(t, l)
	if got := names(t, data); got != indexPrefix+"2 lock" {
		t.Errorf("after a new index, the data folder has %q", got)
	}
	l.Close()

	// Where one is served, another version's is of no use.
	must(t, os.CopyFS(filepath.Join(data, indexPrefix+"3"), os.DirFS(filepath.Join(data, indexPrefix+"2"))))
	ofAnotherVersion(t, filepath.Join(data, indexPrefix+"3"))
	l, _ = opened(t, source, data)
	if got := names(t, data); !l.Status().Ready || got != indexPrefix+"2 lock" {
		t.Errorf("beside one that is served, the data folder has %q", got)
	}
}

// Where there is no room for a new index beside that of another version, that one makes it.
func TestAnIndexOfAnotherVersionMakesRoom(t *testing.T) {
	source, data, l, _ := loaded(t, 5)
	l.Close()
	ofAnotherVersion(t, filepath.Join(data, indexPrefix+"1"))
	l, _ = opened(t, source, data)
	must(t, os.WriteFile(filepath.Join(data, indexPrefix+"2"), nil, 0o600)) // as good as a full disk, until it is removed
	load(t, l)
	if got := names(t, data); got != indexPrefix+"1 lock" {
		t.Errorf("the data folder has %q: the new index was not made in place of the old one", got)
	}
}

// ofAnotherVersion changes the format in the head of a closed index, and the checksum before it.
func ofAnotherVersion(t *testing.T, dir string) {
	t.Helper()
	catalogs, err := filepath.Glob(filepath.Join(dir, "*.bolt"))
	must(t, err)
	changed := 0
	for _, path := range catalogs {
		file, err := os.ReadFile(path)
		must(t, err)
		begins := []byte(`{"format":"`)
		for at := 0; ; {
			next := bytes.Index(file[at:], begins)
			if next < 0 {
				break
			}
			at += next
			var head json.RawMessage
			must(t, json.NewDecoder(bytes.NewReader(file[at:])).Decode(&head))
			text := file[at : at+len(head)]
			text[len(begins)] ^= 1 // another digit
			binary.BigEndian.PutUint32(file[at-crc32.Size:], crc32.ChecksumIEEE(text))
			at += len(head)
			changed++
		}
		must(t, os.WriteFile(path, file, 0o600))
	}
	if changed == 0 {
		t.Fatal("there is no head")
	}
}
