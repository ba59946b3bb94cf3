//go:build e2e

package cmd_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// npmModules returns the folder node_modules with what testdata/name/package.json asks
// for. It is in the user's cache, once for each lock file.
func npmModules(t *testing.T, name string) string {
	t.Helper()
	modules, err := installModules(t, name)
	if err != nil {
		if os.Getenv("NEWSSTAND_SKIP_NPM") != "" {
			t.Skipf("the packages of testdata/%s cannot be installed, and NEWSSTAND_SKIP_NPM allows to go on without: %v", name, err)
		}
		t.Fatalf("the packages of testdata/%s cannot be installed: %v\nhint: they come from npm's registry; NEWSSTAND_SKIP_NPM=1 leaves this test out", name, err)
	}
	return modules
}

func installModules(t *testing.T, name string) (string, error) {
	t.Helper()
	if err := installNode(t); err != nil {
		return "", err
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	cache = filepath.Join(cache, "newsstand")
	if err := os.MkdirAll(cache, 0o755); err != nil {
		return "", err
	}
	fresh, err := os.MkdirTemp(cache, "installing-") // renamed when it is whole
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(fresh)
	sum := sha256.New()
	for _, file := range []string{"package.json", "package-lock.json"} {
		b, err := fs.ReadFile(os.DirFS("testdata"), name+"/"+file)
		if err != nil {
			return "", err
		}
		sum.Write(b)
		if err := os.WriteFile(filepath.Join(fresh, file), b, 0o644); err != nil {
			return "", err
		}
	}
	dir := filepath.Join(cache, name+"-"+hex.EncodeToString(sum.Sum(nil)[:8]))
	modules := filepath.Join(dir, "node_modules")
	if _, err := os.Stat(modules); err == nil {
		return modules, nil
	}
	began := time.Now()
	// The largest is 570 MB, which npm unpacks in one minute alone, and in five beside other tests
	// on a busy machine.
	ctx, cancel := context.WithTimeout(t.Context(), 9*time.Minute)
	defer cancel()
	// A question first: where nobody answers, an installation tries for minutes.
	if out, err := exec.CommandContext(ctx, "npm", "ping", "--fetch-retries=0", "--loglevel=error").CombinedOutput(); err != nil {
		return "", fmt.Errorf("npm ping: %w\n%s", err, out)
	}
	// Not `npm ci`: it wants every platform's programs in the lock file. No script of a
	// package is run: none is needed.
	npm := exec.CommandContext(ctx, "npm", "install", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error")
	npm.Dir, npm.WaitDelay = fresh, time.Second
	if out, err := npm.CombinedOutput(); err != nil {
		return "", fmt.Errorf("npm install: %w\n%s", errors.Join(err, ctx.Err()), out)
	}
	t.Logf("npm installed the packages of testdata/%s within %v", name, time.Since(began).Round(time.Second))
	if err := os.Rename(fresh, dir); err != nil {
		if _, other := os.Stat(modules); other != nil { // and nobody else was faster
			return "", err
		}
	}
	return modules, nil
}

// installNode installs Node.js where the machine has none, and wants one that the
// packages run in.
func installNode(t *testing.T) error {
	t.Helper()
	if _, err := exec.LookPath("npm"); err != nil {
		if _, debian := exec.LookPath("apt-get"); debian != nil || os.Geteuid() != 0 {
			return err // debianProgram would leave the test out without being asked to
		}
		debianProgram(t, "npm", "nodejs", "npm")
	}
	out, err := exec.Command("node", "--version").Output()
	if err != nil {
		return fmt.Errorf("node --version: %w", err)
	}
	var major, minor int
	if _, err := fmt.Sscanf(string(out), "v%d.%d.", &major, &minor); err != nil || major < 20 || major == 20 && minor < 12 {
		return fmt.Errorf("Node.js %s is too old: npm's packages need 20.12 or newer", strings.TrimSpace(string(out)))
	}
	return nil
}
