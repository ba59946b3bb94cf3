package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"newsstand/builder/hinted"
	"newsstand/cmd/commandline"
	"newsstand/searchd"
)

type checkOptions struct {
	searchd.Options
	format         string
	quiet, verbose bool
}

const checkHelp = `Check that the articles which --source publishes, a folder or the address of a site, are
found.

Asks the site's own search tests (content/search-tests.yaml; they travel with the
articles), and then for every article what people would ask:

  title   its title finds it first
  typo    its title with one typo finds it among the first three
  phrase  a rare phrase of its text, in quotation marks, finds it first
  words   the same words without quotation marks find it among the first ten
  tag     each of its tags finds it, among the articles with that tag

An article that comes after others which match just as well (the same title, the same
phrase, a pin of the site, a typo that makes another word) counts as right. Articles that
the site keeps out of search are not asked for. What is asked depends on the articles
alone, so two runs say the same.

The exit code is 1 where a query was not answered as it should be; the report lists those, with
the articles that came before. So it can be the last step of a build, before the site goes
out.

On a terminal, a check that takes long shows its progress on stderr, unless --quiet,
--verbose or --format json is given.`

const checkExample = `  searchd check --source public
  searchd check --source public --format json | jq -r '.checks[].offenders[].query'`

func newCheckCommand() *cobra.Command {
	var o checkOptions
	cmd := &cobra.Command{
		Use:     "check --source DIR|URL",
		Short:   "Check that every article is found",
		Long:    checkHelp,
		Example: checkExample,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if o.Source == "" {
				return commandline.Wrong(cmd, noSource)
			}
			return runCheck(cmd.Context(), o, cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	f := cmd.Flags()
	sourceFlags(f, &o.Options)
	f.StringVar(&o.Data, "data", "", "`folder` that keeps the index; without it a temporary one")
	commandline.OneOf(f, &o.format, "format", "text", "`format` of the report", "text", "json")
	f.BoolVar(&o.quiet, "quiet", false, "print what is wrong only, and nothing where nothing is")
	f.BoolVar(&o.verbose, "verbose", false, "print every query that was not answered as it should be, and log what is loaded")
	return cmd
}

func runCheck(ctx context.Context, o checkOptions, stdout, stderr io.Writer) (err error) {
	progress := commandline.ProgressOf(stderr, o.format, o.quiet || o.verbose)
	o.Progress = func(what string, done, total int) { progress.Show("articles "+what, done, total) }
	defer progress.End()
	live, err := openLoaded(ctx, o.Options, o.verbose, stderr)
	if err != nil {
		return err
	}
	defer func() { err = cmp.Or(err, live.Close()) }()
	report, err := live.Check(ctx)
	progress.End()
	if err != nil {
		return err
	}
	if o.format == "json" {
		err = commandline.WriteJSON(stdout, report)
	} else {
		err = printReport(stdout, report, o)
	}
	if err != nil {
		return err
	}
	failed := 0
	for _, c := range report.Checks {
		failed += len(c.Offenders)
	}
	if failed == 0 {
		return nil
	}
	wrong := "one query was not answered as it should be"
	if failed > 1 {
		wrong = fmt.Sprintf("%d queries were not answered as they should be", failed)
	}
	return hinted.Error(errors.New(wrong),
		`searchd query "the query" --source `+o.Source+" shows why; titles, synonyms and pins change it: see the guide's Tuning search")
}

// shownOffenders is how many of a check people read.
const shownOffenders = 20

// printReport prints the figures first, then what was wrong; quietly, only the latter.
func printReport(stdout io.Writer, r searchd.Report, o checkOptions) error {
	var b strings.Builder
	if !o.quiet {
		fmt.Fprintf(&b, "%d articles, revision %.12s\n\n", r.Articles, r.Revision)
		for _, c := range r.Checks {
			printFigures(&b, c)
		}
	}
	for _, c := range r.Checks {
		if len(c.Offenders) > 0 {
			printOffenders(&b, c, o.verbose)
		}
	}
	_, err := io.WriteString(stdout, commandline.Plain(b.String()))
	return err
}

// printFigures prints the line of one check.
func printFigures(b *strings.Builder, c searchd.Check) {
	verdict := "ok  "
	if len(c.Offenders) > 0 {
		verdict = "FAIL"
	}
	fmt.Fprintf(b, "%s  %-7s %5d of %-5d  %s", verdict, c.Name, c.Asked-len(c.Offenders), c.Asked, c.Demand)
	if c.Tied > 0 {
		fmt.Fprintf(b, "; %d after equal matches", c.Tied)
	}
	if c.Left > 0 {
		fmt.Fprintf(b, "; %d have nothing to ask", c.Left)
	}
	b.WriteByte('\n')
}

// printOffenders lists the offenders of one check, behind an empty line if something is before it.
func printOffenders(b *strings.Builder, c searchd.Check, all bool) {
	if b.Len() > 0 {
		b.WriteByte('\n')
	}
	fmt.Fprintf(b, "%s:\n", c.Name)
	shown := c.Offenders
	if !all {
		shown = shown[:min(shownOffenders, len(shown))]
	}
	for _, offender := range shown {
		fmt.Fprintf(b, "  %s\n      %s %s\n", offender.Query, offender.Article, place(offender))
	}
	if more := len(c.Offenders) - len(shown); more > 0 {
		fmt.Fprintf(b, "  and %d more; --verbose lists all\n", more)
	}
}

// place says where an article is, and where it should be.
func place(o searchd.Offender) string {
	where := "is not found"
	if o.Rank > 0 {
		where = fmt.Sprintf("is at rank %d", o.Rank)
	}
	switch {
	case o.Rank > 0 && o.Want == 0:
		where += " and must not be"
	case o.Want == 1:
		where += ", must be first"
	default:
		where += fmt.Sprintf(", must be among the first %d", o.Want)
	}
	if len(o.Before) > 0 {
		where += "; before it: " + strings.Join(o.Before, ", ")
	}
	return where
}
