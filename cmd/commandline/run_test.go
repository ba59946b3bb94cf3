package commandline_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"syscall"
	"testing"

	"github.com/spf13/cobra"

	"newsstand/builder/hinted"
	"newsstand/cmd/commandline"
)

// A program says what is wrong and what to do, and its exit code says whose fault it is.
func TestRun(t *testing.T) {
	root := func(err error) *cobra.Command {
		root := commandline.Root(&cobra.Command{Use: "walk"})
		root.RunE = func(cmd *cobra.Command, _ []string) error {
			fmt.Fprintln(cmd.OutOrStdout(), "walking")
			return err
		}
		return root
	}
	lost := hinted.Error(errors.New("lost"), "ask somebody")
	for _, c := range []struct {
		args           []string
		err            error
		code           int
		stdout, stderr string
	}{
		{nil, nil, commandline.Done, "walking\n", ""},
		{[]string{"home"}, nil, commandline.Usage, "", "error: unexpected argument \"home\"\nhint: see walk --help\n"},
		{nil, fmt.Errorf("walk: %w", lost), 7, "walking\n", "error: walk: lost\nhint: ask somebody\n"},
		{nil, errors.New("tired"), commandline.Failed, "walking\n", "error: tired\n"},
	} {
		var stdout, stderr bytes.Buffer
		code := commandline.Run(root(c.err), c.args, &stdout, &stderr, func(err error, stopped bool) int {
			if stopped {
				t.Error("nobody stopped it")
			}
			if errors.Is(err, lost) {
				return 7
			}
			return commandline.Failed
		})
		if code != c.code || stdout.String() != c.stdout || stderr.String() != c.stderr {
			t.Errorf("walk %q, %v: %d, %q, %q", c.args, c.err, code, &stdout, &stderr)
		}
	}
}

// Who stopped a program is told what did, however it ended for that.
func TestRunIsStopped(t *testing.T) {
	self, err := os.FindProcess(os.Getpid())
	if err != nil {
		t.Fatal(err)
	}
	again := func() { // as a shell and the kernel do together; it ends in order
		for range 5_000 {
			if err := self.Signal(syscall.SIGTERM); err != nil {
				t.Error(err)
			}
		}
	}
	root := commandline.Root(&cobra.Command{Use: "walk"})
	root.RunE = func(cmd *cobra.Command, _ []string) error {
		if err := self.Signal(os.Interrupt); err != nil {
			t.Skip(err)
		}
		<-cmd.Context().Done()
		again()
		return fmt.Errorf("walk: %w", cmd.Context().Err())
	}
	var stderr bytes.Buffer
	code := commandline.Run(root, nil, &bytes.Buffer{}, &stderr, func(err error, stopped bool) int {
		if !stopped || !errors.Is(err, context.Canceled) {
			t.Errorf("stopped is %v, with %v", stopped, err)
		}
		return 7
	})
	again()
	if want := "error: stopped: interrupt signal received\n"; code != 7 || stderr.String() != want {
		t.Errorf("%d, %q, want %q", code, &stderr, want)
	}
}

func TestPaint(t *testing.T) {
	terminal, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0) // a character device, as a terminal is
	if err != nil {
		t.Fatal(err)
	}
	defer terminal.Close()
	t.Setenv("NO_COLOR", "")
	t.Setenv("TERM", "xterm")
	if got := commandline.Paint(terminal, commandline.Red, "error:"); got != "\x1b[1;31merror:\x1b[0m" {
		t.Errorf("on a terminal: %q", got)
	}
	if got := commandline.Paint(&bytes.Buffer{}, commandline.Red, "error:"); got != "error:" {
		t.Errorf("into a pipe: %q", got)
	}
	t.Setenv("NO_COLOR", "1")
	if got := commandline.Paint(terminal, commandline.Red, "error:"); got != "error:" {
		t.Errorf("with NO_COLOR: %q", got)
	}
	t.Setenv("NO_COLOR", "")
	t.Setenv("TERM", "dumb")
	if got := commandline.Paint(terminal, commandline.Red, "error:"); got != "error:" {
		t.Errorf("on a dumb terminal: %q", got)
	}
}
