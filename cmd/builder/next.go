package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"newsstand/builder"
	"newsstand/builder/hinted"
	"newsstand/builder/source"
	"newsstand/cmd/commandline"
)

type nextOptions struct {
	content, format string
	now             time.Time
}

const nextHelp = `Print the instant, in RFC 3339, at which the next article becomes published or expires:
when a site that is built once needs its next build. For a timer or a deploy hook; watch
needs neither.

Where no article will, nothing is printed, stderr says so, and the exit code is 3.

--format json prints one object with the key next.`

const nextExample = `  builder next

  # build again when it is time (systemd)
  systemd-run --on-calendar="$(date -u -d "$(builder next)" '+%F %T UTC')" builder build`

// noneError says that there is no next instant.
type noneError struct{ error }

func newNextCommand() *cobra.Command {
	var o nextOptions
	cmd := &cobra.Command{
		Use:     "next",
		Short:   "Print when the next article becomes published or expires",
		Long:    nextHelp,
		Example: nextExample,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return runNext(cmd.Context(), o, cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	f := cmd.Flags()
	contentFlag(f, &o.content)
	nowFlag(f, &o.now)
	commandline.OneOf(f, &o.format, "format", "text", "`format` of the result", "text", "json")
	return cmd
}

func runNext(ctx context.Context, o nextOptions, stdout, stderr io.Writer) error {
	folder, err := builder.Scan(ctx, o.content, source.Options{Now: o.now})
	if err != nil {
		return err
	}
	if wrong := printWrongSettings(stderr, o.content, folder); wrong > 0 { // the time zone, perhaps
		return hinted.Error(fmt.Errorf("%s in %s, so no instant is certain", count(wrong, "error"), source.SiteFile), "fix what is listed above")
	}
	next := folder.Next()
	if next.IsZero() {
		return noneError{errors.New("no article will become published or expire")}
	}
	if o.format == "json" {
		return commandline.WriteJSON(stdout, struct {
			Next time.Time `json:"next"`
		}{wholeSecond(next)})
	}
	_, err = fmt.Fprintln(stdout, instantText(wholeSecond(next)))
	return err
}

// wholeSecond is the first whole second at which something is due: timers know no others, and a
// build that comes a moment early would have to come again.
func wholeSecond(due time.Time) time.Time {
	if whole := due.UTC().Truncate(time.Second); !whole.Equal(due) {
		return whole.Add(time.Second)
	}
	return due.UTC()
}
