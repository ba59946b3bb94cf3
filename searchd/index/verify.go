package index

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"sync"
	"syscall"
	"time"

	"github.com/blevesearch/bleve/v2/util"
	"go.etcd.io/bbolt"
	bolt "go.etcd.io/bbolt/errors"
	"golang.org/x/sync/errgroup"
)

const (
	catalogName = "root.bolt" // the engine's list of its segments, and the head
	// catalogTimeout is how long to wait for the lock of the catalog. Only a process that should
	// not be there holds it for longer.
	catalogTimeout = time.Second
)

// verify checks that the files of an index are what was written, before the engine maps and trusts
// them: a wrong byte could end the process, or give a wrong answer. Segments end with their own
// CRC-32; the catalog is compared with the head when that is read (see snapshot.load). Files whose
// stamps hold are believed without reading; verify reports whether all are. It sets x.read and
// x.believed.
func (x *Index) verify(ctx context.Context) (all bool, err error) {
	before := readStamps(x.dir)
	all = before.hold(x.dir, catalogName)
	segments, err := readCatalog(x.dir, all)
	if err != nil {
		return false, fmt.Errorf("%s: %w", catalogName, unread(err))
	}
	x.read, x.believed = stamps{before.Boot, map[string]stamp{}}, map[string]bool{}
	now := time.Now()
	var mu sync.Mutex // guards x.read
	var reading errgroup.Group
	reading.SetLimit(x.processors)
	for _, name := range segments {
		if before.hold(x.dir, name) {
			mu.Lock()
			x.read.Files[name], x.believed[name] = before.Files[name], true
			mu.Unlock()
			continue
		}
		all = false
		reading.Go(func() error {
			s, lasting, err := readSegment(filepath.Join(x.dir, name), now, func(time.Duration) error { return ctx.Err() })
			if err != nil {
				return unread(err) // a missing file is damage, too, perhaps of the catalog that names it
			}
			if lasting {
				mu.Lock()
				x.read.Files[name] = s
				mu.Unlock()
			}
			return nil
		})
	}
	return all, reading.Wait()
}

// unread turns an error of reading files at the opening of an index into ErrDamaged, unless the
// machine alone may be at fault, so that the files may be readable later.
func unread(err error) error {
	if errors.Is(err, ErrDamaged) || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	if errors.Is(err, bolt.ErrTimeout) {
		return fmt.Errorf("it is in use by another process: %w", err)
	}
	if ofMachine(err) {
		return err
	}
	return damaged(err)
}

// ofMachine reports whether the machine alone is at fault for an error of reading files, which may
// then be readable later.
func ofMachine(err error) bool {
	return slices.ContainsFunc([]error{
		syscall.EMFILE, syscall.ENFILE, syscall.ENOMEM, syscall.EACCES, syscall.EPERM, syscall.EROFS, syscall.ENOSPC, syscall.EDQUOT, syscall.ENOLCK, syscall.EINTR, syscall.EAGAIN,
	}, func(machine error) bool { return errors.Is(err, machine) })
}

// disturbed reports whether files could not be read because of the disk, or its network. That may
// pass, so it is damage only if it happens again.
func disturbed(err error) bool { return errors.Is(err, syscall.EIO) || errors.Is(err, syscall.ESTALE) }

// disturbance is how long to wait before files are read again at a start.
const disturbance = time.Second

// readCatalog reads all of the catalog, replaces it by a copy if it is not believed, and returns
// the names of the segments, sorted.
func readCatalog(dir string, believed bool) (segments []string, err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if v := recover(); v != nil { // a number in the file points outside it, or outside a page
			err = fmt.Errorf("it cannot be read: %v", v)
		}
	}()
	path := filepath.Join(dir, catalogName)
	db, err := bbolt.Open(path, 0o600, &bbolt.Options{ReadOnly: true, Timeout: catalogTimeout})
	if err != nil {
		return nil, err
	}
	defer db.Close()
	file, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	t := tree{file: file, size: uint64(db.Info().PageSize), seen: map[uint64]bool{}}
	err = db.View(func(tx *bbolt.Tx) error {
		return t.walk(uint64(tx.Cursor().Bucket().Root()), 0)
	})
	if err == nil && !believed {
		renewCatalog(dir, db)
	}
	slices.Sort(t.segments) // each snapshot of the engine lists its own
	return slices.Compact(t.segments), err
}

// tree walks the pages of a bbolt file before the library does, which would read pages that lead
// back to each other without end. Layout: a page has its number (8 bytes), its kind (2), the number
// of its elements (2), and the number of pages that continue it (4); then come the elements, 16
// bytes each, and what they point to. Numbers are in the machine's byte order. See bbolt's
// internal/common/page.go.
type tree struct {
	file     []byte
	size     uint64 // of a page
	seen     map[uint64]bool
	segments []string
}

const (
	branchPage, leafPage = 1, 2
	ofValue, ofBucket    = 0, 1 // kinds of elements of a leaf
	pageHeader           = 16
	pageElement          = 16
	bucketHeader         = 16 // number of the first page, or 0 if a page follows; counter
	// onlyBuckets is how many levels of buckets are above any value in the engine's catalog: of all
	// snapshots, of one, of a segment of it. With a value in place of one of these buckets, the
	// engine would search, but fail at each update.
	onlyBuckets = 3
)

// walk reads a page that is below so many buckets, and all pages below it.
func (t *tree) walk(number uint64, depth int) error {
	if t.seen[number] {
		return fmt.Errorf("page %d is in two places", number)
	}
	t.seen[number] = true
	page := t.file[number*t.size:]
	more := uint64(binary.NativeEndian.Uint32(page[12:]))
	page = page[:(1+more)*t.size]
	if kind := binary.NativeEndian.Uint16(page[8:]); kind != branchPage {
		return t.leaf(page, depth)
	}
	for i := range binary.NativeEndian.Uint16(page[10:]) {
		element := page[pageHeader+int(i)*pageElement:]
		if err := t.walk(binary.NativeEndian.Uint64(element[8:]), depth); err != nil {
			return err
		}
	}
	return nil
}

func (t *tree) leaf(page []byte, depth int) error {
	if kind := binary.NativeEndian.Uint16(page[8:]); kind != leafPage {
		return fmt.Errorf("a page of kind %d where a leaf should be", kind)
	}
	for i := range binary.NativeEndian.Uint16(page[10:]) {
		element := page[pageHeader+int(i)*pageElement:]
		key := element[binary.NativeEndian.Uint32(element[4:]):]
		value := key[binary.NativeEndian.Uint32(element[8:]):]
		key, value = key[:len(key)-len(value)], value[:binary.NativeEndian.Uint32(element[12:])]
		kind := binary.NativeEndian.Uint32(element)
		switch {
		case kind > ofBucket || kind == ofValue && depth < onlyBuckets:
			return fmt.Errorf("an element of kind %d below %d buckets", kind, depth)
		case kind == ofBucket && binary.NativeEndian.Uint64(value) != 0:
			if err := t.walk(binary.NativeEndian.Uint64(value), depth+1); err != nil {
				return err
			}
		case kind == ofBucket:
			if err := t.leaf(value[bucketHeader:], depth+1); err != nil {
				return err
			}
		case bytes.Equal(key, util.BoltPathKey):
			t.segments = append(t.segments, string(value))
		}
	}
	return nil
}

// renewCatalog replaces the catalog by a copy, so that no damage remains that would only show when
// the engine writes, such as in the list of free pages. If the copy cannot be made, as on a full
// disk, the catalog stays as it is, since it can be read.
func renewCatalog(dir string, db *bbolt.DB) {
	renewed := filepath.Join(dir, catalogName+".new")
	defer os.Remove(renewed) // fails after a renaming
	if err := os.Remove(renewed); err != nil && !errors.Is(err, os.ErrNotExist) {
		return
	}
	// Nobody reads the copy before it has its name, so it is synced once, at its end: each sync
	// waits for the writes of others.
	dst, err := bbolt.Open(renewed, 0o600, &bbolt.Options{NoSync: true, NoGrowSync: true})
	if err != nil {
		return
	}
	defer dst.Close()
	if err := errors.Join(bbolt.Compact(dst, db, 0), dst.Sync(), dst.Close()); err == nil {
		os.Rename(renewed, filepath.Join(dir, catalogName))
	}
}

// verifySegment compares the last four bytes of a file with the CRC-32 of the others. If they
// differ, or cannot be read, the error is ErrDamaged; but not if the file cannot be opened, or the
// machine alone is at fault (see ofMachine). After each piece it calls rest with how long the piece
// took, and ends with its error.
func verifySegment(path string, rest func(time.Duration) error) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	wrong := func(err error) error { return misread(path, err) }
	info, err := file.Stat()
	if err != nil {
		return wrong(err)
	}
	const piece = 1 << 20
	sum := crc32.NewIEEE()
	r := bufio.NewReaderSize(file, piece)
	for left := info.Size() - crc32.Size; left > 0; left -= piece {
		began := time.Now()
		if _, err := io.CopyN(sum, r, min(piece, left)); err != nil {
			return wrong(err)
		}
		if err := rest(time.Since(began)); err != nil {
			return err
		}
	}
	want := make([]byte, crc32.Size)
	if _, err := io.ReadFull(r, want); err != nil {
		return wrong(err)
	}
	if sum.Sum32() != binary.BigEndian.Uint32(want) {
		return wrong(errors.New("its bytes do not have the checksum that it ends with"))
	}
	return nil
}

// misread returns the error of a segment that was opened but cannot be read, or has wrong bytes.
func misread(path string, err error) error {
	if ofMachine(err) {
		return err
	}
	return fmt.Errorf("%w: %s: %w", ErrDamaged, filepath.Base(path), err)
}
