package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/signal"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/sync/errgroup"

	"newsstand/builder"
	"newsstand/builder/article"
	"newsstand/builder/edge"
	"newsstand/builder/publication"
	"newsstand/builder/source"
	"newsstand/cmd/commandline"
	"newsstand/searchd"
)

// drainTime is how long requests in flight may take after a signal: ten times what the
// slowest search is given.
const drainTime = 5 * time.Second

type options struct {
	content, public, config string
	listen, baseURL, data   string
}

// run is the whole program; it returns the exit code.
func run(args []string, stdout, stderr io.Writer) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // so that a second signal ends the process at once

	cmd := newCommand(stdout, stderr)
	cmd.SetArgs(args)
	cmd.SetOut(stdout)
	cmd.SetErr(stderr)
	err := cmd.ExecuteContext(ctx)
	if err == nil {
		return 0
	}
	printError(stderr, err)
	if errors.As(err, new(commandline.UsageError)) || errors.As(err, new(source.AddressError)) {
		return 2
	}
	return 1
}

// hinted is an error whose user can do something about it.
type hinted struct {
	error
	hint string
}

func (h hinted) Hint() string  { return h.hint }
func (h hinted) Unwrap() error { return h.error }

// printError prints an error and its hint.
func printError(w io.Writer, err error) {
	fmt.Fprintf(w, "error: %v\n", err)
	var h interface{ Hint() string }
	if errors.As(err, &h) {
		fmt.Fprintf(w, "hint: %s\n", h.Hint())
	}
}

func newCommand(stdout, stderr io.Writer) *cobra.Command {
	var o options
	cmd := &cobra.Command{
		Use:   "preview",
		Short: "Serve a folder of articles as the whole API, and follow edits",
		Long: `Preview builds --content into --public, serves the whole API from there as
netlify.toml says, searches in process, and follows every edit.

An article with a mistake changes nothing: the answers stay those of the last good
build, and the mistake is printed with its line and the way to mend it.

Exit codes: 0 ended by Ctrl-C or SIGTERM, 1 failed, 2 wrong usage.`,
		Example: `  preview                                    serve content/ at http://localhost:8080
  preview --content ../blog/_posts           serve the articles of a Jekyll site
  preview --listen localhost:0               take any free port, and print it
  preview --base-url https://example.org     build links as the deployed site has them`,
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          commandline.NoArguments,
		Version:       commandline.Version(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := commandline.Listenable(cmd, "listen", o.listen); err != nil {
				return err
			}
			return runPreview(cmd.Context(), o, stdout, stderr)
		},
	}
	cmd.SetFlagErrorFunc(commandline.WrongFlag)
	f := cmd.Flags()
	f.StringVar(&o.content, "content", "content", "folder of the articles")
	f.StringVar(&o.public, "public", "public", "folder to publish into")
	f.StringVar(&o.config, "config", "netlify.toml", "file with the rules of the edge; read once, at the start")
	f.StringVar(&o.listen, "listen", "localhost:8080", "address to serve at; port 0 takes any free one")
	f.StringVar(&o.baseURL, "base-url", "", "the site's address in links (default: the address served at)")
	f.StringVar(&o.data, "data", ".cache/preview", "folder for the search index; may be deleted at any time while nothing runs")
	return cmd
}

func runPreview(ctx context.Context, o options, stdout, stderr io.Writer) (err error) {
	rules, err := readRules(o.config)
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", o.listen)
	if err != nil {
		return listenError(err, o.listen)
	}
	defer listener.Close()
	address := "http://" + visitable(listener.Addr(), o.listen)
	if o.baseURL == "" {
		o.baseURL = address
	}
	if err := os.MkdirAll(o.public, 0o755); err != nil {
		return hinted{fmt.Errorf("make published folder: %w", err), "choose a folder that can be written with --public"}
	}
	live, err := searchd.Open(ctx, searchd.Options{
		Source: o.public, Data: o.data, Wait: true,
		Log: slog.New(slog.NewTextHandler(stderr, &slog.HandlerOptions{Level: slog.LevelWarn})),
	})
	if err != nil {
		return fmt.Errorf("open search: %w", err)
	}
	defer func() { err = errors.Join(err, live.Close()) }()

	// The parts below end together: when one fails, or a signal comes.
	parts, ctx := errgroup.WithContext(ctx)
	built := make(chan struct{}) // closed after the first build, good or not
	parts.Go(func() error {
		first := sync.OnceFunc(func() { close(built) })
		follow := sync.OnceFunc(func() { parts.Go(func() error { return live.Run(ctx) }) })
		err := builder.Watch(ctx, builder.Options{Content: o.content, Public: o.public, BaseURL: o.baseURL}, func(r builder.Report, err error) {
			printBuild(stderr, r, err)
			// Search what was published at once; the watch of Run is for builds by others.
			switch loadErr := live.Load(ctx); {
			case loadErr == nil:
				follow()
			case err == nil && ctx.Err() == nil:
				printError(stderr, fmt.Errorf("load search: %w", loadErr))
			}
			first()
		})
		if ctx.Err() != nil {
			return nil
		}
		return err
	})
	unused := &unusedConnections{open: map[net.Conn]bool{}}
	server := &http.Server{
		Handler:           edge.NewHandler(rules, folder(o.public), searchd.NewHandler(live)),
		ReadHeaderTimeout: 10 * time.Second, // a connection that a browser keeps spare ends after it
		ConnState:         unused.note,
		ErrorLog:          slog.NewLogLogger(slog.DiscardHandler, slog.LevelError), // of clients that went away
	}
	parts.Go(func() error {
		select {
		case <-ctx.Done():
			return nil
		case <-built: // until then, clients wait in the listener's queue
		}
		greet(stdout, address, o)
		if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
			return fmt.Errorf("serve: %w", err)
		}
		return nil
	})
	parts.Go(func() error {
		<-ctx.Done()
		draining, cancel := context.WithTimeout(context.WithoutCancel(ctx), drainTime)
		defer cancel()
		unused.close()
		if err := server.Shutdown(draining); err != nil {
			server.Close()
			return fmt.Errorf("answer the requests in flight within %v: %w", drainTime, err)
		}
		return nil
	})
	return parts.Wait()
}

// unusedConnections are those on which nothing was asked yet. Browsers and other
// clients open some in advance, and http.Server would wait for them.
type unusedConnections struct {
	mu     sync.Mutex
	open   map[net.Conn]bool
	closed bool
}

// note is an http.Server's ConnState.
func (u *unusedConnections) note(conn net.Conn, state http.ConnState) {
	u.mu.Lock()
	defer u.mu.Unlock()
	switch {
	case state != http.StateNew:
		delete(u.open, conn)
	case u.closed:
		conn.Close()
	default:
		u.open[conn] = true
	}
}

// close closes them, and those that are still to come.
func (u *unusedConnections) close() {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.closed = true
	for conn := range u.open {
		conn.Close()
	}
}

// readRules reads the rules of the edge.
func readRules(path string) (*edge.Rules, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, hinted{fmt.Errorf("read rules: %w", err), "start preview in the folder of netlify.toml, or name the file with --config"}
	}
	rules, err := edge.Parse(data)
	if err != nil {
		return nil, rulesError{path, err}
	}
	return rules, nil
}

// rulesError lists the mistakes of a file of rules, as those of articles are listed.
type rulesError struct {
	path string
	err  error
}

func (e rulesError) Error() string {
	lines := []string{"the rules have mistakes"}
	joined, ok := e.err.(interface{ Unwrap() []error })
	if !ok {
		return "read rules: " + e.err.Error()
	}
	for _, err := range joined.Unwrap() {
		var mistake *edge.RuleError
		if errors.As(err, &mistake) {
			lines = append(lines, fmt.Sprintf("%s:%d: %s\n\thint: %s", e.path, mistake.Line, mistake.What, mistake.Hint))
		}
	}
	return strings.Join(lines, "\n")
}

func listenError(err error, address string) error {
	hint := "give --listen as host:port, such as localhost:8080"
	if errors.Is(err, syscall.EADDRINUSE) {
		hint = "another program serves there; end it, or choose another port, such as --listen localhost:8081 (port 0 takes any free one)"
	}
	return hinted{fmt.Errorf("listen at %s: %w", address, err), hint}
}

// visitable is the host and port that a browser on this machine can ask: the host as
// it was given, the port that was taken.
func visitable(addr net.Addr, listen string) string {
	host, _, err := net.SplitHostPort(listen)
	if err != nil || host == "" || net.ParseIP(host).IsUnspecified() {
		host = "localhost"
	}
	_, port, err := net.SplitHostPort(addr.String())
	if err != nil { // a TCP address has a port
		return addr.String()
	}
	return net.JoinHostPort(host, port)
}

// folder is the published folder as the edge reads it. It opens the folder anew for
// each file, so that one which is deleted and made again is followed, and through
// os.Root, so that no link leads out of it.
type folder string

func (f folder) Open(name string) (fs.File, error) {
	root, err := os.OpenRoot(string(f))
	if err != nil {
		return nil, err
	}
	defer root.Close() // the file stays open
	return root.FS().Open(name)
}

// Stat looks without opening, for opening a pipe would wait.
func (f folder) Stat(name string) (fs.FileInfo, error) {
	root, err := os.OpenRoot(string(f))
	if err != nil {
		return nil, err
	}
	defer root.Close()
	return fs.Stat(root.FS(), name)
}

// greet says where the service is, and what to try.
func greet(w io.Writer, address string, o options) {
	fmt.Fprintf(w, "Serving %s at %s and following every edit; Ctrl-C ends it.\n\n", o.content, address)
	search, id := "hello", "an-article"
	if a, ok := anArticle(o.public); ok {
		search, id = a.Title, a.ID
	}
	for _, target := range []string{
		article.SearchOperation + "?q=" + url.QueryEscape(search) + "&limit=3",
		article.ArticleOperation + "?id=" + id,
		article.HealthOperation,
	} {
		fmt.Fprintf(w, "  curl '%s%s'\n", address, target)
	}
	fmt.Fprintln(w)
}

// anArticle returns a published article, the first of the corpus, to try the service with.
func anArticle(public string) (a article.Article, ok bool) {
	p, err := publication.Open(os.DirFS(public))
	if err != nil || len(p.Manifest().Chunks) == 0 {
		return a, false
	}
	records, err := p.Chunk(p.Manifest().Chunks[0])
	if err != nil || len(records) == 0 {
		return a, false
	}
	return a, json.Unmarshal(records[0].Line, &a) == nil
}
