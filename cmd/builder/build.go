package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"newsstand/builder"
	"newsstand/builder/hinted"
	"newsstand/cmd/commandline"
)

// buildOptions are those of build and watch.
type buildOptions struct {
	builder.Options
	format, cache  string
	quiet, verbose bool
}

const buildHelp = `Publish the articles of --content into --public, once.

What --public holds already is changed in one step: until then, and if the build fails
or is killed at any instant, readers see the old build, whole. Files that the builder
did not write stay, unless they lie in the folders api and corpus, which are its own.
A second builder waits for the first.

An article whose file has an error is not published as it is now: where an earlier
build has published it, that version stays until the file is fixed or removed, and
the build ends with exit code 1. Everything else is published. With --strict, any
problem, warnings too, stops the build before anything changes.

What a build has read and rendered is remembered in the folder --cache, so that the
next one need not, as long as the files of both folders have their size, times
and inode. What is published never depends on it; it can be deleted at any time.
builder check finds published files whose bytes changed while size, times and inode
did not.

Problems of all files go to stderr, sorted, each with its place and how to fix it; a
summary goes to stdout. --format json prints one object instead of both: problems
(path, line, column, severity, what, hint; the path is relative to --content),
files (by status), published, kept, new, changed, gone, written, removed, unchanged,
bytes, revision, next, damaged (what of the folder published before could not be read)
and error where nothing was published; with --verbose, changes (id, change) too.

On a terminal, a build that takes long shows its progress on stderr, unless --quiet or
--format json is given.`

const buildExample = `  builder build --base-url https://example.org
  builder build --content ../blog/content --public dist --base-url https://example.org --strict

  # what readers would see at New Year
  builder build --public /tmp/new-year --now 2027-01-01T00:00:00Z

  # the errors for another program
  builder build --format json | jq -r '.problems[] | select(.severity == "error") | .path'`

func newBuildCommand() *cobra.Command {
	var o buildOptions
	cmd := &cobra.Command{
		Use:     "build",
		Short:   "Publish the articles once",
		Long:    buildHelp,
		Example: buildExample,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return runBuild(cmd.Context(), o, cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	f := cmd.Flags()
	o.flags(f)
	nowFlag(f, &o.Now)
	return cmd
}

// flags declares the flags that build and watch share.
func (o *buildOptions) flags(f *pflag.FlagSet) {
	o.folderFlags(f)
	f.BoolVar(&o.Strict, "strict", false, "let every problem, warnings too, stop the build")
	commandline.OneOf(f, &o.format, "format", "text", "`format` of the result", "text", "json")
	f.BoolVar(&o.quiet, "quiet", false, "print problems only, no summary")
	f.BoolVar(&o.verbose, "verbose", false, "list each article that is new, changed or gone since the last build")
}

// folderFlags declares those that say what is built, and where.
func (o *buildOptions) folderFlags(f *pflag.FlagSet) {
	contentFlag(f, &o.Content)
	f.StringVar(&o.Public, "public", "public", "`folder` to publish into; made where it is missing")
	baseURLFlag(f, &o.BaseURL)
	f.StringVar(&o.cache, "cache", "",
		"`folder` in which builds remember what need not be read or rendered again, or off; default: newsstand in the user's cache folder")
}

// noCache is the value of --cache for builds that remember nothing.
const noCache = "off"

// cacheFolder is the folder of --cache; empty where none is wanted, or none is there.
func cacheFolder(flag string) string {
	switch flag {
	case noCache:
		return ""
	case "":
		folder, err := os.UserCacheDir()
		if err != nil { // a machine's account without a home
			return ""
		}
		return filepath.Join(folder, "newsstand")
	}
	return flag
}

func contentFlag(f *pflag.FlagSet, content *string) {
	f.StringVar(content, "content", "content", "`folder` of the articles")
}

func baseURLFlag(f *pflag.FlagSet, address *string) {
	f.StringVar(address, "base-url", "", "`address` of the site in links; default: that in site.yaml or the generator's configuration")
}

// nowFlag declares --now; zero where it is not given.
func nowFlag(f *pflag.FlagSet, now *time.Time) {
	f.TimeVar(now, "now", time.Time{}, []string{time.RFC3339}, "`instant`, in RFC 3339, that decides what is published; default: the present")
}

// heldMemory is the size of the heap below which a build collects nothing: collecting the small
// heap of a small site over and over would take a seventh of its time.
const heldMemory = 160 << 20

func runBuild(ctx context.Context, o buildOptions, stdout, stderr io.Writer) error {
	began := time.Now()
	p := newPrinter(&o, stdout, stderr)
	o.Cache = cacheFolder(o.cache)
	commandline.HoldMemory(heldMemory)
	report, err := builder.Build(ctx, o.Options)
	if err := p.print(report, err, time.Since(began)); err != nil {
		return fmt.Errorf("print the result: %w", err)
	}
	if err != nil {
		return err
	}
	return articleErrors(report)
}

// articleErrors is the error of a build that published the rest.
func articleErrors(r builder.Report) error {
	n := r.Errors()
	if n == 0 {
		return nil
	}
	return hinted.Error(fmt.Errorf("%s in the content; everything else is published", count(n, "error")), "fix what is listed above and build again")
}
