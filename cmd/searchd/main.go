// Command searchd answers the search of a published site: GET /api/articles?q=.
// `searchd --help` is its manual.
package main

import (
	"errors"
	"io"
	"os"

	"github.com/spf13/cobra"

	"newsstand/cmd/commandline"
	"newsstand/searchd"
)

func main() {
	os.Exit(run(os.Args[1:], os.Stdout, os.Stderr))
}

// run is the whole program.
func run(args []string, stdout, stderr io.Writer) int {
	return commandline.Run(newRootCommand(), args, stdout, stderr, func(err error, _ bool) int {
		if errors.Is(err, searchd.ErrOptions) {
			return commandline.Usage
		}
		return commandline.Failed
	})
}

const rootHelp = `searchd answers the search of a published site.

It reads the folder that the builder publishes, or the same from the site's own address,
keeps an index of the articles, and answers GET /api/articles?q=. It follows them:
a new build is taken up by itself, whole, with no failed or mixed answer. It never
sees drafts, writes nothing but its data folder, and logs no query and no address
of a caller.

Exit codes:
  0  done; for serve: stopped by SIGTERM, SIGINT or SIGHUP, every request answered
  1  failed; the error says what, and the hint how to fix it
  2  wrong usage`

func newRootCommand() *cobra.Command {
	root := &cobra.Command{
		Use:   "searchd",
		Short: "Answer the search of a published site",
		Long:  rootHelp,
	}
	root.AddCommand(newServeCommand(), newQueryCommand(), newCheckCommand())
	return commandline.Root(root)
}
