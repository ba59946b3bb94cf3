package main

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"newsstand/builder"
	"newsstand/cmd/commandline"
)

const watchHelp = `Publish the articles of --content into --public, and again after every change, and at
each instant at which an article becomes published or expires, until SIGINT, SIGTERM or SIGHUP.

Changes are noticed by the system's events within about a tenth of a second; where there
are none, as on network folders, by looking every few seconds. A build that fails
leaves what is published as it is, says why, and is tried again.

Each build that changed something is reported as build does; of the problems, only
those that were not there before. --format json prints one object on one line for each.
On a terminal, one that takes long shows its progress on stderr, as build does.`

const watchExample = `  builder watch --base-url https://example.org
  builder watch --public /srv/site/public --format json --base-url https://example.org`

func newWatchCommand() *cobra.Command {
	var o buildOptions
	cmd := &cobra.Command{
		Use:     "watch",
		Short:   "Publish the articles, and again whenever something changes or falls due",
		Long:    watchHelp,
		Example: watchExample,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return runWatch(cmd.Context(), o, cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	o.flags(cmd.Flags())
	return cmd
}

func runWatch(ctx context.Context, o buildOptions, stdout, stderr io.Writer) error {
	commandline.SaveMemory() // it stays, and its builds are small
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	p := newPrinter(&o, stdout, stderr)
	p.watching = true
	o.Cache = cacheFolder(o.cache)
	var printing error // ends the watch: nobody reads it any more
	err := builder.Watch(ctx, o.Options, func(r builder.Report, err error) {
		if printing = p.print(r, err, 0); printing != nil {
			cancel()
			return
		}
		if err == nil {
			err = articleErrors(r)
		}
		if err != nil {
			commandline.PrintError(stderr, err)
		}
	})
	if err == nil && printing != nil {
		err = fmt.Errorf("print the result: %w", printing)
	}
	return err
}
