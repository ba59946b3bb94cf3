package builder

import (
	"bytes"
	"crypto/sha256"
	"debug/elf"
	"fmt"
	"io"
	"os"
)

// version identifies this program: what another one has remembered is of no use to it.
func version() (sum [sha256.Size]byte, err error) {
	path, err := os.Executable()
	if err != nil {
		return sum, err
	}
	return versionOf(path)
}

// versionOf is the version of the program in a file.
func versionOf(path string) (sum [sha256.Size]byte, err error) {
	f, err := os.Open(path)
	if err != nil {
		return sum, err
	}
	defer f.Close()
	if id := buildID(f); id != nil {
		return sha256.Sum256(id), nil
	}
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return sum, fmt.Errorf("read %s: %w", path, err)
	}
	h.Sum(sum[:0])
	return sum, nil
}

// buildID is the name that the go command gives to a program: the hashes of what it was made
// from and of its bytes. It is nil where there is none, or another linker's.
func buildID(f *os.File) []byte {
	program, err := elf.NewFile(f)
	if err != nil { // of a system that has it elsewhere
		return nil
	}
	note := program.Section(".note.go.buildid")
	if note == nil {
		return nil
	}
	id, err := note.Data()
	if err != nil || bytes.Count(id, []byte("/")) != 3 {
		return nil
	}
	return id
}
