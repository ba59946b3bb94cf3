// Package cache keeps what a build has learnt about files, so that the next build need not read
// them again.
//
// What is learnt of a file is kept with its [Stamp]: size, time of change, and inode. A file that
// still has its stamp need not be read. A stamp is only kept if it would show every later change: a
// file that was read within the tick of the file system's clock in which it was written could be
// written again without a trace, so it is read again the next time. (Git's index calls such entries
// racily clean.)
//
// [Notes] are for what is learnt of all files together: they tell whether everything that was seen
// of a folder, and what was missing from it, is still so.
//
// A cache holds conclusions that follow from the bytes of files, and from what the caller puts into
// its keys and values; it must not matter whether it is there. So a cache file that is missing,
// damaged, or of another version of the program is as good as an empty one.
package cache

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

// Kind tells apart what is kept under one name.
type Kind byte

// Entry is what is kept under a kind and a name.
type Entry struct {
	// Stamp is that of the file that Value is about; zero if there is none, or if a later change of
	// the file might not show in it.
	Stamp Stamp
	Value string
}

// Cache holds entries. It is safe for concurrent use; a nil Cache remembers nothing.
type Cache struct {
	file string // where it is kept; empty: in memory only

	mu      sync.Mutex        // held while the file is read
	version [sha256.Size]byte // mu
	err     error             // mu; why the version is not known
	kept    map[key]kept      // mu
	pages   []*page           // mu; of packed entries, some of which are kept no more
	changed bool              // mu; since it was loaded or saved
	round   uint32            // mu; counts saves
}

// key stands for a kind and a name, which are not kept themselves: a large site has three long
// names for each article, and nobody asks for them. It is half of a SHA-256, so no two names ever
// have the same.
type key [sha256.Size / 2]byte

func keyOf(k Kind, name string) key {
	sum := sha256.Sum256(append(append(make([]byte, 0, 256), byte(k)), name...))
	return key(sum[:len(key{})])
}

// kept is where a packed entry is. It holds no pointer: a large site has four entries for each
// article, and the garbage collector would spend most of its time on them.
type kept struct {
	page, at, size uint32
	round          uint32 // in which it was used last
}

// page holds packed entries, one after the other. It is a Builder because strings that were taken
// from it stay valid while more is written.
type page = strings.Builder

const pageBytes = 64 << 10

// packed returns the bytes of an entry. The caller holds mu, as it does for add and compact.
func (c *Cache) packed(e kept) string { return c.pages[e.page].String()[e.at : e.at+e.size] }

// add packs an entry that was used now.
func (c *Cache) add(packed []byte) kept {
	if n := len(c.pages); n == 0 || c.pages[n-1].Cap()-c.pages[n-1].Len() < len(packed) {
		p := new(page)
		p.Grow(max(pageBytes, len(packed)))
		c.pages = append(c.pages, p)
	}
	n := len(c.pages) - 1
	at := c.pages[n].Len()
	c.pages[n].Write(packed)
	return kept{uint32(n), uint32(at), uint32(len(packed)), c.round}
}

// compact copies the entries to new pages, if less than half of the pages is still kept.
func (c *Cache) compact() {
	all, used := 0, 0
	for _, p := range c.pages {
		all += p.Len()
	}
	for _, e := range c.kept {
		used += int(e.size)
	}
	if all <= 2*used+pageBytes {
		return
	}
	old := Cache{pages: c.pages}
	c.pages = nil
	for key, e := range c.kept {
		moved := c.add([]byte(old.packed(e)))
		moved.round = e.round
		c.kept[key] = moved
	}
}

// appendTo packs an entry.
func (e Entry) appendTo(b []byte) []byte {
	return append(appendStamp(b, e.Stamp), e.Value...)
}

func appendStamp(b []byte, s Stamp) []byte {
	for _, n := range [...]int64{s.Size, s.Modified, s.Changed} {
		b = binary.AppendVarint(b, n)
	}
	return binary.AppendUvarint(b, s.Inode)
}

func readStamp(r *Reader) Stamp { return Stamp{r.Int(), r.Int(), r.Int(), r.Uint()} }

// unpack reads what appendTo has written.
func unpack(packed string) Entry {
	r := NewReader(packed)
	return Entry{readStamp(r), r.rest}
}

// New returns an empty cache that is kept in memory only.
func New() *Cache { return &Cache{kept: map[key]kept{}} }

// Open returns the cache that is kept in a file. It is empty if the file is missing, damaged, or
// written by another version of the program. Open reads the file and calls version in the
// background; the first use of the cache waits for that.
func Open(file string, version func() ([sha256.Size]byte, error)) *Cache {
	c := New()
	c.file = file
	c.mu.Lock()
	go func() {
		defer c.mu.Unlock()
		if c.version, c.err = version(); c.err != nil {
			return
		}
		if err := c.load(); err != nil {
			c.kept, c.pages = map[key]kept{}, nil
		}
	}()
	return c
}

// Get returns what is kept under a name.
func (c *Cache) Get(k Kind, name string) (Entry, bool) {
	if c == nil {
		return Entry{}, false
	}
	key := keyOf(k, name)
	c.mu.Lock()
	defer c.mu.Unlock()
	e, ok := c.kept[key]
	if ok && e.round != c.round {
		e.round = c.round
		c.kept[key] = e
	}
	if !ok {
		return Entry{}, false
	}
	return unpack(c.packed(e)), true
}

// Put keeps an entry, in place of what was there.
func (c *Cache) Put(k Kind, name string, e Entry) {
	if c == nil {
		return
	}
	key, packed := keyOf(k, name), e.appendTo(make([]byte, 0, 512))
	c.mu.Lock()
	defer c.mu.Unlock()
	old, ok := c.kept[key]
	if !ok || c.packed(old) != string(packed) {
		c.changed = true
		old = c.add(packed)
	}
	old.round = c.round
	c.kept[key] = old
}

// Clear forgets everything.
func (c *Cache) Clear() {
	if c == nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.kept, c.pages = map[key]kept{}, nil
	c.changed = true
}

// Save ends a build: what was neither got nor put since the last Save is forgotten, and the rest is
// written to the file if it differs from what the file has.
func (c *Cache) Save() error {
	if c == nil {
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for key, e := range c.kept {
		if e.round != c.round {
			delete(c.kept, key)
			c.changed = true
		}
	}
	c.round++
	c.compact()
	if !c.changed || c.file == "" {
		return nil
	}
	err := c.err
	if err == nil {
		err = c.write()
	}
	if err != nil {
		return fmt.Errorf("save the cache: %w", err)
	}
	c.changed = false
	return nil
}

// The file: head, version, entries, SHA-256 of all before. An entry is its key, and
// what it is packed into, preceded by its length. The head changes with the form.
const head = "newsstand cache 2\n"

// write replaces the file in one step. After a power cut it may be damaged, which load finds.
func (c *Cache) write() error {
	folder := filepath.Dir(c.file)
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return err
	}
	sweep(folder, filepath.Base(c.file)+".", time.Now())
	f, err := os.CreateTemp(folder, filepath.Base(c.file)+".*")
	if err != nil {
		return err
	}
	out := bufio.NewWriterSize(f, 1<<16)
	sum := sha256.New()
	both := io.MultiWriter(out, sum) // whose errors Flush tells
	io.WriteString(both, head)
	both.Write(c.version[:])
	var b []byte
	for key, e := range c.kept {
		b = AppendText(append(b[:0], key[:]...), c.packed(e))
		both.Write(b)
	}
	out.Write(sum.Sum(nil))
	if err = errors.Join(out.Flush(), f.Close()); err == nil {
		err = os.Rename(f.Name(), c.file)
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return nil
}

// abandoned is the age at which no running build can still need a temporary file: writing one takes
// seconds.
const abandoned = 10 * time.Minute

// sweep removes the temporary files of builds that were killed while they wrote them; os.CreateTemp
// has named them.
func sweep(folder, prefix string, now time.Time) {
	entries, _ := os.ReadDir(folder)
	for _, e := range entries {
		number, ok := strings.CutPrefix(e.Name(), prefix)
		if !ok || strings.Trim(number, "0123456789") != "" {
			continue
		}
		if info, err := e.Info(); err == nil && info.Mode().IsRegular() && now.Sub(info.ModTime()) >= abandoned {
			os.Remove(filepath.Join(folder, e.Name())) // or another build has
		}
	}
}

// load reads the file.
func (c *Cache) load() error {
	info, err := os.Stat(c.file)
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() { // to open a pipe waits for its writer
		return errors.New("the cache is not a file")
	}
	f, err := os.Open(c.file)
	if err != nil {
		return err
	}
	defer f.Close()
	size := info.Size() - sha256.Size
	if size < 0 || size > math.MaxUint32 {
		return errors.New("the cache is damaged")
	}
	data := new(page) // which all entries share
	data.Grow(int(size))
	sum := sha256.New()
	if _, err := io.Copy(io.MultiWriter(data, sum), io.LimitReader(f, size)); err != nil {
		return err
	}
	end, err := io.ReadAll(f)
	if err != nil {
		return err
	}
	r := NewReader(data.String())
	if !bytes.Equal(end, sum.Sum(nil)) || r.Raw(len(head)) != head {
		return errors.New("the cache is damaged")
	}
	if r.Raw(len(c.version)) != string(c.version[:]) {
		return errors.New("the cache is another version's")
	}
	c.pages = append(c.pages, data)
	for r.rest != "" {
		var key key
		copy(key[:], r.Raw(len(key)))
		n := len(r.Text())
		c.kept[key] = kept{0, uint32(data.Len() - len(r.rest) - n), uint32(n), c.round - 1}
	}
	if !r.Done() {
		return errors.New("the cache is damaged")
	}
	return nil
}
