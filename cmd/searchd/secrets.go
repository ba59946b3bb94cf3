package main

import (
	"fmt"
	"os"
	"strings"

	"newsstand/cmd/commandline"
)

// secretEnv holds the secrets themselves, for places that give them so. It is the
// name that netlify.toml signs with, too.
const secretEnv = "SEARCHD_NETLIFY_SECRET"

// minSecretBytes is the least that RFC 7518, 3.2, allows for HS256.
const minSecretBytes = 32

// readSecrets returns the secrets of the file, or else of the environment; none where
// neither is given. An error never holds any part of one.
func readSecrets(file string) ([]string, error) {
	text, given := os.LookupEnv(secretEnv)
	from := secretEnv
	switch {
	case file != "" && given:
		return nil, commandline.WithHint(fmt.Errorf("both --netlify-secret-file and %s are given", secretEnv), "keep one of the two, so that it is plain which secret holds")
	case file != "":
		b, err := os.ReadFile(file)
		if err != nil {
			return nil, commandline.WithHint(fmt.Errorf("--netlify-secret-file: %w", err), "the file holds the secret in one line, and while it changes the other one in the next; this user must be able to read it")
		}
		text, from = string(b), file
	case !given:
		return nil, nil
	}
	secrets := strings.FieldsFunc(text, func(c rune) bool { return c == '\n' || c == '\r' })
	if len(secrets) == 0 || len(secrets) > 2 {
		return nil, commandline.WithHint(fmt.Errorf("%s holds %d secrets, not one or two", from, len(secrets)), "write one a line: the one in use, and while it changes the next one")
	}
	for i, s := range secrets {
		if s != strings.TrimSpace(s) {
			return nil, commandline.WithHint(fmt.Errorf("%s: line %d begins or ends with white space", from, i+1), "remove it: it would be a part of the secret")
		}
		if len(s) < minSecretBytes {
			return nil, commandline.WithHint(fmt.Errorf("%s: the secret in line %d has %d bytes, which can be guessed", from, i+1, len(s)), fmt.Sprintf("use %d or more: openssl rand -hex 32", minSecretBytes))
		}
	}
	return secrets, nil
}
