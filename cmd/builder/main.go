// Command builder turns a folder of articles into a published folder that any static
// host can serve. `builder --help` is its manual.
package main

import (
	"errors"
	"io"
	"os"
	_ "time/tzdata" // for dates, where a machine has no database of time zones

	"github.com/spf13/cobra"

	"newsstand/builder/source"
	"newsstand/builder/verify"
	"newsstand/cmd/commandline"
)

func main() {
	os.Exit(run(os.Args[1:], os.Stdout, os.Stderr))
}

// Exit codes besides those of all programs; the manual lists them.
const (
	exitNone        = 3
	exitInterrupted = 130 // what shells report of a program that SIGINT ended
)

// run is the whole program.
func run(args []string, stdout, stderr io.Writer) int {
	return commandline.Run(newRootCommand(), args, stdout, stderr, func(err error, stopped bool) int {
		switch {
		case errors.As(err, new(source.AddressError)), errors.As(err, new(verify.AddressError)):
			return commandline.Usage
		case errors.As(err, new(noneError)):
			return exitNone
		case stopped:
			return exitInterrupted
		}
		return commandline.Failed
	})
}

const rootHelp = `builder turns a folder of articles into a published folder: the whole API as static
files, for any host. The articles are Markdown with front matter, as Hugo, Jekyll,
Zola, Eleventy and Astro have them, or a plain folder.

Only what is published at the time of the build gets into the published folder: no byte
of it is from a draft, from an article that is not yet due, or from one that has expired.
The same content gives the same bytes, and a build that changes nothing writes nothing.

Environment: NEWSSTAND_CONTENT, NEWSSTAND_PUBLIC, NEWSSTAND_BASE_URL and NEWSSTAND_CACHE
take the place of the flags --content, --public, --base-url and --cache that are not
given. site.yaml in the content folder may also give the address of the site; the flag and
the variable override it. builder config shows the settings, and where each comes from.
NO_COLOR turns colours off, which are for terminals only.

Exit codes:
  0    done; for watch: ended by SIGINT, SIGTERM or SIGHUP
  1    failed, or done in part: of build, articles have errors and the rest is
       published; of check, the folder has faults; of verify, checks failed. The error
       says what
  2    wrong usage
  3    of next: no article will appear or expire
  130  stopped by SIGINT, SIGTERM or SIGHUP before it was done; a build that is stopped leaves
       the published folder as it was`

func newRootCommand() *cobra.Command {
	root := &cobra.Command{
		Use:               "builder",
		Short:             "Publish a folder of articles",
		Long:              rootHelp,
		PersistentPreRunE: commandline.ReadEnvironment,
	}
	root.AddCommand(
		newBuildCommand(),
		newWatchCommand(),
		newListCommand(),
		newNextCommand(),
		newCheckCommand(),
		newVerifyCommand(),
		newNewCommand(),
		newConfigCommand(),
	)
	return commandline.Root(root)
}
