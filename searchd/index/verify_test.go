package index

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/blevesearch/bleve/v2/util"
	"go.etcd.io/bbolt"
)

// A file is read once, however many of the engine's snapshots have it: after an update that are two or three, until it has
// removed those before.
func TestAFileOfSeveralSnapshotsIsReadOnce(t *testing.T) {
	dir := t.TempDir()
	db, err := bbolt.Open(filepath.Join(dir, catalogName), 0o600, nil)
	if err != nil {
		t.Fatal(err)
	}
	err = db.Update(func(tx *bbolt.Tx) error {
		for snapshot, files := range map[string][]string{"1": {"b", "a"}, "2": {"a", "b", "c"}} {
			within, err := tx.CreateBucket([]byte(snapshot))
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
	if err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	if got, err := readCatalog(dir, true); err != nil || !slices.Equal(got, []string{"a.zap", "b.zap", "c.zap"}) {
		t.Errorf("%v %v", got, err)
	}
}
