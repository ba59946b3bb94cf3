package searchd

import (
	"bytes"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/pprof"
	"slices"
	"strings"
	"sync/atomic"

	"newsstand/builder/hinted"
)

// maxLevelBytes is more than the longest name of a level.
const maxLevelBytes = 64

// newAdminHandler is the operator's side. A browser's request that would change something is
// refused: no page of ours sends one, and any page on the web could, under a name that leads to
// this machine.
func newAdminHandler(live *Live, draining *atomic.Bool, level *slog.LevelVar) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /livez", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		fmt.Fprintln(w, "alive")
	})
	mux.HandleFunc("GET /readyz", func(w http.ResponseWriter, r *http.Request) { writeReady(w, live.Status(), draining.Load()) })
	mux.Handle("GET /metrics", live.metrics.handler())
	mux.HandleFunc("GET /debug/pprof/", pprof.Index)
	mux.HandleFunc("GET /debug/pprof/cmdline", pprof.Cmdline)
	mux.HandleFunc("GET /debug/pprof/profile", pprof.Profile)
	mux.HandleFunc("GET /debug/pprof/symbol", pprof.Symbol)
	mux.HandleFunc("GET /debug/pprof/trace", pprof.Trace)
	if level != nil {
		mux.HandleFunc("GET /log-level", func(w http.ResponseWriter, r *http.Request) { writeLevel(w, level) })
		mux.HandleFunc("PUT /log-level", func(w http.ResponseWriter, r *http.Request) { changeLevel(w, r, level, live.log) })
	}
	return mux
}

// writeReady says whether searches are answered as they should be, and why not.
func writeReady(w http.ResponseWriter, s Status, draining bool) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	if draining || !s.Ready || s.Damage != nil {
		w.WriteHeader(http.StatusServiceUnavailable)
	}
	switch {
	case draining:
		fmt.Fprintln(w, "stopping")
	case !s.Ready:
		fmt.Fprintln(w, "loading the first revision")
	case s.Damage != nil:
		fmt.Fprintf(w, "damaged: %v\nsearches are answered as before until a new index takes its place\n", s.Damage)
	default:
		fmt.Fprintf(w, "ready\nrevision %s\narticles %d\n", s.Revision, s.Articles)
	}
	if s.Err != nil {
		fmt.Fprintf(w, "the last load failed: %v\nhint: %s\n", s.Err, hinted.Hint(s.Err))
	}
}

// changeLevel sets the level to what is sent, and answers with it.
func changeLevel(w http.ResponseWriter, r *http.Request, level *slog.LevelVar, log *slog.Logger) {
	if r.Header.Get("Origin") != "" || r.Header.Get("Sec-Fetch-Site") != "" {
		http.Error(w, "no page may change the level", http.StatusForbidden)
		return
	}
	text, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxLevelBytes))
	var next slog.Level
	if err == nil {
		err = next.UnmarshalText(bytes.TrimSpace(text))
	}
	levels := []slog.Level{slog.LevelDebug, slog.LevelInfo, slog.LevelWarn, slog.LevelError}
	if err != nil || !slices.Contains(levels, next) { // slog knows more, such as ERROR+100
		http.Error(w, "send debug, info, warn or error", http.StatusBadRequest)
		return
	}
	was := level.Level()
	level.Set(min(was, next, slog.LevelInfo)) // so that the change itself is logged
	log.Info("the log level is changed", "from", was.String(), "to", next.String())
	level.Set(next)
	writeLevel(w, level)
}

func writeLevel(w http.ResponseWriter, level *slog.LevelVar) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	fmt.Fprintln(w, strings.ToLower(level.Level().String()))
}
