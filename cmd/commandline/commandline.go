// Package commandline is what the three programs have in common at the command line:
// what counts as wrong usage, what was probably meant, how they name their version, and
// how much memory they take.
//
// [Root] and [Run] are what they do with it: Run prints errors and ends with their exit code.
// Wrong usage is an error of [Wrong], whoever finds it; the programs exit with code 2 for it.
// Its hint names the command or flag that is nearest to what was written, or the help.
package commandline

import (
	"cmp"
	"errors"
	"fmt"
	"net"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"newsstand/builder/hinted"
)

// usageError is an error in the command line.
type usageError struct{ error }

// wrong makes a usageError. Its hint says where the right usage is described, or what was meant.
func wrong(err error, hint string) error { return hinted.Error(usageError{err}, hint) }

// Wrong makes an error of a command line that cmd does not understand.
func Wrong(cmd *cobra.Command, format string, args ...any) error {
	return wrong(fmt.Errorf(format, args...), "see "+cmd.CommandPath()+" --help")
}

// noArguments refuses arguments; one of a root command is a command that is not there.
func noArguments(cmd *cobra.Command, args []string) error {
	switch {
	case len(args) == 0:
		return nil
	case !cmd.HasSubCommands():
		return Wrong(cmd, "unexpected argument %q", args[0])
	}
	if near := nearest(cmd, args[0]); near != "" {
		return wrong(fmt.Errorf("unknown command %q", args[0]), "did you mean "+near+"?")
	}
	return Wrong(cmd, "unknown command %q", args[0])
}

// OneArgument wants exactly one argument: missing is the error without one, more the format of the
// error about a second.
func OneArgument(missing, more string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		switch len(args) {
		case 0:
			return Wrong(cmd, "%s", missing)
		case 1:
			return nil
		}
		return Wrong(cmd, more, args[1])
	}
}

// WrongFlag explains an error that the flags' parser found; it is for SetFlagErrorFunc.
func WrongFlag(cmd *cobra.Command, err error) error {
	var invalid *pflag.InvalidValueError
	if errors.As(err, &invalid) {
		return invalidValue(cmd, invalid)
	}
	var unknown *pflag.NotExistError
	if !errors.As(err, &unknown) {
		return Wrong(cmd, "%w", err)
	}
	if cmd.HasSubCommands() { // the flag may be right, and the command before it mistyped
		if err := noArguments(cmd, cmd.Flags().Args()); err != nil {
			return err
		}
	}
	if name, _, _ := strings.Cut(unknown.GetSpecifiedShortnames(), "="); cmd.Flags().Lookup(name) != nil { // with one dash
		return wrong(err, "did you mean --"+name+"?")
	}
	// Cobra knows what is near to the name of a command: lend it the flags.
	flags := &cobra.Command{Use: cmd.Name()}
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		flags.AddCommand(&cobra.Command{Use: f.Name, Run: func(*cobra.Command, []string) {}})
	})
	if near := nearest(flags, unknown.GetSpecifiedName()); near != "" {
		return wrong(err, "did you mean --"+near+"?")
	}
	return Wrong(cmd, "%w", err)
}

// invalidValue says what a flag takes. The parser of its type would say it in terms of Go.
func invalidValue(cmd *cobra.Command, err *pflag.InvalidValueError) error {
	takes := map[string]string{"bool": "true or false", "int": "a whole number", "duration": "a time with its unit, such as 500ms, 30s or 5m",
		"time": "an instant in RFC 3339, such as 2027-01-01T00:00:00Z"}
	f := err.GetFlag()
	if c, ok := f.Value.(choice); ok {
		takes[c.Type()] = c.either()
	}
	if what, ok := takes[f.Value.Type()]; ok {
		return Wrong(cmd, "--%s must be %s, got %q", f.Name, what, err.GetValue())
	}
	return Wrong(cmd, "%w", err)
}

// nearest returns the name nearest to name among the commands below cmd; empty if none is near.
func nearest(cmd *cobra.Command, name string) string {
	cmd.SuggestionsMinimumDistance = 2
	if near := cmd.SuggestionsFor(name); len(near) > 0 {
		return near[0]
	}
	return ""
}

// OneOf declares a flag that takes one of some values, in upper or lower case; its usage ends with
// them.
func OneOf(f *pflag.FlagSet, to *string, name, value, usage string, of ...string) {
	*to = value
	c := choice{to, of}
	f.Var(c, name, usage+": "+c.either())
}

// choice is the value of such a flag.
type choice struct {
	to *string
	of []string
}

func (c choice) either() string {
	last := len(c.of) - 1
	return strings.Join(c.of[:last], ", ") + " or " + c.of[last]
}

// String implements pflag.Value, as all that follow.
func (c choice) String() string { return *c.to }
func (c choice) Type() string   { return "string" }
func (c choice) Set(s string) error {
	if *c.to = strings.ToLower(s); !slices.Contains(c.of, *c.to) {
		return errors.New("it is none of them") // invalidValue names them
	}
	return nil
}

// Positive refuses a duration that is not positive; such is an example of one that is.
func Positive(cmd *cobra.Command, flag string, value time.Duration, such string) error {
	if value > 0 {
		return nil
	}
	return Wrong(cmd, "--%s must be greater than 0, such as %s, got %v", flag, such, value)
}

// Listenable refuses a value of a flag at which no program could listen.
func Listenable(flag, address string) error {
	_, port, err := net.SplitHostPort(address)
	if err == nil {
		_, err = net.LookupPort("tcp", port)
	}
	if err == nil {
		return nil
	}
	return wrong(fmt.Errorf("--%s must be host:port, got %q", flag, address),
		"write it as localhost:8080, [::1]:8080, or :8080 for all interfaces; a port is at most 65535, and 0 is any free one")
}

// Root adds to the root command of a program, which has its subcommands already, what all programs
// have.
func Root(root *cobra.Command) *cobra.Command {
	root.Version = Version()
	root.SilenceErrors, root.SilenceUsage = true, true // Run prints errors
	if root.RunE == nil {
		root.RunE = func(cmd *cobra.Command, _ []string) error { return Wrong(cmd, "no command is given") }
	}
	root.SetFlagErrorFunc(WrongFlag)
	for _, cmd := range append(root.Commands(), root) {
		if cmd.Args == nil {
			cmd.Args = noArguments
		}
		complete(cmd)
	}
	return root
}

// complete lets shells complete the values of flags of a command: folders and files
// by their kind, and those of OneOf.
func complete(cmd *cobra.Command) {
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		kind, _ := pflag.UnquoteUsage(f)
		c, isChoice := f.Value.(choice)
		var err error
		switch {
		case kind == "folder":
			err = cmd.MarkFlagDirname(f.Name)
		case kind == "file":
			err = cmd.MarkFlagFilename(f.Name)
		case isChoice:
			err = cmd.RegisterFlagCompletionFunc(f.Name, cobra.FixedCompletions(c.of, cobra.ShellCompDirectiveNoFileComp))
		default:
			err = cmd.RegisterFlagCompletionFunc(f.Name, cobra.NoFileCompletions)
		}
		if err != nil { // a flag that is declared twice
			panic(err)
		}
	})
}

// Version is that of the module, and the commit where the build knows it.
func Version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "(unknown)"
	}
	set := map[string]string{}
	for _, s := range info.Settings {
		set[s.Key] = s.Value
	}
	version := cmp.Or(info.Main.Version, "(unknown)")
	if revision := set["vcs.revision"]; revision != "" {
		version += ", revision " + revision
		if set["vcs.modified"] == "true" {
			version += " with changes"
		}
	}
	return version + ", " + info.GoVersion
}
