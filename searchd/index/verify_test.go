package index

import (
	"bytes"
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/blevesearch/bleve/v2/util"
	"go.etcd.io/bbolt"
)

// aCatalog makes a catalog with the snapshots that fill writes, and returns its folder.
func aCatalog(t *testing.T, fill func(snapshots *bbolt.Bucket) error) (dir string) {
	t.Helper()
	dir = t.TempDir()
	db, err := bbolt.Open(filepath.Join(dir, catalogName), 0o600, nil)
	if err != nil {
		t.Fatal(err)
	}
	err = db.Update(func(tx *bbolt.Tx) error {
		snapshots, err := tx.CreateBucket(util.BoltSnapshotsBucket)
		if err != nil {
			return err
		}
		return fill(snapshots)
	})
	if err := errors.Join(err, db.Close()); err != nil {
		t.Fatal(err)
	}
	return dir
}

// A file is read once, however many of the engine's snapshots have it: after an update these are
// two or three, until the engine has removed the older ones.
func TestAFileOfSeveralSnapshotsIsReadOnce(t *testing.T) {
	dir := aCatalog(t, func(snapshots *bbolt.Bucket) error {
		for snapshot, files := range map[string][]string{"1": {"b", "a"}, "2": {"a", "b", "c"}} {
			within, err := snapshots.CreateBucket([]byte(snapshot))
			if err != nil {
				return err
			}
			for _, file := range files {
				one, err := within.CreateBucket([]byte(file))
				if err != nil {
					return err
				}
				if err := one.Put(util.BoltPathKey, []byte(file+".zap")); err != nil {
					return err
				}
			}
		}
		return nil
	})
	if got, err := readCatalog(dir, true); err != nil || !slices.Equal(got, []string{"a.zap", "b.zap", "c.zap"}) {
		t.Errorf("%v %v", got, err)
	}
}

// The engine fails for ever at a value in place of a bucket, once it has to write there.
func TestAValueInThePlaceOfASnapshotIsDamage(t *testing.T) {
	dir := aCatalog(t, func(snapshots *bbolt.Bucket) error { return snapshots.Put([]byte("1"), []byte("no bucket")) })
	if got, err := readCatalog(dir, true); err == nil {
		t.Errorf("%v, want an error", got)
	}
}

// The library takes an element of any odd kind for a bucket, and follows it to any page, even
// outside the file.
func TestAnElementOfNoKindIsDamage(t *testing.T) {
	dir := aCatalog(t, func(*bbolt.Bucket) error { return nil })
	path := filepath.Join(dir, catalogName)
	file, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	changed := 0
	for page := range slices.Chunk(file, os.Getpagesize()) {
		key := page[pageHeader+pageElement:]
		if binary.NativeEndian.Uint16(page[8:]) == leafPage && binary.NativeEndian.Uint16(page[10:]) == 1 && bytes.HasPrefix(key, util.BoltSnapshotsBucket) {
			binary.NativeEndian.PutUint32(page[pageHeader:], 3)
			binary.NativeEndian.PutUint64(key[1:], 1<<29) // its first page, 2 TB further on
			changed++
		}
	}
	if err := os.WriteFile(path, file, 0o600); err != nil || changed == 0 {
		t.Fatal(err, changed)
	}
	if got, err := readCatalog(dir, false); err == nil {
		t.Errorf("%v, want an error", got)
	}
}
