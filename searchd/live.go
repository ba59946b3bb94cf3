package searchd

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"syscall"
	"time"

	"newsstand/builder/hinted"
	"newsstand/builder/publication"
	"newsstand/searchd/index"
)

// Options say what is searched and within which bounds. The zero value of a field
// is its default.
type Options struct {
	// Source is what is followed: a published folder, or the address of a site that has one,
	// such as https://example.org.
	Source string
	// AllowHTTP permits an address without TLS that is not of this machine.
	AllowHTTP bool
	// Data is the folder for the index, of this process alone; "" is a temporary one
	// that Close removes.
	Data string
	// Poll is the longest time until a new publication is noticed if the file system reports no
	// change (network mounts, some containers). Default 2 s: a look reads one small file. Of a site
	// it is the time between two looks, give or take a fifth, and the default is 30 s.
	Poll time.Duration
	// Wait makes Run wait for a source that is not there yet instead of failing.
	Wait bool

	// TimeLimit is the longest time for a search, its wait in the queue included.
	// Default 500 ms: after that a person has typed on, and a proxy's own limit is far.
	TimeLimit time.Duration
	// Processors is how many processors searches, builds of an index and a Check use. Default: all
	// that the Go runtime uses (GOMAXPROCS). A runtime that uses more has some left for
	// connections.
	Processors int
	// Concurrency is the number of searches that run at once. Default: one for each processor,
	// because a search is computation, and more at once only make each slower.
	Concurrency int
	// Queue is the number of searches that may wait in a burst. Default: 32 for each that runs,
	// about 160 ms of work. While the queue does not empty, 8 for each that runs may wait; while
	// more than half as many are refused as served, two for each at most, and none if very many are
	// refused. If searches take long, only as many wait as get their turn in half of TimeLimit.
	Queue int

	// NetlifySecrets, if any, make the public side answer only requests that Netlify's CDN signed
	// with one of them; there are two while one replaces the other.
	NetlifySecrets []string

	// Log takes one line for each event that matters; default: nowhere.
	Log *slog.Logger
	// LostLines returns how many lines Log has failed to write so far; default: none.
	LostLines func() int64
	// Progress, if not nil, is told how many articles of a new index or a Check are done. The calls
	// come from several goroutines, one at a time.
	Progress func(what string, done, total int)
}

func (o Options) withDefaults() Options {
	if o.Poll <= 0 {
		o.Poll = 2 * time.Second
		if isAddress(o.Source) {
			o.Poll = 30 * time.Second
		}
	}
	if o.TimeLimit <= 0 {
		o.TimeLimit = 500 * time.Millisecond
	}
	if o.Processors <= 0 {
		o.Processors = runtime.GOMAXPROCS(0)
	}
	if o.Concurrency <= 0 {
		o.Concurrency = o.Processors
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.LostLines == nil {
		o.LostLines = func() int64 { return 0 }
	}
	if o.Progress == nil {
		o.Progress = func(string, int, int) {}
	}
	return o
}

// errNotReady is the error of a Live that has loaded nothing yet, or is closed.
var errNotReady = errors.New("no revision is loaded")

// ErrOptions marks an error of Open that would occur on any machine: the options contradict each
// other, or name no source.
var ErrOptions = errors.New("wrong options")

// Live serves the newest whole revision of a published folder. Its methods are safe
// for concurrent use.
type Live struct {
	options Options
	log     *slog.Logger
	source  fs.FS
	site    *site // makes source a copy of a site; nil where it is a folder; guarded by loading
	data    *dataFolder
	metrics *metrics
	hints   chan struct{} // of capacity 1: there may be something to load
	begun   chan struct{} // closed when the index of the data folder is served, if there is one

	// mu guards what follows and the refs of every served. It is held for a few
	// instructions only, never while anything is read, searched or closed.
	mu       sync.Mutex
	current  *served
	status   Status
	distrust string // why the current index must not be updated in place; "" where it may

	// loading is held by the one Load that runs, and guards what follows.
	loading        sync.Mutex
	repairs        repairs
	loggedRebuild  string   // the new index that was logged last, until one is served
	loggedUnmerged bool     // whether it was logged that files cannot be merged
	ofOthers       []string // indexes of other versions, until one of this version is served

	closing sync.WaitGroup // one for each served that is not closed yet
}

// served is an index and the number of those who use it: one for being current, one
// for each search in flight. It is closed by the last one out; closing it when
// it is replaced would fail searches that hold it but have not begun.
type served struct {
	index *index.Index
	dir   string
	refs  int  // guarded by Live.mu
	keep  bool // guarded by Live.mu; whether the folder stays after closing

	// What the index holds, guarded by Live.loading.
	manifest publication.Manifest
	digests  []publication.Digest // of its articles, sorted by id; nil where they were not asked for yet
}

// Status is what a Live serves at one moment.
type Status struct {
	// Ready is true when a whole revision is served; the three fields after it are
	// empty before.
	Ready    bool
	Revision string
	Articles int
	// BaseURL is the address of the site, without a slash at its end.
	BaseURL string
	// Err is why the last load failed, nil where it did not.
	Err error
	// Damage is what is wrong with the files of the index, nil where nothing is. Searches are
	// answered as before until a new index takes its place.
	Damage error
}

// Open takes the data folder and serves the revision that is in it, if one is
// whole. It does not read the source: Load or Run does.
func Open(ctx context.Context, o Options) (*Live, error) {
	l, err := open(o)
	if err != nil {
		return nil, err
	}
	if err := l.restore(ctx); err != nil {
		return nil, errors.Join(err, l.Close())
	}
	return l, nil
}

// open takes the data folder and serves nothing yet.
func open(o Options) (*Live, error) {
	o = o.withDefaults()
	if o.Data != "" && !isAddress(o.Source) && within(o.Source, o.Data) {
		return nil, hinted.Error(wrongOption{fmt.Errorf("the data folder %s lies in the published folder %s, so the index would be served", o.Data, o.Source)},
			"give a folder of its own with --data")
	}
	data, err := openData(o.Data)
	if err != nil {
		return nil, err
	}
	m := newMetrics(data.size, o.LostLines)
	o.Log = slog.New(counted{o.Log.Handler(), m.logLines})
	if data.readOnly {
		o.Log.Warn("the data folder is on a read-only file system", "folder", data.dir,
			"hint", "let searchd write the folder of --data; what it holds is searched meanwhile, and nothing newer is taken up")
	}
	l := &Live{options: o, log: o.Log, source: os.DirFS(o.Source), data: data, metrics: m, hints: make(chan struct{}, 1), begun: make(chan struct{})}
	if isAddress(o.Source) {
		copied := filepath.Join(data.dir, siteName)
		if l.site, err = openSite(o.Source, copied, o.AllowHTTP, l.metrics); err != nil {
			return nil, errors.Join(err, data.close())
		}
		l.source = os.DirFS(copied)
	}
	return l, nil
}

// restore serves the newest intact index of the data folder and removes everything else there that
// is an index: what a killed process left, what is damaged, what another version wrote. If none is
// intact, those of other versions stay until one is, so that the other version can be started
// again. It fails, and removes nothing, if it cannot tell which that is: building a large index
// anew takes minutes, in which searches are 503.
func (l *Live) restore(ctx context.Context) error {
	defer close(l.begun)
	paths, leftovers, err := l.data.indexes()
	if err != nil {
		return hinted.Error(err, hintFor(err, hintData))
	}
	for _, path := range paths {
		if l.current != nil {
			leftovers = append(leftovers, path)
			continue
		}
		x, m, err := openIndex(ctx, path, l.options.Processors)
		switch {
		case err == nil:
			l.serve(x, path, m, nil)
			l.log.Info("serving the revision of the data folder", "revision", m.Revision, "articles", m.Articles, "folder", path)
		case ctx.Err() != nil:
			return ctx.Err()
		case errors.Is(err, index.ErrDamaged), errors.Is(err, syscall.EROFS): // the latter if there is none in it, and none can be made
			l.log.Warn("an index in the data folder is damaged, unfinished or of another version, and is not used", "folder", path, "error", err,
				"hint", "nothing, after an upgrade or where searchd was killed: it is built anew; if it happens again, check the disk of --data")
			if errors.Is(err, index.ErrFormat) {
				l.ofOthers = append(l.ofOthers, path)
			} else {
				leftovers = append(leftovers, path)
			}
		default:
			return hinted.Error(fmt.Errorf("use the index in the data folder: %w", err), hintFor(err, hintData))
		}
	}
	l.remove(leftovers)
	if l.current != nil {
		l.removeOfOthers()
	}
	return nil
}

// removeOfOthers removes the indexes of other versions.
func (l *Live) removeOfOthers() {
	l.remove(l.ofOthers)
	l.ofOthers = nil
}

// remove removes indexes that are not needed. If it cannot, they take room, but are in nobody's
// way.
func (l *Live) remove(paths []string) {
	for _, path := range paths {
		if err := os.RemoveAll(path); err != nil {
			l.log.Warn("an index that is no longer needed cannot be removed", "folder", path, "error", err,
				"hint", hintFor(err, "let searchd write the folder of --data and everything in it")+"; searchd tries again at its next start")
		}
	}
}

// openIndex opens an index and trusts it if it holds what its manifest says and a search in it
// works. Otherwise the error is index.ErrDamaged, or says why it cannot be opened. The engine may
// panic over damaged files.
func openIndex(ctx context.Context, path string, processors int) (x *index.Index, m publication.Manifest, err error) {
	var opened *index.Index
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("%w: open index: %v", index.ErrDamaged, v)
		}
		if err != nil && opened != nil {
			err = errors.Join(err, opened.Close())
		}
	}()
	opened, err = index.Open(ctx, path, processors)
	if err != nil {
		return nil, m, err
	}
	state := opened.State()
	if state == nil {
		return nil, m, fmt.Errorf("%w: it holds no whole revision", index.ErrDamaged)
	}
	if err := json.Unmarshal(state, &m); err != nil {
		return nil, m, fmt.Errorf("%w: parse the manifest in it: %w", index.ErrDamaged, err)
	}
	if n := opened.Articles(); n != m.Articles {
		return nil, m, fmt.Errorf("%w: it has %d articles, its manifest %d", index.ErrDamaged, n, m.Articles)
	}
	_, err = opened.Search(ctx, index.Query{Text: "a", Limit: 1})
	if ctx.Err() != nil {
		return nil, m, ctx.Err()
	}
	if err != nil {
		return nil, m, fmt.Errorf("%w: search in it: %w", index.ErrDamaged, err)
	}
	return opened, m, nil
}

// serve makes an index that holds a whole revision the current one, which it returns, and retires
// the one before it. The digests of its articles are sorted by id, or nil.
func (l *Live) serve(x *index.Index, dir string, m publication.Manifest, digests []publication.Digest) *served {
	l.closing.Add(1)
	l.data.newest = indexNumber(dir)
	next := &served{index: x, dir: dir, refs: 1, manifest: m, digests: digests}
	l.mu.Lock()
	old := l.current
	l.current, l.distrust = next, ""
	l.mu.Unlock()
	l.announce(m)
	if old != nil {
		l.release(old)
	}
	return next
}

// announce states which publication is served from now on.
func (l *Live) announce(m publication.Manifest) {
	l.mu.Lock()
	changed := !l.status.Ready || l.status.Revision != m.Revision
	l.status.Ready, l.status.Revision, l.status.Articles, l.status.BaseURL = true, m.Revision, m.Articles, m.BaseURL
	l.mu.Unlock()
	l.metrics.serving(m.Revision, m.Articles, changed)
}

// acquire returns what is served now, nil where nothing is; the caller releases it.
func (l *Live) acquire() *served {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.current != nil {
		l.current.refs++
	}
	return l.current
}

// release gives up one use. After the last one the index is closed, in the background, so that no
// answer waits for it.
func (l *Live) release(s *served) {
	l.mu.Lock()
	s.refs--
	last, keep := s.refs == 0, s.keep
	l.mu.Unlock()
	if !last {
		return
	}
	go func() {
		defer l.closing.Done()
		err := s.index.Close()
		if !keep {
			err = errors.Join(err, os.RemoveAll(s.dir))
		}
		if err != nil {
			l.log.Warn("closing an index failed", "folder", s.dir, "error", err, "hint", "searchd removes the folder at its next start")
		}
	}()
}

// Search returns the body that GET /api/articles answers with these parameters; its rules
// hold here too. Before the first revision and after Close it is an error.
func (l *Live) Search(ctx context.Context, parameters url.Values) ([]byte, error) {
	q, err := queryOf(parameters)
	if err != nil {
		return nil, err
	}
	answer, err := l.search(ctx, q)
	return answer.Body, err
}

// Explain says why a search with these parameters finds what it does.
func (l *Live) Explain(ctx context.Context, parameters url.Values) (index.Explanation, error) {
	q, err := queryOf(parameters)
	if err != nil {
		return index.Explanation{}, err
	}
	return use(l, func(x *index.Index) (index.Explanation, error) { return x.Explain(ctx, q) })
}

// started waits until the index of the data folder is open. If ctx ends first, the error is
// errNotReady.
func (l *Live) started(ctx context.Context) error {
	select {
	case <-l.begun:
		return nil
	case <-ctx.Done():
		return errNotReady
	}
}

// search answers a query from one revision, whatever is loaded meanwhile.
func (l *Live) search(ctx context.Context, q index.Query) (index.Answer, error) {
	return use(l, func(x *index.Index) (index.Answer, error) { return x.Search(ctx, q) })
}

// use asks the current index.
func use[T any](l *Live, ask func(*index.Index) (T, error)) (answer T, err error) {
	s := l.acquire()
	if s == nil {
		return answer, errNotReady
	}
	defer l.release(s)
	answer, err = ask(s.index)
	if errors.Is(err, index.ErrDamaged) {
		l.suspect(s, foundDamaged)
	}
	return answer, err
}

// Status returns what is served now.
func (l *Live) Status() Status {
	l.mu.Lock()
	defer l.mu.Unlock()
	s := l.status
	if l.current != nil {
		s.Damage = l.current.index.Damage()
	}
	return s
}

// Close waits for the searches in flight, closes the index and gives up the data
// folder. The index stays for the next start. Run must have returned.
func (l *Live) Close() error {
	l.loading.Lock()
	defer l.loading.Unlock()
	l.mu.Lock()
	s := l.current
	l.current, l.status.Ready = nil, false
	if s != nil {
		s.keep = true
	}
	l.mu.Unlock()
	if s != nil {
		l.release(s)
	}
	l.closing.Wait()
	return l.data.close()
}
