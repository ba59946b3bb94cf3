package main

import (
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"newsstand/builder"
	"newsstand/builder/hinted"
	"newsstand/builder/source"
	"newsstand/builder/verify"
	"newsstand/cmd/commandline"
)

type verifyOptions struct {
	source, content, ca, format string
	all, quiet                  bool
	wait, timeout, timeLimit    time.Duration
}

const verifyHelp = `Verify that a deployment answers as the contract says, whatever host it runs on: health
and OpenAPI (valid, its examples executed), articles equal by digest, missing, unknown and
odd ids, the search with all its limits and errors, CORS on every status, cache headers
and 304, traversal, TLS. For a pipeline, after a deploy; nothing is changed by it.

URL is the address of the site, with the path that it lies under if there is one. Only
that host is asked; a redirect is not followed.
What was published is read from --source, the folder that was deployed, and otherwise
from the corpus that the host serves. With --content, the ids of drafts, scheduled and
expired articles there must be nowhere.

Each check is a line on stdout: what was expected, what was seen, and for a failed one
how to fix it. With one or more failed the exit code is 1. The figures of
speed at the end are never a failure.

--format json prints one object with the keys address, revision, requests, checks
(group, name, result: passed, failed or skipped, want, got, hint, seconds) and speed
(name, requests, median_ms, p95_ms, max_ms). --format junit prints JUnit XML.

Exit codes: 0 all checks passed or had nothing to check, 1 one or more failed, 2 wrong
usage, 130 stopped.`

const verifyExample = `  builder verify https://example.org
  builder verify https://example.org --source public --content content --all
  builder verify https://example.org/news
  builder verify https://example.org --format junit > verify.xml

  # a server with a certificate of your own authority
  builder verify https://staging.example.org --ca-file ca.pem`

func newVerifyCommand() *cobra.Command {
	var o verifyOptions
	cmd := &cobra.Command{
		Use:     "verify URL",
		Short:   "Verify that a deployment answers as the contract says",
		Long:    verifyHelp,
		Example: verifyExample,
		Args:    commandline.OneArgument("no address is given", "unexpected argument %q"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := commandline.Positive(cmd, "timeout", o.timeout, "30s"); err != nil {
				return err
			}
			if err := commandline.Positive(cmd, "time-limit", o.timeLimit, "1h"); err != nil {
				return err
			}
			if o.wait < 0 {
				return commandline.Wrong(cmd, "--wait must not be negative, got %v", o.wait)
			}
			return runVerify(cmd.Context(), args[0], o, cmd.OutOrStdout())
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.source, "source", "", "published `folder` that was deployed; default: the host's own corpus")
	f.StringVar(&o.content, "content", "", "`folder` of the articles: what is not published there must be nowhere")
	f.BoolVar(&o.all, "all", false, "fetch every article and document, not a sample of 50")
	f.DurationVar(&o.wait, "wait", 30*time.Second, "how long searchd may be behind what is published")
	f.DurationVar(&o.timeout, "timeout", 30*time.Second, "how long one answer may take")
	f.DurationVar(&o.timeLimit, "time-limit", time.Hour, "how long all of it may take")
	f.StringVar(&o.ca, "ca-file", "", "PEM `file` of the authorities that certificates are checked with; default: the system's")
	commandline.OneOf(f, &o.format, "format", "text", "`format` of the result", "text", "json", "junit")
	f.BoolVar(&o.quiet, "quiet", false, "print failed checks only")
	return cmd
}

func runVerify(ctx context.Context, address string, o verifyOptions, stdout io.Writer) error {
	options := verify.Options{All: o.all, Wait: o.wait, Patience: o.timeout}
	if o.source != "" {
		root, err := os.OpenRoot(o.source)
		if err != nil {
			return hinted.Error(fmt.Errorf("open the published folder: %w", err), "name the folder that was deployed with --source, or leave it out")
		}
		defer root.Close()
		options.Source = root.FS()
	}
	var err error
	if options.Unpublished, err = unpublished(ctx, o.content); err != nil {
		return err
	}
	if options.Roots, err = authorities(o.ca); err != nil {
		return err
	}
	if o.format == "text" {
		options.Each = func(c verify.Check) { printCheck(stdout, c, o.quiet) }
	}
	ctx, cancel := context.WithTimeout(ctx, o.timeLimit)
	defer cancel()
	report, err := verify.Deployment(ctx, address, options)
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return hinted.Error(fmt.Errorf("%w: it took longer than %v", err, o.timeLimit), "look at why the host is slow, or give a longer --time-limit")
	case errors.Is(err, fs.ErrNotExist):
		return hinted.Error(err, "name the folder that was deployed with --source, or leave it out")
	case err != nil:
		return err
	}
	switch o.format {
	case "json":
		err = commandline.WriteJSON(stdout, report)
	case "junit":
		err = report.WriteJUnit(stdout)
	default:
		err = printVerdict(stdout, report, o.quiet)
	}
	if err != nil {
		return fmt.Errorf("print the result: %w", err)
	}
	if n := report.Count(verify.Failed); n > 0 {
		return hinted.Error(fmt.Errorf("%s fails %s of %d", report.Address, count(n, "check"), len(report.Checks)),
			"fix the first one first; others may follow from it")
	}
	return nil
}

// unpublished lists the ids of what must not be seen; none where no folder is given.
func unpublished(ctx context.Context, content string) ([]string, error) {
	if content == "" {
		return nil, nil
	}
	folder, err := builder.Scan(ctx, content, source.Options{})
	if err != nil {
		return nil, err
	}
	// A draft and a published article may have one id: then it is published.
	published := map[string]bool{}
	for _, f := range folder.Files {
		published[f.ID] = published[f.ID] || f.Status == source.Published
	}
	var ids []string
	for _, f := range folder.Files {
		if (f.Status == source.Draft || f.Status == source.Future || f.Status == source.Expired) && f.ID != "" && !published[f.ID] {
			ids = append(ids, f.ID)
		}
	}
	return ids, nil
}

// authorities reads certificates; nil stands for those of the system.
func authorities(path string) (*x509.CertPool, error) {
	if path == "" {
		return nil, nil
	}
	const hint = "--ca-file wants a file in PEM, which begins with -----BEGIN CERTIFICATE-----"
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, hinted.Error(fmt.Errorf("read certificates: %w", err), hint)
	}
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(data) {
		return nil, hinted.Error(fmt.Errorf("%s holds no certificate", path), hint)
	}
	return pool, nil
}

// printCheck prints one line. What came from the host is quoted where a terminal could
// take it for a command.
func printCheck(w io.Writer, c verify.Check, quiet bool) {
	place := c.Group + ": " + c.Name
	switch {
	case c.Result == verify.Failed:
		fmt.Fprintf(w, "%s %s: expected %s; seen %s; hint: %s\n",
			commandline.Paint(w, commandline.Red, "FAIL"), commandline.PlainLine(place), commandline.PlainLine(c.Want), commandline.PlainLine(c.Got), commandline.PlainLine(c.Hint))
	case quiet:
	case c.Result == verify.Skipped:
		fmt.Fprintf(w, "%s %s: %s\n", commandline.Paint(w, commandline.Yellow, "skip"), commandline.PlainLine(place), commandline.PlainLine(c.Got))
	default:
		fmt.Fprintf(w, "ok   %s: expected %s; seen %s\n", commandline.PlainLine(place), commandline.PlainLine(c.Want), commandline.PlainLine(c.Got))
	}
}

// printVerdict ends the list of checks.
func printVerdict(w io.Writer, r verify.Report, quiet bool) error {
	if quiet {
		return nil
	}
	var b strings.Builder
	for _, s := range r.Speed {
		fmt.Fprintf(&b, "time %s: median %.1f ms, 95 of 100 within %.1f ms, longest %.1f ms, of %s\n", s.Name, s.Median, s.P95, s.Max, count(s.Requests, "request"))
	}
	fmt.Fprintf(&b, "%d passed, %d failed, %d skipped, with %s\n",
		r.Count(verify.Passed), r.Count(verify.Failed), r.Count(verify.Skipped), count(r.Requests, "request"))
	_, err := io.WriteString(w, b.String())
	return err
}
