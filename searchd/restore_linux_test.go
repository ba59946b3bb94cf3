package searchd

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// An index that cannot be opened is not damaged for that, and is as good as before when it can.
func TestAnIndexThatCannotBeOpenedIsKept(t *testing.T) {
	source, data := t.TempDir(), t.TempDir()
	publish(t, source, many(5, "walrus")...)
	l, _ := opened(t, source, data)
	load(t, l)
	l.Close()
	before := names(t, data)
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
		t.Fatal(err)
	}
	next, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	few, told := syscall.Rlimit{Cur: uint64(next.Fd()), Max: limit.Max}, false
	next.Close()
	for err = errors.New("no file yet"); err != nil; few.Cur++ {
		if err := syscall.Setrlimit(syscall.RLIMIT_NOFILE, &few); err != nil {
			t.Fatal(err)
		}
		var l *Live
		if l, err = Open(t.Context(), Options{Source: source, Data: data}); err == nil {
			l.Close()
		}
		if err := syscall.Setrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
			t.Fatal(err)
		}
		if err != nil && (!errors.Is(err, syscall.EMFILE) || !strings.Contains(hintOf(err), "LimitNOFILE")) {
			t.Errorf("open: %v, hint %q", err, hintOf(err))
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

// Nor is the copy of a site damaged where its files cannot be opened.
func TestACopyThatCannotBeOpenedIsKept(t *testing.T) {
	h := newHost(t)
	h.publish(t, time.Hour, many(300, "walrus")...)
	data := t.TempDir()
	l, log := opened(t, h.start(t), data)
	load(t, l)
	before := corpusOf(t, filepath.Join(data, siteName))
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Setrlimit(syscall.RLIMIT_NOFILE, &syscall.Rlimit{Max: limit.Max}); err != nil {
		t.Fatal(err)
	}
	err := l.Load(t.Context())
	if err := syscall.Setrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
		t.Fatal(err)
	}
	if err == nil || log.count("damaged") > 0 {
		t.Errorf("load: %v\n%s", err, log)
	}
	if after := corpusOf(t, filepath.Join(data, siteName)); !slices.Equal(after, before) {
		t.Errorf("the copy has %v afterwards, want %v", after, before)
	}
	load(t, l)
}
