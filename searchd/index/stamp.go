package index

import (
	"encoding/json"
	"os"
	"path/filepath"
	"time"
)

// stamp identifies a file as it was at one moment. As long as its stamp is the same, nobody has
// written to it: programs can set the time of a modification, but not that of a change (ctime).
type stamp struct {
	Size     int64  `json:"size"`
	Modified int64  `json:"modified"` // ns
	Changed  int64  `json:"changed"`  // ns
	Inode    uint64 `json:"inode"`
	Device   uint64 `json:"device"`
}

// young reports whether the file may still be written to without getting another stamp: file
// systems count time in ticks, the coarsest in ticks of 2 s.
func (s stamp) young(now time.Time) bool { return now.UnixNano()-s.Changed < int64(2*time.Second) }

// stampsName is the file of the stamps in the folder of an index.
const stampsName = "stamps"

// stamps are the stamps of files that were read and found right.
type stamps struct {
	// Boot identifies the start of the machine since which the files were read. What was written
	// before it may have been lost with the power, or the disk may be another.
	Boot  string           `json:"boot"`
	Files map[string]stamp `json:"files"`
}

// readStamps returns the stamps of a folder; none if their file is damaged or missing, or of
// another start of the machine.
func readStamps(dir string) stamps {
	none := stamps{Boot: bootID(), Files: map[string]stamp{}}
	b, err := os.ReadFile(filepath.Join(dir, stampsName))
	text, ok := cutSum(b)
	if err != nil || !ok {
		return none
	}
	var s stamps
	if err := json.Unmarshal(text, &s); err != nil || s.Boot == "" || s.Boot != none.Boot || s.Files == nil {
		return none
	}
	return s
}

// write replaces the stamps of a folder. It does not sync: after a loss of power, stamps are worth
// nothing.
func (s stamps) write(dir string) error {
	if s.Boot == "" {
		return nil // they would never be believed
	}
	b, err := withSum(s)
	if err != nil {
		return err
	}
	path := filepath.Join(dir, stampsName)
	if err := os.WriteFile(path+".new", b, 0o600); err != nil {
		return err
	}
	return os.Rename(path+".new", path)
}

// addCatalog adds the stamp of the catalog, unless it is young. The catalog was read or believed
// when the index was opened, and since then only the engine has written it, and always as a whole:
// one that is being written is as good as the one before.
func (s stamps) addCatalog(dir string, now time.Time) {
	if catalog, err := stampOf(filepath.Join(dir, catalogName)); err == nil && !catalog.young(now) {
		s.Files[catalogName] = catalog
	}
}

// hold reports whether a file is as it was when it was stamped.
func (s stamps) hold(dir, name string) bool {
	before, ok := s.Files[name]
	now, err := stampOf(filepath.Join(dir, name))
	return ok && err == nil && now == before
}

// readSegment verifies a segment and returns its stamp. It is lasting if any later write to the
// file will change it.
func readSegment(path string, now time.Time, rest func(time.Duration) error) (s stamp, lasting bool, err error) {
	before, stampErr := stampOf(path)
	if err := verifySegment(path, rest); err != nil {
		return s, false, err
	}
	after, err := stampOf(path)
	return after, stampErr == nil && err == nil && before == after && !after.young(now), nil
}
