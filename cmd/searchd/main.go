// Command searchd answers the search of a published site: GET /api/articles?q=.
// `searchd --help` is its manual.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"

	"newsstand/cmd/commandline"
	"newsstand/searchd"
)

func main() {
	os.Exit(run(os.Args[1:], os.Stdout, os.Stderr))
}

// Exit codes; the manual lists them.
const (
	exitDone   = 0
	exitFailed = 1
	exitUsage  = 2
)

// run is the whole program. SIGINT and SIGTERM end its context; a second one ends the
// process at once.
func run(args []string, stdout, stderr io.Writer) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop)

	root := newRootCommand()
	root.SetArgs(args)
	root.SetOut(stdout)
	root.SetErr(stderr)
	err := root.ExecuteContext(ctx)
	if err == nil {
		return exitDone
	}
	fmt.Fprintf(stderr, "error: %v\n", err)
	var hinted interface{ Hint() string }
	if errors.As(err, &hinted) && hinted.Hint() != "" {
		fmt.Fprintf(stderr, "hint: %s\n", hinted.Hint())
	}
	if errors.As(err, new(usageError)) || errors.As(err, new(commandline.UsageError)) || errors.Is(err, searchd.ErrOptions) {
		return exitUsage
	}
	return exitFailed
}

// usageError is an error in the command line.
type usageError struct {
	error
	command string // whose help explains it
}

func (e usageError) Hint() string { return "see " + e.command + " --help" }

const rootHelp = `searchd answers the search of a published site.

It reads the folder that the builder publishes, or the same from the site's own address,
keeps an index of the articles, and answers GET /api/articles?q=. It follows them:
a new build is taken up by itself, whole, with no failed or mixed answer. It never
sees drafts, writes nothing but its data folder, and logs no query and no address
of a caller.

Exit codes:
  0  done; for serve: stopped by SIGTERM or SIGINT, every request answered
  1  failed; the error says what, and the hint how to mend it
  2  wrong usage`

func newRootCommand() *cobra.Command {
	root := &cobra.Command{
		Use:           "searchd",
		Short:         "Answer the search of a published site",
		Long:          rootHelp,
		Version:       commandline.Version(),
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          commandline.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return usageError{errors.New("no command is given"), cmd.CommandPath()}
		},
	}
	root.SetFlagErrorFunc(commandline.WrongFlag)
	root.AddCommand(newServeCommand(), newQueryCommand(), newCheckCommand())
	commandline.Complete(root)
	return root
}
