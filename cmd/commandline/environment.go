package commandline

import (
	"os"
	"strings"

	"github.com/spf13/cobra"
)

// ReadEnvironment sets the flags that are not given and have a variable; it is for
// PersistentPreRunE.
func ReadEnvironment(cmd *cobra.Command, _ []string) error {
	for _, name := range []string{"content", "public", "base-url", "cache"} {
		f := cmd.Flags().Lookup(name)
		set := os.Getenv(Variable(name))
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

// Variable is the one that takes the place of a flag.
func Variable(flag string) string {
	return "NEWSSTAND_" + strings.ToUpper(strings.ReplaceAll(flag, "-", "_"))
}
