package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"
	_ "time/tzdata" // for dates, where a machine has no database of time zones

	"github.com/spf13/cobra"
	"golang.org/x/sync/errgroup"

	"newsstand/builder"
	"newsstand/builder/article"
	"newsstand/builder/edge"
	"newsstand/builder/hinted"
	"newsstand/builder/publication"
	"newsstand/builder/source"
	"newsstand/cmd/commandline"
	"newsstand/cmd/commandline/problems"
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
	return commandline.Run(newCommand(), args, stdout, stderr, func(err error, _ bool) int {
		if errors.As(err, new(source.AddressError)) {
			return commandline.Usage
		}
		return commandline.Failed
	})
}

const help = `Preview builds --content into --public, serves the whole API from there as
netlify.toml says, searches in process, and follows every edit.

An article with an error stays as it was published last, and everything else is published;
the error is printed with its place and how to fix it.

Environment: NEWSSTAND_CONTENT, NEWSSTAND_PUBLIC and NEWSSTAND_BASE_URL take the place of
the flags --content, --public and --base-url that are not given.
NO_COLOR turns colours off, which are for terminals only.

Exit codes: 0 ended by Ctrl-C, SIGTERM or SIGHUP, 1 failed, 2 wrong usage.`

const example = `  preview                                    serve content/ at http://localhost:8080
  preview --content ../blog/_posts           serve the articles of a Jekyll site
  preview --listen localhost:0               take any free port, and print it
  preview --base-url https://example.org     build links as the deployed site has them`

func newCommand() *cobra.Command {
	var o options
	cmd := &cobra.Command{
		Use:               "preview",
		Short:             "Serve a folder of articles as the whole API, and follow edits",
		Long:              help,
		Example:           example,
		PersistentPreRunE: commandline.ReadEnvironment,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := commandline.Listenable("listen", o.listen); err != nil {
				return err
			}
			return runPreview(cmd.Context(), o, cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.content, "content", "content", "`folder` of the articles")
	f.StringVar(&o.public, "public", "public", "`folder` to publish into")
	f.StringVar(&o.config, "config", "netlify.toml", "`file` with the rules of the edge; read once, at the start")
	f.StringVar(&o.listen, "listen", "localhost:8080", "`address` to serve at; port 0 takes any free one")
	f.StringVar(&o.baseURL, "base-url", "", "`address` of the site in links (default: the address served at)")
	f.StringVar(&o.data, "data", ".cache/preview", "`folder` for the search index; may be deleted at any time while nothing runs")
	return commandline.Root(cmd)
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
	o.baseURL = cmp.Or(o.baseURL, address)
	if err := os.MkdirAll(o.public, 0o755); err != nil {
		return hinted.Error(fmt.Errorf("make published folder: %w", err), "choose a folder that can be written with --public")
	}
	log := slog.New(slog.NewTextHandler(stderr, &slog.HandlerOptions{Level: slog.LevelWarn}))
	live, err := searchd.Open(ctx, searchd.Options{Source: o.public, Data: o.data, Wait: true, Log: log})
	if errors.Is(err, context.Canceled) { // Ctrl-C meanwhile is no failure
		return nil
	}
	if err != nil {
		return fmt.Errorf("open search: %w", err)
	}
	defer func() { err = errors.Join(err, live.Close()) }()

	// The parts below end together: when one fails, or a signal comes.
	parts, ctx := errgroup.WithContext(ctx)
	built := make(chan struct{}) // closed after the first build, good or not
	printer := printer{stderr: stderr, content: o.content}
	watched := builder.Options{Content: o.content, Public: o.public, BaseURL: o.baseURL, Waiting: func() {
		fmt.Fprintf(stderr, "waiting: another builder is writing into %s\n", o.public)
	}}
	parts.Go(func() error {
		first := sync.OnceFunc(func() { close(built) })
		follow := sync.OnceFunc(func() { parts.Go(func() error { return live.Run(ctx) }) })
		err := builder.Watch(ctx, watched, func(r builder.Report, err error) {
			printer.print(r, err)
			// Search what was published at once; the watch of Run is for builds by others.
			switch loadErr := live.Load(ctx); {
			case loadErr == nil:
				follow()
			case err == nil && ctx.Err() == nil:
				commandline.PrintError(stderr, fmt.Errorf("load search: %w", loadErr))
			}
			first()
		})
		if ctx.Err() != nil {
			return nil
		}
		return err
	})
	server := &http.Server{
		Handler:           edge.NewHandler(rules, folder(o.public), searchd.NewHandler(live)),
		ReadHeaderTimeout: 10 * time.Second, // a connection that a browser keeps spare ends after it
		ErrorLog:          slog.NewLogLogger(log.Handler(), slog.LevelError),
	}
	parts.Go(func() error {
		select {
		case <-ctx.Done():
			return nil
		case <-built: // until then, clients wait in the listener's queue
		}
		greet(stdout, address, o)
		return serve(ctx, server, listener)
	})
	return parts.Wait()
}

// serve answers until ctx is done, and then the requests in flight.
func serve(ctx context.Context, server *http.Server, listener net.Listener) (err error) {
	unused := &unusedConnections{open: map[net.Conn]bool{}}
	server.ConnState = unused.note
	failed := make(chan error, 1)
	go func() { failed <- fmt.Errorf("serve: %w", server.Serve(listener)) }()
	select {
	case err = <-failed:
	case <-ctx.Done():
	}
	draining, cancel := context.WithTimeout(context.WithoutCancel(ctx), drainTime)
	defer cancel()
	unused.close()
	if late := server.Shutdown(draining); late != nil {
		server.Close()
		err = errors.Join(err, fmt.Errorf("answer the requests in flight within %v: %w", drainTime, late))
	}
	return err
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
		return nil, hinted.Error(fmt.Errorf("read rules: %w", err), "start preview in the folder of netlify.toml, or name the file with --config")
	}
	rules, err := edge.Parse(data)
	if mistakes, ok := errors.AsType[edge.RuleErrors](err); ok {
		return nil, rulesError(path, mistakes)
	}
	return rules, err
}

// rulesError lists the mistakes of a file of rules, as those of articles are listed.
func rulesError(path string, mistakes edge.RuleErrors) error {
	var b strings.Builder
	for _, m := range mistakes {
		problems.Print(&b, "", source.Problem{Path: filepath.ToSlash(path), Line: m.Line, Severity: source.Error, What: m.What, Hint: m.Hint})
	}
	return errors.New("the rules have mistakes\n" + strings.TrimSuffix(b.String(), "\n"))
}

func listenError(err error, address string) error {
	hint := "give --listen an address of this machine, such as localhost:8080"
	if errors.Is(err, syscall.EADDRINUSE) {
		hint = "another program serves there; end it, or choose another port, such as --listen localhost:8081 (port 0 takes any free one)"
	}
	return hinted.Error(fmt.Errorf("listen at %s: %w", address, err), hint)
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
		id = a.ID
		if article.Searchable(a.Title) {
			search = a.Title
		}
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
	a, err = article.Decode(records[0].Line)
	return a, err == nil
}
