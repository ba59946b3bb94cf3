package include

import (
	"errors"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Why a file that can be read is not included.
var (
	errRound = errors.New("it includes itself")
	errDeep  = errors.New("files include each other too deeply")
	errLarge = errors.New("too much is included")
	errPart  = errors.New("it has no such part")
)

// whole is the part of a file that is all of it.
func whole(text string) (string, bool) { return text, true }

// ranges returns the part of a file that ranges of lines are, such as 2:5,8 where between is a
// colon: lines count from 1, or from the end as in -3:-1, the last is part of the range, and either
// may be left out. ok is false if that are no ranges; a file has no such part.
func ranges(list, between string) (of func(text string) (string, bool), ok bool) {
	for n := range strings.SplitSeq(strings.ReplaceAll(list, between, ","), ",") {
		if strings.Trim(strings.TrimPrefix(n, "-"), "0123456789") != "" {
			return func(string) (string, bool) { return "", false }, false
		}
	}
	return func(text string) (string, bool) {
		if list == "" {
			return text, true
		}
		lines := slices.Collect(strings.Lines(text))
		var out strings.Builder
		for one := range strings.SplitSeq(list, ",") {
			if one == "" {
				continue
			}
			from, to := bounds(one, between, len(lines))
			if from <= to && out.Len() <= maxBytes { // ranges may overlap, and a text includes no more
				out.WriteString(strings.Join(lines[from-1:to], ""))
			}
		}
		return out.String(), true
	}, true
}

// bounds returns the first and the last line that a range means in a text of so many lines.
func bounds(one, between string, lines int) (from, to int) {
	numberOf := func(n int) int {
		if n < 0 {
			return lines + 1 + n
		}
		return n
	}
	first, last, isRange := strings.Cut(one, between)
	from, to = 1, lines
	if n, err := strconv.Atoi(first); err == nil {
		from = max(1, numberOf(n))
		if !isRange {
			to = min(from, lines)
		}
	}
	if n, err := strconv.Atoi(last); err == nil {
		to = min(numberOf(n), lines)
	}
	return from, to
}

// section returns the lines between one that matches the pattern begin and the next that matches
// end.
func section(text, begin, end string) (string, bool) {
	begins, ends := regexp.MustCompile(begin), regexp.MustCompile(end)
	var out strings.Builder
	within, found := false, false
	for line := range strings.Lines(text) {
		bare := strings.TrimRight(line, "\r\n")
		switch {
		case !within && begins.MatchString(bare):
			within, found = true, true
		case within && ends.MatchString(bare):
			within = false
		case within:
			out.WriteString(line)
		}
	}
	return out.String(), found
}

// regionOrLines returns the part of a file that VitePress and VuePress show: a region with a name
// between comments, or lines, as in 2,5 or 2-5.
func regionOrLines(region, lines string) func(text string) (string, bool) {
	between := "-"
	if strings.Count(lines, ",") == 1 && !strings.Contains(lines, "-") {
		between, lines = ":", strings.Replace(lines, ",", ":", 1)
	}
	return func(text string) (string, bool) {
		if region != "" {
			const mark = `(?i)(?:#|\b)(?:pragma )?\s*`
			name := regexp.QuoteMeta(region) + `(?:[^\w-]|$)`
			return section(text, mark+`region\s+`+name, mark+`end ?region(?:\s+`+name+`|\W*$)`)
		}
		if of, ok := ranges(lines, between); ok {
			return of(text)
		}
		return text, true
	}
}

// between returns what stands between two marks in a text, each of which may be "".
func between(text, start, end string) (string, bool) {
	if start != "" {
		_, after, found := strings.Cut(text, start)
		if !found {
			return "", false
		}
		text = after
	}
	if end != "" {
		before, _, found := strings.Cut(text, end)
		if !found {
			return "", false
		}
		text = before
	}
	return text, true
}

// withoutLines removes the lines of a text that match a pattern. Every match has word in it.
func withoutLines(text, word, pattern string) string {
	if !strings.Contains(text, word) {
		return text
	}
	return regexp.MustCompile(`(?m)^.*(?:`+pattern+`).*(?:\n|$)`).ReplaceAllString(text, "")
}

// dedented removes the indentation that all lines share.
func dedented(text string) string {
	shared, known := "", false
	for line := range strings.Lines(text) {
		rest := strings.TrimLeft(line, " \t")
		if strings.TrimSpace(rest) == "" {
			continue
		}
		indent := line[:len(line)-len(rest)]
		if !known {
			shared, known = indent, true
		}
		for !strings.HasPrefix(indent, shared) {
			shared = shared[:len(shared)-1]
		}
	}
	return strings.TrimPrefix(strings.ReplaceAll("\n"+text, "\n"+shared, "\n"), "\n")
}

// withLevels returns a text with each heading so many levels lower; the text of code stays.
func withLevels(text string, lower int) string {
	codes, at := codesOf(text), 0
	var out strings.Builder
	for line := range strings.Lines(text) {
		marks := len(line) - len(strings.TrimLeft(line, "#"))
		if marks > 0 && !isIn(codes, at) {
			out.WriteString(strings.Repeat("#", min(max(1, marks+lower), 6)))
			out.WriteString(line[marks:])
		} else {
			out.WriteString(line)
		}
		at += len(line)
	}
	return out.String()
}

// fenced makes code of a text, in a fence that is longer than any in it.
func fenced(language, text string) string {
	fence := "```"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	return fence + language + "\n" + text + "\n" + fence
}

// rebased returns the text of the file at path with its relative links as seen from the file at
// from.
func rebased(text, path, from string) string {
	dir, base := folderOf(path), folderOf(from)
	if dir == base {
		return text
	}
	codes, at := codesOf(text), 0
	var out strings.Builder
	links := regexp.MustCompile(`(?:\]\([ \t]*|(?m:^) {0,3}\[[^\]\n]+\]:[ \t]+|(?:src|href)=["'])((?:\./|\.\./|[\pL\pN_])[^\s()<>"':{}]*)(?:[\s)"']|$)`)
	for _, m := range links.FindAllStringSubmatchIndex(text, -1) {
		if begin := m[2]; !isIn(codes, begin) {
			out.WriteString(text[at:begin] + relative(base, dir+text[begin:m[3]]))
			at = m[3]
		}
	}
	return out.String() + text[at:]
}

// folderOf returns the folder of the file at a path, with a slash at the end; "" for the uppermost.
func folderOf(path string) string { return path[:strings.LastIndexByte(path, '/')+1] }

// relative returns a path as seen from a folder.
func relative(folder, to string) string {
	trailing := strings.HasSuffix(to, "/")
	to = path.Clean(to)
	for folder != "" {
		first, rest, _ := strings.Cut(folder, "/")
		below, found := strings.CutPrefix(to, first+"/")
		if !found {
			break
		}
		folder, to = rest, below
	}
	to = strings.Repeat("../", strings.Count(folder, "/")) + to
	if trailing {
		to += "/"
	}
	return to
}
