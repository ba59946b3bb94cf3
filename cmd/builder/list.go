package main

import (
	"cmp"
	"context"
	"encoding/csv"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"newsstand/builder"
	"newsstand/builder/source"
	"newsstand/cmd/commandline"
	"newsstand/cmd/commandline/problems"
)

type listOptions struct {
	content, baseURL, format string
	now                      time.Time
}

const listHelp = `List every file of the content folder, with what becomes of it and why.

The status is published, draft, future, expired, invalid or not-an-article. A file is
invalid where it has an error; errors are also printed to stderr, with their places.
Warnings are left to build. Nothing is written. A date is that in the site's time zone.

--format csv and json have all columns: id, path, status, reason, published, modified,
publish_at, expire_at, language, url. Times are RFC 3339 in UTC, empty (in JSON: absent)
where the file has none.`

const listExample = `  builder list
  builder list --now 2027-01-01T00:00:00Z --format csv > new-year.csv
  builder list --format json | jq -r '.[] | select(.status == "draft") | .path'`

func newListCommand() *cobra.Command {
	var o listOptions
	cmd := &cobra.Command{
		Use:     "list",
		Short:   "List every file, with what becomes of it and why",
		Long:    listHelp,
		Example: listExample,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return runList(cmd.Context(), o, cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	f := cmd.Flags()
	contentFlag(f, &o.content)
	baseURLFlag(f, &o.baseURL)
	nowFlag(f, &o.now)
	commandline.OneOf(f, &o.format, "format", "table", "`format` of the list", "table", "csv", "json")
	return cmd
}

// listed is one file of the list.
type listed struct {
	ID        string        `json:"id,omitempty"`
	Path      string        `json:"path"`
	Status    source.Status `json:"status"`
	Reason    string        `json:"reason,omitempty"`
	Published time.Time     `json:"published,omitzero"`
	Modified  time.Time     `json:"modified,omitzero"`
	PublishAt time.Time     `json:"publish_at,omitzero"`
	ExpireAt  time.Time     `json:"expire_at,omitzero"`
	Language  string        `json:"language,omitempty"`
	URL       string        `json:"url,omitempty"`
}

func runList(ctx context.Context, o listOptions, stdout, stderr io.Writer) error {
	folder, err := builder.Scan(ctx, o.content, source.Options{Now: o.now, BaseURL: o.baseURL})
	if err != nil {
		return err
	}
	for _, problem := range folder.Problems {
		if problem.Severity == source.Error {
			problems.Print(stderr, o.content, problem)
		}
	}
	files := make([]listed, 0, len(folder.Files))
	for _, f := range folder.Files {
		files = append(files, listed{f.ID, f.Path, f.Status, f.Reason, f.Published, f.Modified, f.PublishAt, f.ExpireAt, f.Language, f.URL})
	}
	switch o.format {
	case "json":
		err = commandline.WriteJSON(stdout, files)
	case "csv":
		err = writeCSV(stdout, files)
	default:
		for i := range files { // people see the day that it was at the site
			files[i].Published = files[i].Published.In(folder.Site.TimeZone)
		}
		err = writeTable(stdout, files)
	}
	if err != nil {
		return fmt.Errorf("print the list: %w", err)
	}
	return nil
}

// instantText is RFC 3339, and nothing for the zero time.
func instantText(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.Format(time.RFC3339)
}

func writeCSV(w io.Writer, files []listed) error {
	rows := csv.NewWriter(w)
	rows.Write([]string{"id", "path", "status", "reason", "published", "modified", "publish_at", "expire_at", "language", "url"})
	for _, f := range files {
		name := strings.ToValidUTF8(f.Path, "\ufffd") // as JSON has it: many readers of CSV take nothing else
		rows.Write([]string{f.ID, name, string(f.Status), f.Reason, instantText(f.Published), instantText(f.Modified),
			instantText(f.PublishAt), instantText(f.ExpireAt), f.Language, f.URL})
	}
	rows.Flush()
	return rows.Error() // of any row
}

func writeTable(w io.Writer, files []listed) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "STATUS\tDATE\tID\tPATH\tREASON")
	for _, f := range files {
		date := "-"
		if !f.Published.IsZero() {
			date = f.Published.Format(time.DateOnly)
		}
		// A name may have any character; the terminal must not take it for a command.
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\n", f.Status, date, cmp.Or(f.ID, "-"), commandline.PlainLine(f.Path), commandline.PlainLine(f.Reason))
	}
	return table.Flush()
}
