package main

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"os"
	"os/signal"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/coreos/go-systemd/v22/activation"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"newsstand/builder/hinted"
	"newsstand/cmd/commandline"
	"newsstand/searchd"
)

type serveOptions struct {
	searchd.ServeOptions
	logFormat, logLevel string
	secretFile          string
}

const serveHelp = `Answer GET /api/articles from what --source publishes, and follow it.

--source is the published folder, or the address of the site (https://example.org). From
an address, searchd fetches the corpus that the builder publishes with the site: it asks
for the manifest every --poll, more or less, and for the files that changed. Each is
checked by its digest and kept in --data, so that a restart needs no network. While the
site fails, or sends what is broken or older, the revision before stays in service: the
log says what to do, and searchd_reload_failures_total counts why. http is followed on
this machine alone, or with --allow-http; a redirect to another host is not.

Listens first, then loads. Until the first whole revision is loaded, searches are
answered with 503 and /readyz says so. When the source cannot be read at the start,
searchd serves the revision in its data folder and says so in the log; without
one it fails, or waits for the source with --wait. Later, a publication that cannot be
taken up leaves the one before it in service: see the log and searchd_last_reload_successful.

Where systemd passes a socket (searchd.socket), that takes the place of --listen: callers
wait while searchd is restarted, and none is refused.

--data keeps the index, for this process alone. A restart with the same source
answers from it at once and reads no article. What is damaged there, or left over
from a process that was killed, is removed and built anew.

--admin is for the operator and must not be public: /livez, /readyz, /metrics
(Prometheus), /debug/pprof and /log-level (PUT debug, info, warn or error changes it
while it runs). --admin "" turns it off.

--netlify-secret-file makes --listen answer only what Netlify's CDN has signed
(x-nf-sign) with the secret in the file; everything else is 401. While the secret
changes, the file holds both, one a line. SEARCHD_NETLIFY_SECRET may hold the text
of the file instead. Without either, everything is answered; the log says so at the start.

SIGTERM, SIGINT and SIGHUP stop it: no new connections, every request in flight is
answered (within --drain), exit code 0. A second signal, a second later or more, ends it at once.`

const serveExample = `  # on one machine, for a look
  searchd serve --source public

  # as a service, behind a CDN or proxy
  searchd serve --source /srv/site/public --data /var/lib/searchd --listen :8081 --log-format json

  # anywhere, any number of them: from the site itself
  searchd serve --source https://example.org --data /var/lib/searchd --listen :8081 --wait

  # reached by Netlify's CDN alone
  searchd serve --source https://example.org --data /var/lib/searchd --listen :8081 --netlify-secret-file /etc/searchd/secret

  # started together with the first build
  searchd serve --source public --data .searchd --wait`

func newServeCommand() *cobra.Command {
	var o serveOptions
	cmd := &cobra.Command{
		Use:     "serve --source DIR|URL",
		Short:   "Answer searches over HTTP and follow what is published",
		Long:    serveHelp,
		Example: serveExample,
		RunE: func(cmd *cobra.Command, _ []string) error {
			o.Level = new(slog.LevelVar)
			if err := o.check(cmd); err != nil {
				return err
			}
			return runServe(cmd.Context(), o, cmd.ErrOrStderr())
		},
	}
	f := cmd.Flags()
	sourceFlags(f, &o.Options)
	f.StringVar(&o.Data, "data", "", "`folder` for the index, of this process alone; without it a temporary one, built anew at each start")
	f.StringVar(&o.Listen, "listen", "localhost:8081", "`address` to answer searches at")
	f.StringVar(&o.Admin, "admin", "localhost:8082", "`address` for the operator; \"\" for none")
	f.DurationVar(&o.Poll, "poll", 0,
		"`time` between two looks at an address (default 30s), or at a folder where the file system reports no changes (default 2s)")
	f.BoolVar(&o.Wait, "wait", false, "wait for a source that is not there yet, instead of failing")
	f.DurationVar(&o.TimeLimit, "time-limit", 500*time.Millisecond, "longest `time` for one search, its wait included; then 503")
	f.IntVar(&o.Concurrency, "concurrency", 0, "`number` of searches that run at once; 0: one for each processor")
	f.IntVar(&o.Queue, "queue", 0, "`number` of searches that wait; more are answered 503 at once; 0: 32 for each that runs")
	f.IntVar(&o.Connections, "connections", 0,
		"`number` of connections; for more, those that have waited longest for a request are closed; 0: 10000, or three quarters of the open files that are allowed")
	f.DurationVar(&o.Drain, "drain", 10*time.Second, "longest `time` for requests in flight when stopping")
	f.StringVar(&o.secretFile, "netlify-secret-file", "", "`file` with the secret that Netlify signs requests with; others are refused")
	commandline.OneOf(f, &o.logFormat, "log-format", "text", "`format` of the log on stderr", "text", "json")
	commandline.OneOf(f, &o.logLevel, "log-level", "info", "least `level` that is logged", "debug", "info", "warn", "error")
	return cmd
}

const noSource = "--source is required: the folder that the builder published, or the address of the site"

// sourceFlags are those of every command that reads a publication.
func sourceFlags(f *pflag.FlagSet, o *searchd.Options) {
	f.StringVar(&o.Source, "source", "", "published `folder`, or the address of the site that has it (required)")
	f.BoolVar(&o.AllowHTTP, "allow-http", false, "let --source be an http address of another machine: anyone on the way can change what is found")
}

// check refuses options that no daemon could have, and sets the level of the log.
func (o serveOptions) check(cmd *cobra.Command) error {
	if err := commandline.Listenable("listen", o.Listen); err != nil {
		return err
	}
	if o.Admin != "" {
		if err := commandline.Listenable("admin", o.Admin); err != nil {
			return err
		}
	}
	if o.Admin == o.Listen && !strings.HasSuffix(o.Admin, ":0") { // of which the system makes two
		return commandline.Wrong(cmd, "--listen and --admin are both %s: the operator's side needs an address of its own", o.Admin)
	}
	if cmd.Flags().Changed("poll") {
		if err := commandline.Positive(cmd, "poll", o.Poll, "30s"); err != nil {
			return err
		}
	}
	if o.Source == "" {
		return commandline.Wrong(cmd, noSource)
	}
	if err := commandline.Positive(cmd, "time-limit", o.TimeLimit, "500ms"); err != nil {
		return err
	}
	if err := commandline.Positive(cmd, "drain", o.Drain, "10s"); err != nil {
		return err
	}
	if o.secretFile == "" && cmd.Flags().Changed("netlify-secret-file") { // of a variable that is not set, perhaps: no wish to answer everybody
		return commandline.Wrong(cmd, "--netlify-secret-file names no file")
	}
	if o.Concurrency < 0 || o.Queue < 0 || o.Connections < 0 {
		return commandline.Wrong(cmd, "--concurrency, --queue and --connections must not be negative")
	}
	return o.Level.UnmarshalText([]byte(o.logLevel))
}

func runServe(ctx context.Context, o serveOptions, stderr io.Writer) error {
	signal.Ignore(syscall.SIGPIPE) // searches go on where who read the log has ended
	log, lines := newLog(stderr, o.logFormat, o.Level)
	defer lines.flush()
	o.Log, o.LostLines = log, lines.lost.Load
	var err error
	if o.NetlifySecrets, err = readSecrets(ctx, o.secretFile); err != nil {
		return err
	}
	commandline.HoldMemory(heldMemory)
	o.Processors = spareProcessors()
	slog.SetDefault(o.Log) // the engine writes with package log: its lines become ours
	o.Log.Info("searchd starts", "version", commandline.Version())
	if o.Socket, err = passed(); err != nil {
		return err
	}
	if o.Socket != nil {
		o.Log.Info("the socket that systemd passes takes the place of --listen", "listen", o.Listen)
	}
	if err := searchd.Serve(ctx, o.ServeOptions); err != nil && !errors.Is(err, context.Canceled) {
		return err
	}
	return nil
}

// passed returns the socket that systemd passes to this process (sd_listen_fds(3)), nil where there
// is none.
func passed() (net.Listener, error) {
	sockets, err := activation.Listeners()
	if err != nil || len(sockets) == 0 {
		return nil, err
	}
	if len(sockets) > 1 || sockets[0] == nil || !slices.Contains([]string{"tcp", "unix"}, sockets[0].Addr().Network()) { // or unixgram
		return nil, hinted.Error(errors.New("systemd does not pass exactly one socket that takes connections"),
			"give searchd.socket one line ListenStream=, and no other that listens")
	}
	return sockets[0], nil
}

// heldMemory is the size of the heap, in bytes, below which nothing is collected: twice what
// searchd of a small site keeps and uses. In a crowd most of the heap is dropped at once, and each
// collection holds up searches and refusals for some 10 ms. With 48 MB there are three times as
// many collections, and one in a hundred callers waits a quarter longer; with 160 MB nobody waits
// less.
const heldMemory = 96 << 20

// spareProcessors returns the processors that there are, and tells Go of more than twice as many,
// unless GOMAXPROCS is given. On a processor of its own, Go lets a search run for milliseconds
// before anything else, and looks last at what came on connections. With more threads than
// processors, the system shares these out sooner. So a crowd hears within a millisecond that it
// comes too late, and those that are answered do not wait for it.
func spareProcessors() int {
	n := runtime.GOMAXPROCS(0)
	if os.Getenv("GOMAXPROCS") == "" {
		runtime.GOMAXPROCS(2*n + 2)
	}
	return n
}
