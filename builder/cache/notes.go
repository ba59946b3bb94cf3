package cache

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"io"
	"io/fs"
	"os"
	"runtime"
	"strconv"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"
)

// Notes record what was seen of a folder: its files and folders, and names under which there was
// nothing. [Hold] tells later whether all of that is still so. It looks at each file, and reads
// only those that had been written just before they were noted. Notes are safe for concurrent use;
// nil Notes record nothing.
type Notes struct {
	mu       sync.Mutex
	blocks   [][]byte // mu; facts, one after the other; a block of several has at most blockBytes
	doubtful bool     // mu; whether something was seen that may change without a trace
}

// blockBytes is the size of a block. Its dozens of facts are enough work for a goroutine, and a
// page has room for several blocks.
const blockBytes = pageBytes / 8

// The kinds of facts. A fact is its kind, the name of a file, and what is said here of the kind.
const (
	isFile    = 'f' // the stamp of a regular file
	hasBytes  = 'b' // the SHA-256 of a regular file whose stamp says too little
	isFolder  = 'd' // nothing
	isMissing = 'm' // nothing
	hasNames  = 'n' // the digest of the folder's names and their kinds
)

func (n *Notes) add(kind byte, name string, more ...byte) {
	if n == nil {
		return
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	size := 1 + binary.MaxVarintLen64 + len(name) + len(more)
	last := len(n.blocks) - 1
	if last < 0 || len(n.blocks[last])+size > blockBytes {
		n.blocks = append(n.blocks, make([]byte, 0, max(size, blockBytes)))
		last++
	}
	n.blocks[last] = append(AppendText(append(n.blocks[last], kind), name), more...)
}

// File notes a regular file. If the stamp is zero, the notes never hold.
func (n *Notes) File(name string, stamp Stamp) {
	if stamp == (Stamp{}) {
		n.Doubt()
		return
	}
	n.add(isFile, name, appendStamp(make([]byte, 0, 48), stamp)...)
}

// Bytes notes a file by the SHA-256 of its bytes; Hold will read it.
func (n *Notes) Bytes(name string, sum [sha256.Size]byte) { n.add(hasBytes, name, sum[:]...) }

// Missing notes that there is no such file.
func (n *Notes) Missing(name string) { n.add(isMissing, name) }

// Names notes which files a folder has.
func (n *Notes) Names(folder string, entries []fs.DirEntry) {
	if n == nil {
		return
	}
	sum := digest(entries)
	n.add(hasNames, folder, sum[:]...)
}

// Doubt notes that something was seen whose changes Hold could not see: the notes never hold.
func (n *Notes) Doubt() {
	if n == nil {
		return
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	n.doubtful = true
}

// digest stands for the names and kinds of entries, in any order.
func digest(entries []fs.DirEntry) (d [sha256.Size]byte) {
	b := make([]byte, 0, 512)
	for _, e := range entries {
		b = append(binary.AppendUvarint(b[:0], uint64(e.Type())), e.Name()...)
		sum := sha256.Sum256(b)
		for i := 0; i < len(d); i += 8 { // added as numbers, or two pairs of names could cancel out
			was, more := binary.LittleEndian.Uint64(d[i:]), binary.LittleEndian.Uint64(sum[i:])
			binary.LittleEndian.PutUint64(d[i:], was+more)
		}
	}
	return d
}

// Put moves the notes into a cache, under a kind of their own; ok is false if they would never
// hold.
func (n *Notes) Put(c *Cache, k Kind) (ok bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.doubtful {
		return false
	}
	c.Put(k, "", Entry{Value: string(binary.AppendUvarint(nil, uint64(len(n.blocks))))})
	for i := range n.blocks {
		c.Put(k, strconv.Itoa(i), Entry{Value: string(n.blocks[i])})
		n.blocks[i] = nil // those of a large site are large
	}
	n.blocks = nil
	return true
}

// folder is where Hold looks: a dir.Dir.
type folder interface {
	Lstat(name string) (fs.FileInfo, error)
	Open(name string) (*os.File, error)
	// List returns the entries of a folder, in any order.
	List(name string) ([]fs.DirEntry, error)
}

// Hold reports whether there are notes of a kind, and all that they say is still so.
func Hold(c *Cache, k Kind, in folder) bool {
	e, ok := c.Get(k, "")
	head := NewReader(e.Value)
	blocks := head.Uint()
	if !ok || !head.Done() {
		return false
	}
	looking, other := errgroup.WithContext(context.Background())
	looking.SetLimit(runtime.GOMAXPROCS(0))
	for i := range int(blocks) {
		looking.Go(func() error {
			block, ok := c.Get(k, strconv.Itoa(i))
			facts := NewReader(block.Value)
			for ok && facts.rest != "" && other.Err() == nil {
				ok = holds(facts, in)
			}
			if !ok {
				return errors.New("a fact is another")
			}
			return nil
		})
	}
	return looking.Wait() == nil
}

// holds reads one fact and reports whether it is still so.
func holds(fact *Reader, in folder) bool {
	kind, name := fact.Byte(), fact.Text()
	switch kind {
	case isFile:
		then := readStamp(fact)
		info, err := in.Lstat(name)
		if err != nil {
			return false
		}
		now := StampOf(info)
		if then.Changed == 0 { // it was not known, or is not told
			now = now.Moved()
		}
		return now == then && !fact.bad
	case hasBytes:
		want := fact.Raw(sha256.Size)
		if info, err := in.Lstat(name); err != nil || !info.Mode().IsRegular() { // to open a pipe waits for its writer
			return false
		}
		sum := sha256.New()
		f, err := in.Open(name)
		if err != nil {
			return false
		}
		defer f.Close()
		_, err = io.Copy(sum, f)
		return err == nil && want == string(sum.Sum(nil))
	case isFolder:
		info, err := in.Lstat(name)
		return err == nil && info.IsDir()
	case isMissing:
		_, err := in.Lstat(name)
		return errors.Is(err, fs.ErrNotExist)
	case hasNames:
		entries, err := in.List(name)
		now := digest(entries)
		return err == nil && fact.Raw(sha256.Size) == string(now[:])
	}
	return false
}

// Noting returns the folder as a file system that notes which of its files are opened or looked at,
// and which folders are listed. A file whose stamp would not show every change since the given
// instant leaves the notes in doubt.
func (n *Notes) Noting(folder fs.FS, since time.Time) fs.FS {
	return &noting{folder: folder, notes: n, since: since, noted: map[key]bool{}}
}

type noting struct {
	folder fs.FS
	notes  *Notes
	since  time.Time

	mu    sync.Mutex
	noted map[key]bool // mu
}

// first reports whether a name is asked for the first time. Only the first answer is noted: if a
// later one differs, the file has changed meanwhile, so the notes will not hold.
func (f *noting) first(name string) bool {
	key := keyOf(0, name)
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.noted[key] {
		return false
	}
	f.noted[key] = true
	return true
}

// note notes what was found under a name.
func (f *noting) note(name string, info fs.FileInfo, err error) {
	switch {
	case !f.first(name):
	case errors.Is(err, fs.ErrNotExist):
		f.notes.Missing(name)
	case err != nil:
		f.notes.Doubt()
	case info.IsDir():
		f.notes.add(isFolder, name)
	default:
		f.notes.File(name, StampOf(info).Settled(f.since))
	}
}

// Open implements fs.FS.
func (f *noting) Open(name string) (fs.File, error) {
	file, err := f.folder.Open(name)
	if err != nil {
		f.note(name, nil, err)
		return nil, err
	}
	info, err := file.Stat()
	f.note(name, info, err)
	return file, nil
}

// Lstat implements fs.ReadLinkFS. The notes do not hold for what is behind a link.
func (f *noting) Lstat(name string) (fs.FileInfo, error) {
	info, err := fs.Lstat(f.folder, name)
	if err == nil && info.Mode()&fs.ModeSymlink != 0 {
		f.notes.Doubt()
		return info, nil
	}
	f.note(name, info, err)
	return info, err
}

// ReadLink implements fs.ReadLinkFS.
func (f *noting) ReadLink(name string) (string, error) {
	f.notes.Doubt()
	return fs.ReadLink(f.folder, name)
}

// Stat implements fs.StatFS.
func (f *noting) Stat(name string) (fs.FileInfo, error) {
	info, err := fs.Stat(f.folder, name)
	f.note(name, info, err)
	return info, err
}

// ReadDir implements fs.ReadDirFS.
func (f *noting) ReadDir(name string) ([]fs.DirEntry, error) {
	entries, err := fs.ReadDir(f.folder, name)
	switch {
	case err == nil && f.first(name+"/"):
		f.notes.Names(name, entries)
	case err != nil:
		f.note(name, nil, err)
	}
	return entries, err
}
