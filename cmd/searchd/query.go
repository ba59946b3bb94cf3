package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/url"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"newsstand/builder/article"
	"newsstand/builder/hinted"
	"newsstand/cmd/commandline"
	"newsstand/searchd"
)

type queryOptions struct {
	searchd.Options
	limit, offset   int
	tags, languages []string
	format          string
	quiet, verbose  bool
}

const queryHelp = `Search what --source publishes, a folder or the address of a site, once, and print what
was found, best first, and why.

It gives the same articles in the same order as GET /api/articles does for the same
revision. Finding nothing is not an error.

It says how each word was understood and looked for, how many articles each rung of the
ladder gave, and where the score of each article comes from. The guide's Search syntax says
what the rungs are.

--format json prints exactly the body of GET /api/articles; --format explanation says why as
JSON, whose form may change with any version, as that of the text may.

Without --data the index is built in a temporary folder, which takes a moment for a
large site; with it the index is kept for the next time. The folder of a running
searchd cannot be shared.`

const queryExample = `  searchd query "atomic swap" --source public
  searchd query '"exact phrase" -without' --source public --limit 3
  searchd query --source public -- '-without words that follow'
  searchd query opening --source public --tag museums --tag parks --language en --offset 10
  searchd query "kuberntes cluster" --source public --format explanation
  searchd query gopher --source https://example.org --format json | jq -r '.articles[].id'`

func newQueryCommand() *cobra.Command {
	var o queryOptions
	cmd := &cobra.Command{
		Use:     "query WORDS --source DIR|URL",
		Short:   "Search once on the command line",
		Long:    queryHelp,
		Example: queryExample,
		Args:    commandline.OneArgument("no query is given", "unexpected argument %q; put the query in quotes"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := o.check(cmd, args[0]); err != nil {
				return err
			}
			return runQuery(cmd.Context(), o, args[0], cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	cmd.SetFlagErrorFunc(wrongQueryFlag)
	f := cmd.Flags()
	sourceFlags(f, &o.Options)
	f.StringVar(&o.Data, "data", "", "`folder` that keeps the index; without it a temporary one")
	f.IntVar(&o.limit, "limit", article.DefaultLimit, "largest `number` of articles to print")
	f.IntVar(&o.offset, "offset", 0, "`number` of the best articles to pass over")
	f.StringArrayVar(&o.tags, "tag", nil, "keep only articles with this `tag`; given again, with any of them")
	f.StringArrayVar(&o.languages, "language", nil, "keep only articles in this `language`, such as en; given again, in any of them")
	commandline.OneOf(f, &o.format, "format", "text", "`format` of the result", "text", "json", "explanation")
	f.BoolVar(&o.quiet, "quiet", false, "print the ids of the articles only, one on each line")
	f.BoolVar(&o.verbose, "verbose", false, "log what is loaded before the search")
	return cmd
}

// wrongQueryFlag explains an unknown flag: with a single minus, it is more likely a query.
func wrongQueryFlag(cmd *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	if errors.As(err, &unknown) && unknown.GetSpecifiedShortnames() != "" {
		return hinted.Error(commandline.Wrong(cmd, "%w", err),
			"put a query that begins with a minus at the end, after --: searchd query --source public -- '-draft swap'")
	}
	return commandline.WrongFlag(cmd, err)
}

// check refuses options that no search could have.
func (o queryOptions) check(cmd *cobra.Command, text string) error {
	switch {
	case o.Source == "":
		return commandline.Wrong(cmd, noSource)
	case o.limit < 1 || o.limit > article.MaxLimit:
		return commandline.Wrong(cmd, "--limit must be from 1 to %d, got %d", article.MaxLimit, o.limit)
	case o.offset < 0 || o.offset > article.MaxOffset:
		return commandline.Wrong(cmd, "--offset must be from 0 to %d, got %d", article.MaxOffset, o.offset)
	case o.quiet && o.format != "text":
		return commandline.Wrong(cmd, "--quiet prints ids, and goes with no --format")
	}
	if err := searchd.CheckQuery(o.parameters(text)); err != nil {
		return commandline.Wrong(cmd, "%w", err)
	}
	return nil
}

// parameters are those that GET /api/articles has for it.
func (o queryOptions) parameters(text string) url.Values {
	return url.Values{
		"q": {text}, "limit": {strconv.Itoa(o.limit)}, "offset": {strconv.Itoa(o.offset)}, "tag": o.tags, "language": o.languages,
	}
}

func runQuery(ctx context.Context, o queryOptions, text string, stdout, stderr io.Writer) (err error) {
	live, err := openLoaded(ctx, o.Options, o.verbose, stderr)
	if err != nil {
		return err
	}
	defer func() { err = cmp.Or(err, live.Close()) }()
	body, err := live.Search(ctx, o.parameters(text))
	if err != nil {
		return fmt.Errorf("search: %w", err)
	}
	if o.format == "json" {
		_, err := stdout.Write(body)
		return err
	}
	var r article.SearchResult
	if err := json.Unmarshal(body, &r); err != nil {
		return fmt.Errorf("read the result: %w", err)
	}
	if o.quiet {
		return printIDs(stdout, r)
	}
	e, err := live.Explain(ctx, o.parameters(text)) // of the same revision: nothing is loaded between them
	if err != nil {
		return fmt.Errorf("explain the search: %w", err)
	}
	if o.format == "explanation" {
		return commandline.WriteJSON(stdout, e)
	}
	return printResult(stdout, r, e)
}

// openLoaded opens the source of one command and loads it. It logs what goes wrong, and if verbose,
// also what is done. The caller closes what it returns.
func openLoaded(ctx context.Context, o searchd.Options, verbose bool, stderr io.Writer) (*searchd.Live, error) {
	level := slog.LevelWarn
	if verbose {
		level = slog.LevelInfo
	}
	o.Log = slog.New(slog.NewTextHandler(stderr, &slog.HandlerOptions{Level: level}))
	slog.SetDefault(o.Log) // what the engine writes with package log is below that level
	commandline.SaveMemory()
	live, err := searchd.Open(ctx, o)
	if err != nil {
		return nil, err
	}
	if err := live.Load(ctx); err != nil {
		return nil, errors.Join(err, live.Close())
	}
	return live, nil
}

// printIDs prints the articles for another program.
func printIDs(stdout io.Writer, r article.SearchResult) error {
	var b strings.Builder
	for _, hit := range r.Articles {
		b.WriteString(hit.ID + "\n")
	}
	_, err := io.WriteString(stdout, b.String())
	return err
}
