// Command builder turns a folder of articles into a published folder that any static
// host can serve. `builder --help` is its manual.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"newsstand/builder/source"
	"newsstand/cmd/commandline"
)

func main() {
	os.Exit(run(os.Args[1:], os.Stdout, os.Stderr))
}

// Exit codes; the manual lists them.
const (
	exitDone        = 0
	exitFailed      = 1
	exitUsage       = 2
	exitNone        = 3
	exitInterrupted = 130 // what shells report of a program that SIGINT ended
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
	printError(stderr, err)
	switch {
	case errors.As(err, new(commandline.UsageError)), errors.As(err, new(source.AddressError)):
		return exitUsage
	case errors.As(err, new(noneError)):
		return exitNone
	case ctx.Err() != nil:
		return exitInterrupted
	}
	return exitFailed
}

// printError prints an error and, where there is one, what to do about it.
func printError(stderr io.Writer, err error) {
	fmt.Fprintf(stderr, "%s %v\n", paint(stderr, red, "error:"), err)
	var hinted interface{ Hint() string }
	if errors.As(err, &hinted) && hinted.Hint() != "" {
		fmt.Fprintf(stderr, "hint: %s\n", hinted.Hint())
	}
}

// hinted is an error about which the user can do something.
type hinted struct {
	error
	hint string
}

// Hint says what to do.
func (h hinted) Hint() string  { return h.hint }
func (h hinted) Unwrap() error { return h.error }

const rootHelp = `builder turns a folder of articles into a published folder: the whole API as static
files, for any host. The articles are Markdown with front matter, as Hugo, Jekyll,
Zola, Eleventy and Astro have them, or a plain folder.

Only what is published at the time of the build gets into the published folder: no
draft, no article of the future, and none that has expired is in any byte of it. The
same content gives the same bytes, and a build that changes nothing writes nothing.

Environment: NEWSSTAND_CONTENT, NEWSSTAND_PUBLIC, NEWSSTAND_BASE_URL and NEWSSTAND_CACHE
take the place of the flags --content, --public, --base-url and --cache that are not
given. The address of the site may also stand in site.yaml in the content folder; flag and
environment go first. builder config shows what holds, and who said it.
NO_COLOR turns colours off, which are for terminals only.

Exit codes:
  0    done; for watch: ended by SIGINT or SIGTERM
  1    failed, or done in part: of build, articles have errors and the rest is
       published; of check, the folder has faults; of verify, checks failed. The error
       says what
  2    wrong usage
  3    of next: no article will appear or expire
  130  stopped by SIGINT or SIGTERM before it was done; a build that is stopped leaves
       the published folder as it was`

func newRootCommand() *cobra.Command {
	root := &cobra.Command{
		Use:               "builder",
		Short:             "Publish a folder of articles",
		Long:              rootHelp,
		Version:           commandline.Version(),
		SilenceErrors:     true,
		SilenceUsage:      true,
		Args:              commandline.NoArguments,
		PersistentPreRunE: readEnvironment,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return commandline.Wrong(cmd, "no command is given")
		},
	}
	root.SetFlagErrorFunc(commandline.WrongFlag)
	root.AddCommand(newBuildCommand(), newWatchCommand(), newListCommand(), newNextCommand(), newCheckCommand(), newVerifyCommand(), newNewCommand(), newConfigCommand())
	commandline.Complete(root)
	return root
}

// readEnvironment sets the flags that are not given and have a variable.
func readEnvironment(cmd *cobra.Command, _ []string) error {
	for _, name := range []string{"content", "public", "base-url", "cache"} {
		f := cmd.Flags().Lookup(name)
		set := os.Getenv(variable(name))
		if f == nil || f.Changed && f.Value.String() != "" || set == "" {
			continue
		}
		if err := f.Value.Set(set); err != nil {
			return err
		}
		f.Changed = false // it is the variable that says so
	}
	return nil
}

// variable is the one that takes the place of a flag.
func variable(flag string) string {
	return "NEWSSTAND_" + strings.ToUpper(strings.ReplaceAll(flag, "-", "_"))
}
