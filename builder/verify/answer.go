package verify

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"path"
	"strconv"
	"strings"
	"time"

	"newsstand/builder/article"
	"newsstand/builder/publication"
)

// answer is a whole answer.
type answer struct {
	request *http.Request
	status  int
	header  http.Header
	body    []byte
	took    time.Duration
}

// String says what an answer is, in a few words.
func (a answer) String() string {
	s := strconv.Itoa(a.status)
	if kind, ok := a.problem(); ok {
		s += " " + string(kind)
	} else if media := a.media(); media != "" && len(a.body) > 0 {
		s += " " + media
	}
	if location := a.header.Get("Location"); location != "" {
		s += " to " + location
	}
	return s
}

// media is the media type without its parameters.
func (a answer) media() string {
	media, _, err := mime.ParseMediaType(a.header.Get("Content-Type"))
	if err != nil {
		return a.header.Get("Content-Type")
	}
	return media
}

// problem is the kind of the problem document that the answer is.
func (a answer) problem() (article.Kind, bool) {
	var p article.Problem
	if a.media() != article.ProblemMediaType || json.Unmarshal(a.body, &p) != nil {
		return "", false
	}
	return article.Kind(path.Base(p.Type)), true
}

// decoded is the body without its content coding.
func (a answer) decoded() ([]byte, error) {
	switch coding := a.header.Get("Content-Encoding"); coding {
	case "", "identity":
		return a.body, nil
	case "gzip":
		zr, err := gzip.NewReader(bytes.NewReader(a.body))
		if err != nil {
			return nil, err
		}
		return io.ReadAll(io.LimitReader(zr, publication.MaxChunkBytes))
	default:
		return nil, fmt.Errorf("Content-Encoding %q was not asked for", coding)
	}
}

// cacheControl returns the directives of Cache-Control in lower case, because their names are
// case-insensitive (RFC 9111, 5.2).
func (a answer) cacheControl() []string {
	var directives []string
	for _, line := range a.header.Values("Cache-Control") {
		directives = append(directives, listOf(strings.ToLower(line))...)
	}
	return directives
}

// age returns the largest number of seconds that a directive of this name gives, 0 if none does.
// One too large for an int counts as the largest int.
func age(directives []string, name string) int {
	longest := 0
	for _, d := range directives {
		if text, ok := strings.CutPrefix(d, name+"="); ok {
			n, err := strconv.Atoi(strings.Trim(text, `"`))
			if err == nil || errors.Is(err, strconv.ErrRange) {
				longest = max(longest, n)
			}
		}
	}
	return longest
}

// listOf splits a header that is a list.
func listOf(header string) []string {
	var list []string
	for part := range strings.SplitSeq(header, ",") {
		list = append(list, strings.TrimSpace(part))
	}
	return list
}

// weakless is an entity tag without the mark of a weak one.
func weakless(etag string) string { return strings.TrimPrefix(etag, "W/") }
