package main

import (
	"fmt"
	"io"
	"maps"
	"strings"
	"time"

	"newsstand/builder"
	"newsstand/builder/hinted"
	"newsstand/builder/source"
	"newsstand/cmd/commandline"
	"newsstand/cmd/commandline/problems"
)

// printer prints what builds found and did.
type printer struct {
	buildOptions
	stdout, stderr io.Writer
	progress       *commandline.Progress
	watching       bool
	news           problems.News
	forgetful      string // why builds remember nothing, as it was said last
}

// newPrinter returns the printer of builds with these options, which tell it from then on that they
// wait, and how far they are.
func newPrinter(o *buildOptions, stdout, stderr io.Writer) *printer {
	p := &printer{buildOptions: *o, stdout: stdout, stderr: stderr, progress: commandline.ProgressOf(stderr, o.format, o.quiet)}
	o.Waiting = func() { fmt.Fprintf(stderr, "waiting: another builder is writing into %s\n", p.Public) }
	o.Progress = func(done, total int) { p.progress.Show("articles", done, total) }
	return p
}

// print prints one report. err says why nothing was published; it goes into the JSON
// object, and otherwise the caller prints it.
func (p *printer) print(r builder.Report, err error, took time.Duration) error {
	p.progress.End()
	if p.format == "json" {
		return p.printJSON(r, err)
	}
	p.news.Print(p.stderr, p.Content, r.Problems)
	if r.Damaged != nil {
		fmt.Fprintf(p.stderr, "%s the published folder was damaged, and is written anew: %s\n",
			commandline.Paint(p.stderr, commandline.Yellow, "warning:"), commandline.Plain(r.Damaged.Error()))
	}
	forgetful := ""
	if r.CacheErr != nil {
		forgetful = r.CacheErr.Error()
	}
	if forgetful != "" && forgetful != p.forgetful {
		fmt.Fprintf(p.stderr,
			"%s the next build will have to read everything again: %s\n    hint: name a folder that can be written with --cache, or say --cache %s\n",
			commandline.Paint(p.stderr, commandline.Yellow, "warning:"), commandline.Plain(forgetful), noCache)
	}
	p.forgetful = forgetful
	if err != nil {
		return nil
	}
	if p.verbose {
		if err := p.printChanges(r); err != nil {
			return err
		}
	}
	if p.quiet {
		return nil
	}
	if p.watching {
		return p.line(r)
	}
	return p.summary(r, took)
}

// printChanges lists the articles that changed.
func (p *printer) printChanges(r builder.Report) error {
	var b strings.Builder
	for _, c := range changes(r) {
		fmt.Fprintf(&b, "%-10s %s\n", c.Change, c.ID)
	}
	_, err := io.WriteString(p.stdout, b.String())
	return err
}

// change is an article that a build published, published anew, or took down.
type change struct {
	ID     string `json:"id"`
	Change string `json:"change"`
}

func changes(r builder.Report) []change {
	list := []change{}
	for _, kind := range []struct {
		name string
		ids  []string
	}{{"new", r.New}, {"changed", r.Changed}, {"gone", r.Gone}} {
		for _, id := range kind.ids {
			list = append(list, change{id, kind.name})
		}
	}
	return list
}

// changed counts the articles that changed; empty where none did.
func changed(r builder.Report) string {
	var parts []string
	for _, kind := range []struct {
		n    int
		name string
	}{{len(r.New), "new"}, {len(r.Changed), "changed"}, {len(r.Gone), "gone"}} {
		if kind.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", kind.n, kind.name))
		}
	}
	return strings.Join(parts, ", ")
}

// summary ends a build.
func (p *printer) summary(r builder.Report, took time.Duration) error {
	var b strings.Builder
	row := func(name, format string, args ...any) {
		fmt.Fprintf(&b, "%-10s %s\n", name, fmt.Sprintf(format, args...))
	}
	row("published", "%s in %s", count(r.Published, "article"), p.Public)
	if s := changed(r); s != "" {
		row("articles", "%s since the last build", s)
	} else {
		row("articles", "none changed since the last build")
	}
	if len(r.Kept) > 0 {
		row("kept", "%s, as published before, until the files are fixed", strings.Join(r.Kept, ", "))
	}
	if s := skipped(r); s != "" {
		row("skipped", "%s", s)
	}
	if s := problemCounts(r); s != "" {
		row("problems", "%s", s)
	}
	row("files", "%d written (%s), %d removed, %d unchanged", r.Written, size(r.Bytes), r.Removed, r.Unchanged)
	row("revision", "%s", r.Revision)
	if !r.Next.IsZero() {
		row("next", "%s, when an article appears or expires", instantText(wholeSecond(r.Next)))
	}
	row("time", "%s", took.Round(time.Millisecond))
	_, err := io.WriteString(p.stdout, b.String())
	return err
}

// line is the summary of one build while watching.
func (p *printer) line(r builder.Report) error {
	line := fmt.Sprintf("%s published %s; %d files written (%s), %d removed",
		time.Now().Format(time.TimeOnly), count(r.Published, "article"), r.Written, size(r.Bytes), r.Removed)
	if s := changed(r); s != "" {
		line += "; articles: " + s
	}
	if s := problemCounts(r); s != "" {
		line += "; " + s
	}
	if !r.Next.IsZero() {
		line += "; next " + instantText(wholeSecond(r.Next))
	}
	_, err := fmt.Fprintln(p.stdout, line)
	return err
}

// skipped counts the files that are not published, by status. Those that are kept as
// they were published before are not among the invalid ones.
func skipped(r builder.Report) string {
	files := maps.Clone(r.Files)
	files[source.Invalid] -= min(files[source.Invalid], len(r.Kept))
	var parts []string
	for _, status := range source.Statuses() {
		if n := files[status]; n > 0 && status != source.Published {
			parts = append(parts, fmt.Sprintf("%d %s", n, strings.ReplaceAll(string(status), "-", " ")))
		}
	}
	return strings.Join(parts, ", ")
}

// problemCounts counts errors and warnings.
func problemCounts(r builder.Report) string {
	var parts []string
	if n := r.Errors(); n > 0 {
		parts = append(parts, count(n, "error"))
	}
	if n := len(r.Problems) - r.Errors(); n > 0 {
		parts = append(parts, count(n, "warning"))
	}
	return strings.Join(parts, ", ")
}

// report is the JSON form of a build.
type report struct {
	Problems  []source.Problem      `json:"problems"`
	Files     map[source.Status]int `json:"files"`
	Published int                   `json:"published"`
	Kept      []string              `json:"kept"`
	New       int                   `json:"new"`
	Changed   int                   `json:"changed"`
	Gone      int                   `json:"gone"`
	Changes   []change              `json:"changes,omitempty"`
	Written   int                   `json:"written"`
	Removed   int                   `json:"removed"`
	Unchanged int                   `json:"unchanged"`
	Bytes     int64                 `json:"bytes"`
	Revision  string                `json:"revision,omitempty"`
	Next      time.Time             `json:"next,omitzero"`
	Damaged   string                `json:"damaged,omitempty"`
	Error     *failure              `json:"error,omitempty"`
}

// failure says why nothing was published.
type failure struct {
	What string `json:"what"`
	Hint string `json:"hint,omitempty"`
}

func (p *printer) printJSON(r builder.Report, err error) error {
	out := report{
		Problems: notNull(r.Problems), Files: map[source.Status]int{}, Published: r.Published, Kept: notNull(r.Kept),
		New: len(r.New), Changed: len(r.Changed), Gone: len(r.Gone),
		Written: r.Written, Removed: r.Removed, Unchanged: r.Unchanged, Bytes: r.Bytes, Revision: r.Revision, Next: wholeSecond(r.Next),
	}
	for _, status := range source.Statuses() {
		out.Files[status] = r.Files[status]
	}
	if p.verbose {
		out.Changes = changes(r)
	}
	if r.Damaged != nil {
		out.Damaged = r.Damaged.Error()
	}
	if err != nil {
		out.Error = &failure{err.Error(), hinted.Hint(err)}
	}
	return commandline.WriteJSON(p.stdout, out)
}

// notNull makes [] of null.
func notNull[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

// count is a number with its noun, which is one that takes an s.
func count(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return fmt.Sprintf("%d %s", n, noun)
}

// size is a number of bytes for people, in units of 1,000.
func size(bytes int64) string {
	if bytes < 1e3 {
		return fmt.Sprintf("%d B", bytes)
	}
	n, units := float64(bytes)/1e3, "kMG"
	for ; n >= 1e3 && len(units) > 1; units = units[1:] {
		n /= 1e3
	}
	return fmt.Sprintf("%.1f %cB", n, units[0])
}
