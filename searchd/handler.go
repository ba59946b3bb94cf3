package searchd

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"sync"
	"time"

	"newsstand/builder/article"
	"newsstand/searchd/index"
)

// Headers of a search that was answered, for Netlify's cache. It keeps one for five
// minutes, and serves it up to an hour longer while it fetches the next.
const (
	successCDNCache = "public, max-age=300, stale-while-revalidate=3600"
	cacheTag        = "search" // a deploy can purge all searches by it
)

// statusClientGone counts requests whose client left before the answer. It is nginx's
// number; it is never sent.
const statusClientGone = 499

// searcher is what the handler needs of a Live.
type searcher interface {
	started(ctx context.Context) error
	search(ctx context.Context, q index.Query) (index.Answer, error)
	Status() Status
}

// handler answers /api/articles, and 404 everywhere else.
type handler struct {
	live      searcher
	gate      *gate
	timeLimit time.Duration
	metrics   *metrics
	log       *slog.Logger
	signed    *signatures // nil: every request is answered
	refused   sync.Map    // the reasons for which a refusal was logged; each is logged once
	faults    occasion    // for lines about searches that failed, and panics
	// netlifyVary and noVarySearch name the known parameters to caches.
	netlifyVary, noVarySearch string
}

// NewHandler returns the public side of searchd: GET, HEAD and OPTIONS of
// /api/articles, answered from what live serves at that moment, and a problem
// document for everything else. The limits are those of live's options.
func NewHandler(live *Live) http.Handler {
	return hangUp(newHandler(live, live.metrics, live.options))
}

// hangUp ends the connection of a client that left before its answer. A client that has only closed
// its own side looks the same and may still read, and if a handler writes nothing, net/http answers
// with an empty 200.
func hangUp(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h.ServeHTTP(w, r)
		if r.Context().Err() != nil && len(w.Header()) == 0 { // every answer has headers
			panic(http.ErrAbortHandler)
		}
	})
}

func newHandler(live searcher, m *metrics, o Options) *handler {
	o = o.withDefaults()
	var names, quoted []string
	for _, p := range parameters() {
		names = append(names, p.name)
		quoted = append(quoted, strconv.Quote(p.name))
	}
	return &handler{
		live: live, gate: newGate(o.Concurrency, o.Queue), timeLimit: o.TimeLimit, metrics: m, log: o.Log,
		signed:       newSignatures(o.NetlifySecrets),
		netlifyVary:  "query=" + strings.Join(names, "|"),
		noVarySearch: "key-order, params, except=(" + strings.Join(quoted, " ") + ")",
	}
}

func (h *handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	began := time.Now()
	status := h.answer(w, r)
	took := time.Since(began)
	h.metrics.answered(status, took)
	if h.log.Enabled(r.Context(), slog.LevelDebug) {
		h.log.Debug("answered", "status", status, "took", took.String()) // nothing that a caller sent
	}
}

// answer writes the whole answer, and only once it is whole: so a panic on the way can
// still become an answer. It returns the status.
func (h *handler) answer(w http.ResponseWriter, r *http.Request) (status int) {
	defer func() {
		if v := recover(); v != nil {
			h.logPanic(v)
			status = h.fail(w, article.InternalError, "")
		}
	}()
	if r.ContentLength != 0 {
		refuseBody(w)
	}
	if h.signed != nil {
		if why := h.signed.check(r.Header); why != "" {
			return h.refuse(w, why)
		}
	}
	switch {
	case r.Method == http.MethodOptions:
		article.WriteOptions(w, h.live.Status().BaseURL)
		return http.StatusNoContent
	case r.URL.Path != article.SearchOperation || escapedSlash(r.URL):
		return h.fail(w, article.NotFound, "")
	case !article.Allowed(r.Method):
		return h.fail(w, article.MethodNotAllowed, "")
	}
	q, kind, errs := parseQuery(r.URL.RawQuery)
	if len(errs) > 0 {
		return h.fail(w, kind, "", errs...)
	}

	ctx, cancel := context.WithTimeout(r.Context(), h.timeLimit)
	defer cancel()
	began := time.Now()
	found, waited, err := h.search(ctx, q)
	switch {
	case err == nil:
		if found.Total == 0 && strings.TrimSpace(q.Text) != "" {
			h.metrics.noResult.Inc()
		}
		timing := fmt.Sprintf("queue;dur=%s, search;dur=%s", milliseconds(waited), milliseconds(time.Since(began)-waited))
		defer found.Recycle()
		return h.succeed(w, r, found.Body, timing)
	case r.Context().Err() != nil:
		return statusClientGone // nobody is left to tell
	case errors.Is(err, errBusy):
		h.metrics.shed.Inc()
		return h.fail(w, article.Overloaded, "more searches are waiting than can be answered in time; try again after the seconds in Retry-After")
	case errors.Is(err, context.DeadlineExceeded):
		h.metrics.timedOut.Inc()
		return h.fail(w, article.Overloaded,
			fmt.Sprintf("the search took longer than %v; try again after the seconds in Retry-After, or with fewer words", h.timeLimit))
	case errors.Is(err, errNotReady):
		return h.fail(w, article.Overloaded, "the search is starting and has loaded nothing yet; try again after the seconds in Retry-After")
	default:
		h.logFailure(err)
		return h.fail(w, article.InternalError, "")
	}
}

// refuseBody keeps the server from waiting for a body, on which no answer depends. The connection
// ends after the answer, so that nothing in the body can be taken for a request.
func refuseBody(w http.ResponseWriter) {
	w.Header().Set("Connection", "close")
	http.NewResponseController(w).SetReadDeadline(time.Now()) // a recorder of a test has none
}

// escapedSlash reports whether a path is not what its decoded form looks like: an escaped slash
// separates nothing (RFC 3986, 2.2).
func escapedSlash(u *url.URL) bool { return strings.Contains(strings.ToLower(u.RawPath), "%2f") }

// search asks the index when its turn comes, and returns how long it waited for it.
func (h *handler) search(ctx context.Context, q index.Query) (found index.Answer, waited time.Duration, err error) {
	began := time.Now()
	h.metrics.waiting.Inc()
	if err = h.live.started(ctx); err == nil {
		err = h.gate.enter(ctx)
	}
	h.metrics.waiting.Dec()
	waited = time.Since(began)
	if err != nil {
		return found, waited, err
	}
	defer h.gate.leave(time.Now())
	h.metrics.queueSeconds.Observe(waited.Seconds())
	h.metrics.running.Inc()
	defer h.metrics.running.Dec()
	found, err = h.live.search(ctx, q)
	if err == nil && ctx.Err() != nil { // in time or not at all, whatever the index made of it
		err = ctx.Err()
	}
	return found, waited, err
}

// succeed writes the search result, or that the caller's copy of it is still right.
func (h *handler) succeed(w http.ResponseWriter, r *http.Request, body []byte, timing string) int {
	etag := article.ETag(body)
	header := w.Header()
	article.SetCommonHeaders(header, h.live.Status().BaseURL)
	header.Set("ETag", etag)
	header.Set("Cache-Control", article.SuccessCache)
	header.Set("Netlify-CDN-Cache-Control", successCDNCache)
	header.Set("Netlify-Vary", h.netlifyVary)
	header.Set("Netlify-Cache-Tag", cacheTag)
	header.Set("No-Vary-Search", h.noVarySearch)
	header.Set("Server-Timing", timing)
	if article.NotModified(r.Header, etag) {
		w.WriteHeader(http.StatusNotModified)
		return http.StatusNotModified
	}
	header.Set("Content-Type", "application/json")
	header.Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(http.StatusOK)
	if r.Method != http.MethodHead {
		sendWhole(w, r, body)
	}
	return http.StatusOK
}

// fail writes a problem. The detail is the kind's own where it is empty.
func (h *handler) fail(w http.ResponseWriter, kind article.Kind, detail string, errs ...article.ParameterError) int {
	base := h.live.Status().BaseURL
	p := article.NewProblem(base, kind, errs...)
	if detail != "" {
		p.Detail = detail
	}
	article.WriteProblem(w, base, p)
	return p.Status
}

// refuse answers a request that the CDN did not sign: one answer for all reasons. The
// operator finds the reason in the metrics, and its first time in the log.
func (h *handler) refuse(w http.ResponseWriter, why refusal) int {
	h.metrics.refused.WithLabelValues(string(why)).Inc()
	if _, told := h.refused.LoadOrStore(why, true); !told {
		h.log.Warn("a request was refused because it has no valid signature from Netlify; later ones refused for this reason are only counted", "reason", string(why), "hint", why.hint())
	}
	return h.fail(w, article.Unsigned, "")
}

// logPanic logs where it happened. The value may hold words of the query, unless the
// runtime made it; no log of ours ever does.
func (h *handler) logPanic(v any) {
	text := fmt.Sprintf("%T", v)
	if err, ok := v.(runtime.Error); ok {
		text = err.Error()
	}
	h.metrics.panics.Inc()
	if unlogged, ok := h.faults.now(text); ok {
		h.log.Error("panic while answering a request; the daemon goes on", "panic", text, "stack", string(debug.Stack()), "unlogged", unlogged,
			"hint", "report it with this stack: it is a fault of searchd, not of the request")
	}
}

// logFailure logs a search that failed, and where, if the index says so.
func (h *handler) logFailure(err error) {
	attributes := []any{"error", err}
	if stack := stackOf(err); stack != "" {
		h.metrics.panics.Inc()
		attributes = append(attributes, "stack", stack)
	}
	if unlogged, ok := h.faults.now(err.Error()); ok {
		h.log.Error("search failed", append(attributes, "unlogged", unlogged,
			"hint", "a damaged index is replaced at once, or after a rest if the last one was soon damaged too; if this goes on, check the disk of --data, and if that is fine, report it")...)
	}
}

// milliseconds is a duration as Server-Timing wants it.
func milliseconds(d time.Duration) string {
	return strconv.FormatFloat(float64(d.Microseconds())/1000, 'f', -1, 64)
}
