package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"newsstand/builder/hinted"
	"newsstand/builder/publication"
	"newsstand/cmd/commandline"
)

type checkOptions struct {
	public, format string
	quiet          bool
}

const checkHelp = `Check a published folder byte for byte: every file against the manifest, every article
against the contract and the corpus, and that nothing is in the builder's own folders
that is not part of the build. For a pipeline, before it deploys the folder.

Each fault is a line on stdout, as "path: what"; with one or more the exit code is 1.
It waits for a builder that writes there. What a killed builder left behind is first
completed or thrown away, as the next build would do.

--format json prints one object with the keys public and faults (path: what, sorted).
On a terminal, a check that takes long shows its progress on stderr, unless --quiet or
--format json is given.`

const checkExample = `  builder check
  builder build --base-url https://example.org && builder check --public public`

func newCheckCommand() *cobra.Command {
	var o checkOptions
	cmd := &cobra.Command{
		Use:     "check",
		Short:   "Check a published folder byte for byte",
		Long:    checkHelp,
		Example: checkExample,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return runCheck(cmd.Context(), o, cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.public, "public", "public", "published `folder` to check")
	commandline.OneOf(f, &o.format, "format", "text", "`format` of the result", "text", "json")
	f.BoolVar(&o.quiet, "quiet", false, "print faults only, and nothing where there are none")
	return cmd
}

func runCheck(ctx context.Context, o checkOptions, stdout, stderr io.Writer) error {
	progress := commandline.ProgressOf(stderr, o.format, o.quiet)
	faults, err := publication.Check(ctx, o.public, func() {
		fmt.Fprintf(stderr, "waiting: a builder is writing into %s\n", o.public)
	}, func(done, total int) { progress.Show("articles", done, total) })
	progress.End()
	if err != nil {
		if info, lost := os.Stat(o.public); lost == nil && !info.IsDir() || errors.Is(err, fs.ErrNotExist) {
			return hinted.Error(err, "name the published folder with --public")
		}
		if errors.Is(err, publication.ErrFormat) {
			return hinted.Error(err, "check it with a builder as new as the one that published there")
		}
		if errors.Is(err, fs.ErrPermission) {
			return hinted.Error(err, "let the builder read "+o.public+" and everything in it")
		}
		if errors.Is(err, syscall.EROFS) {
			return hinted.Error(err, "let the builder write in "+o.public+", where a build that was interrupted is to be completed")
		}
		return err
	}
	switch {
	case o.format == "json":
		err = commandline.WriteJSON(stdout, struct {
			Public string   `json:"public"`
			Faults []string `json:"faults"`
		}{o.public, notNull(faults)})
	case len(faults) == 0 && !o.quiet:
		_, err = fmt.Fprintf(stdout, "%s is whole\n", o.public)
	default:
		for _, fault := range faults {
			if _, err = fmt.Fprintln(stdout, commandline.PlainLine(fault)); err != nil {
				break
			}
		}
	}
	if err != nil {
		return fmt.Errorf("print the result: %w", err)
	}
	if len(faults) > 0 {
		hint := "build it anew with builder build, which fixes what it owns"
		if slices.ContainsFunc(faults, func(fault string) bool { return strings.HasSuffix(fault, ": "+fs.ErrPermission.Error()) }) {
			hint = "let the builder read and write " + o.public + " and everything in it, and " + hint
		}
		return hinted.Error(fmt.Errorf("%s has %s", o.public, count(len(faults), "fault")), hint)
	}
	return nil
}
