//go:build unix

package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A file of secrets that would never end keeps no start from ending, nor one that fills the memory;
// a shell's <(command) is read.
func TestReadSecretsOfAPipe(t *testing.T) {
	const secret = "0123456789abcdef0123456789abcdef"
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	fails := func(ctx context.Context, file, want string) {
		t.Helper()
		if got, err := readSecrets(ctx, file); err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), secret[:4]) {
			t.Errorf("%s: %d secrets, %v, want %q", file, len(got), err, want)
		}
	}
	fails(t.Context(), "/dev/zero", "is larger than 4 kB")
	fails(t.Context(), pipe, "holds 0 secrets") // nobody writes to it
	writer, err := os.OpenFile(pipe, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	writer.WriteString(secret + "\n")
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	fails(ctx, pipe, "i/o timeout") // and nobody ends it

	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer read.Close()
	write.WriteString(secret + "\n")
	write.Close()
	if got, err := readSecrets(t.Context(), fmt.Sprintf("/dev/fd/%d", read.Fd())); err != nil || len(got) != 1 || got[0] != secret {
		t.Errorf("%q, %v", got, err)
	}
}
