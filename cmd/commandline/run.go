package commandline

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"newsstand/builder/hinted"
)

// The exit codes that all programs have.
const (
	Done   = 0
	Failed = 1
	Usage  = 2
)

// Run runs a program and returns its exit code. SIGINT, SIGTERM and, if its terminal is closed,
// SIGHUP end its context; a second one, a second later or more, ends the process at once. An error
// is printed with its hint. The exit code of wrong usage is [Usage]; that of any other error is
// what code makes of it, and of whether a signal stopped the program.
func Run(root *cobra.Command, args []string, stdout, stderr io.Writer, code func(err error, stopped bool) int) int {
	signals := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) { // as by nohup
		signals = append(signals, syscall.SIGHUP)
	}
	ctx, stop := signal.NotifyContext(context.Background(), signals...)
	// Some send one signal twice: a shell whose terminal is closed does after the kernel has, and
	// timeout(1) and supervisors send it to the process and to its group. The second may come when
	// all is done, and must not change how the process ends.
	context.AfterFunc(ctx, func() { time.AfterFunc(time.Second, stop) })
	defer func() {
		if ctx.Err() == nil {
			stop()
		}
	}()

	refuseUnknownHelp(root, args)
	root.SetArgs(args)
	root.SetOut(stdout)
	root.SetErr(stderr)
	err := root.ExecuteContext(ctx)
	if err == nil {
		return Done
	}
	if cause := context.Cause(ctx); cause != nil && errors.Is(err, context.Canceled) && !errors.Is(err, cause) {
		PrintError(stderr, fmt.Errorf("stopped: %w", cause)) // it names the signal
	} else {
		PrintError(stderr, err)
	}
	if errors.As(err, new(usageError)) {
		return Usage
	}
	return code(err, ctx.Err() != nil)
}

// refuseUnknownHelp makes help and completion refuse commands that do not exist. Cobra would show
// other help instead, as if all were well.
func refuseUnknownHelp(root *cobra.Command, args []string) {
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd(args...)
	for _, cmd := range root.Commands() {
		switch cmd.Name() {
		case "help":
			cmd.Args = func(_ *cobra.Command, of []string) error {
				if found, left, err := root.Find(of); err != nil || found == root {
					return noArguments(root, left)
				}
				return nil
			}
		case "completion":
			cmd.Args = noArguments
			cmd.RunE = func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
		}
	}
}

// PrintError prints an error and, where there is one, its hint.
func PrintError(stderr io.Writer, err error) {
	fmt.Fprintf(stderr, "%s %s\n", Paint(stderr, Red, "error:"), Plain(err.Error()))
	if hint := hinted.Hint(err); hint != "" {
		fmt.Fprintf(stderr, "hint: %s\n", Plain(hint))
	}
}

// The colours, as the parameters of SGR (ECMA-48, 8.3.117).
const (
	Red    = "1;31"
	Yellow = "1;33"
)

// Paint colours a text for a terminal, unless the user wants none (no-color.org).
func Paint(w io.Writer, colour, text string) string {
	if os.Getenv("NO_COLOR") != "" || !isTerminal(w) {
		return text
	}
	return "\x1b[" + colour + "m" + text + "\x1b[0m"
}
