package commandline

import (
	"os"
	"strings"

	"github.com/spf13/cobra"
)

// ReadEnvironment sets the flags that are not given, or are empty, and have a variable; it is for
// PersistentPreRunE. It refuses an empty flag that nothing sets if it is not empty by default: the
// names of folders.
func ReadEnvironment(cmd *cobra.Command, _ []string) error {
	for _, name := range []string{"content", "public", "base-url", "cache"} {
		f := cmd.Flags().Lookup(name)
		set := os.Getenv(Variable(name))
		switch {
		case f == nil || f.Changed && f.Value.String() != "":
			continue
		case set == "" && f.Changed && f.DefValue != "":
			return Wrong(cmd, `--%s must be the name of a folder, got ""`, name)
		case set == "":
			continue
		}
		if err := f.Value.Set(set); err != nil {
			return err
		}
		f.Changed = false // it is the variable that says so
	}
	return nil
}

// Variable is the one that takes the place of a flag.
func Variable(flag string) string {
	return "NEWSSTAND_" + strings.ToUpper(strings.ReplaceAll(flag, "-", "_"))
}
