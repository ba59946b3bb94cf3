package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"syscall"
	"time"

	"newsstand/builder/hinted"
)

// secretEnv is a variable that may hold the secrets themselves, on platforms that pass secrets so.
// netlify.toml names the same one to sign with.
const secretEnv = "SEARCHD_NETLIFY_SECRET"

// minSecretBytes is the least that RFC 7518, 3.2, allows for HS256.
const minSecretBytes = 32

// maxSecretBytes is more than two secrets, with much room.
const maxSecretBytes = 4 << 10

// secretPatience is how long a pipe may take that holds secrets, such as <(command) of a shell.
const secretPatience = 30 * time.Second

// readSecrets returns the secrets of the file, or else of the environment; none where
// neither is given. An error never holds any part of one.
func readSecrets(ctx context.Context, file string) ([]string, error) {
	text, given := os.LookupEnv(secretEnv)
	from := secretEnv
	switch {
	case file != "" && given:
		return nil, hinted.Error(fmt.Errorf("both --netlify-secret-file and %s are given", secretEnv),
			"keep one of the two, so that it is clear which one applies")
	case file != "":
		patience, cancel := context.WithTimeout(ctx, secretPatience)
		defer cancel()
		b, err := readShort(patience, file)
		if err != nil {
			return nil, hinted.Error(fmt.Errorf("--netlify-secret-file: %w", err),
				"the file holds the secret in one line and, while it changes, the other one in the next; this user must be able to read it")
		}
		text, from = string(b), file
	case !given:
		return nil, nil
	}
	secrets := strings.FieldsFunc(text, func(c rune) bool { return c == '\n' || c == '\r' })
	if len(secrets) == 0 || len(secrets) > 2 {
		return nil, hinted.Error(fmt.Errorf("%s holds %d secrets, not one or two", from, len(secrets)),
			"write one a line: the one in use and, while it changes, the next one")
	}
	for i, s := range secrets {
		if s != strings.TrimSpace(s) {
			return nil, hinted.Error(fmt.Errorf("%s: line %d begins or ends with white space", from, i+1),
				"remove it: it would be a part of the secret")
		}
		if len(s) < minSecretBytes {
			return nil, hinted.Error(fmt.Errorf("%s: the secret in line %d has %d bytes, which can be guessed", from, i+1, len(s)),
				fmt.Sprintf("use %d or more: openssl rand -hex 32", minSecretBytes))
		}
	}
	return secrets, nil
}

// readShort reads a file or a pipe of at most maxSecretBytes. A pipe is read until it ends or ctx
// does; one that nobody has opened for writing is empty.
func readShort(ctx context.Context, path string) ([]byte, error) {
	file, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	defer context.AfterFunc(ctx, func() { file.SetReadDeadline(time.Now()) })() // where it is a pipe
	b, err := io.ReadAll(io.LimitReader(file, maxSecretBytes+1))
	if err == nil && len(b) > maxSecretBytes {
		err = fmt.Errorf("%s is larger than %d kB", path, maxSecretBytes>>10)
	}
	return b, err
}
