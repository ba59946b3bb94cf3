package searchd

import (
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"newsstand/builder/article/articletest"
	"newsstand/builder/hinted"
)

// An index that cannot be opened is not damaged for that, and is as good as before when it can.
func TestAnIndexThatCannotBeOpenedIsKept(t *testing.T) {
	source, data, l, _ := loaded(t, 5)
	l.Close()
	before := names(t, data)
	told, more := false, 0
	for err := errors.New("no file yet"); err != nil; more++ {
		restore := articletest.FewFiles(t, more)
		var l *Live
		if l, err = Open(t.Context(), Options{Source: source, Data: data}); err == nil {
			l.Close()
		}
		restore()
		if err != nil && (!errors.Is(err, syscall.EMFILE) || !strings.Contains(hinted.Hint(err), "LimitNOFILE")) {
			t.Errorf("open: %v, hint %q", err, hinted.Hint(err))
		}
		told = told || err != nil && strings.Contains(err.Error(), "root.bolt")
		if after := names(t, data); after != before {
			t.Fatalf("the data folder has %q, want %q", after, before)
		}
	}
	if !told {
		t.Error("the index could always be opened")
	}
	if l, log := opened(t, source, data); !l.Status().Ready {
		t.Errorf("it is not served afterwards:\n%s", log)
	}
}

// What is left of other indexes takes room, and no more: where it cannot be removed, the revision
// is served all the same.
func TestALeftoverThatCannotBeRemoved(t *testing.T) {
	source, data, l, _ := loaded(t, 5)
	l.Close()
	before := names(t, data)
	leftover := filepath.Join(data, indexFamily+"0-1")
	if err := os.MkdirAll(filepath.Join(leftover, strings.Repeat("x/", 20)), 0o750); err != nil { // removed with a file open for each level
		t.Fatal(err)
	}
	log := &logged{}
	restore := articletest.FewFiles(t, 15)
	l, err := Open(t.Context(), Options{Source: source, Data: data, Log: slog.New(slog.NewTextHandler(log, nil))})
	restore()
	must(t, err)
	if !l.Status().Ready || log.count("cannot be removed") != 1 || log.count("LimitNOFILE") != 1 {
		t.Errorf("%+v\n%s", l.Status(), log)
	}
	if err := l.Close(); err != nil {
		t.Error(err)
	}
	l, _ = opened(t, source, data)
	if after := names(t, data); after != before || !l.Status().Ready {
		t.Errorf("after the next start the data folder has %q, want %q", after, before)
	}
}

// Nor is the copy of a site damaged where its files cannot be opened.
func TestACopyThatCannotBeOpenedIsKept(t *testing.T) {
	h := newHost(t)
	h.publish(t, time.Hour, many(300, "walrus")...)
	data := t.TempDir()
	l, log := opened(t, h.start(t), data)
	load(t, l)
	before := corpusOf(t, filepath.Join(data, siteName))
	restore := articletest.FewFiles(t, 0)
	err := l.Load(t.Context())
	restore()
	if err == nil || log.count("damaged") > 0 {
		t.Errorf("load: %v\n%s", err, log)
	}
	if after := corpusOf(t, filepath.Join(data, siteName)); after != before {
		t.Errorf("the copy has %v afterwards, want %v", after, before)
	}
	load(t, l)
}

// After the machine was started anew, all of the index is read before it is served. With many
// articles that takes longer than probes have patience: then a supervisor killed each start of it.
// Searches were not answered at all.
func TestTheOperatorsSideAnswersWhileTheIndexIsRead(t *testing.T) {
	source, data, l, _ := loaded(t, 50)
	must(t, l.Close())
	segments, err := filepath.Glob(filepath.Join(data, indexPrefix+"*", "*.zap"))
	if err != nil || len(segments) != 1 {
		t.Fatalf("%v %v", segments, err)
	}
	slow := segments[0] // as slow as a pipe to which nobody writes
	must(t, errors.Join(os.Remove(slow), syscall.Mkfifo(slow, 0o600)))
	public, admin, log, stop := listening(t, ServeOptions{Options: Options{Source: source, Data: data, TimeLimit: 10 * time.Millisecond}})
	for address, want := range map[string]int{admin + "/livez": 200, admin + "/readyz": 503, admin + "/metrics": 200, public + "/api/articles?q=walrus": 503} {
		resp, _ := get(t, "http://"+address)
		if resp.StatusCode != want || want == 503 && strings.Contains(address, "/api/") && resp.Header.Get("Retry-After") == "" {
			t.Errorf("%s: %s", address, resp.Status)
		}
	}
	pipe, err := os.OpenFile(slow, os.O_WRONLY, 0)
	must(t, err)
	pipe.Close() // it was damaged, too
	until(t, "it is ready", func() bool { return log.count("serving a new revision") == 1 })
	must(t, stop())
}
