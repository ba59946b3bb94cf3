package builder

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"newsstand/builder/article"
	"newsstand/builder/page"
)

// watched is a watch of a site under fake time: hints come from a plain channel.
type watched struct {
	site
	hints   chan struct{}
	clock   atomic.Int64 // how far the wall clock was set, as a Duration
	mu      sync.Mutex
	reports []reported // mu
}

// reported is one report, with the time since the beginning.
type reported struct {
	Report
	err   error
	after time.Duration
}

// watch runs a story in a bubble of fake time, which begins at midnight UTC on
// 2000-01-01. Each wait in it ends only when the watch is waiting, too.
func watch(t *testing.T, prepare func(site), story func(w *watched)) {
	t.Helper()
	s := newSite(t)
	prepare(s)
	synctest.Test(t, func(t *testing.T) {
		s.t = t
		w := &watched{site: s, hints: make(chan struct{}, 1)}
		ctx, cancel := context.WithCancel(t.Context())
		begin := time.Now()
		b := newWatcher(s.options, func() time.Time { return time.Now().Add(time.Duration(w.clock.Load())) })
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			b.watch(ctx, w.hints, func(string) {}, func(r Report, err error) {
				w.mu.Lock()
				defer w.mu.Unlock()
				w.reports = append(w.reports, reported{r, err, time.Since(begin)})
			})
		}()
		synctest.Wait()
		story(w)
		cancel()
		<-ended
	})
}

// sleep lets time pass, and the watch come to rest.
func (w *watched) sleep(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

// hint is an event of the system.
func (w *watched) hint() {
	select {
	case w.hints <- struct{}{}:
	default:
	}
}

// next lets time pass, and returns the only report since the last call.
func (w *watched) next(d time.Duration) reported {
	w.t.Helper()
	w.sleep(d)
	reports := w.take()
	if len(reports) != 1 {
		w.t.Fatalf("%d reports, want one: %+v", len(reports), reports)
	}
	return reports[0]
}

// none lets time pass, and wants that there was no report since the last call.
func (w *watched) none(d time.Duration) {
	w.t.Helper()
	w.sleep(d)
	if reports := w.take(); len(reports) > 0 {
		w.t.Fatalf("reports, and none is wanted: %+v", reports)
	}
}

func (w *watched) take() []reported {
	w.mu.Lock()
	defer w.mu.Unlock()
	reports := w.reports
	w.reports = nil
	return reports
}

func (w *watched) holds(text string, want bool) {
	w.t.Helper()
	if got := len(w.places(text)) > 0; got != want {
		w.t.Fatalf("%q is published: %v, want %v", text, got, want)
	}
}

// An article appears and goes at its instant, to the second, though nobody touches the
// content and the system says nothing.
func TestWatchSchedule(t *testing.T) {
	watch(t, func(s site) {
		s.write("a.md", postFile("canary", "publishDate: 2000-01-01T00:30:07Z", "expiryDate: 2000-01-01T02:00:00Z"))
	}, func(w *watched) {
		if r := w.next(0); r.err != nil || r.Published != 0 || !r.Next.Equal(at("2000-01-01T00:30:07Z")) {
			t.Fatalf("the first report: %+v", r)
		}
		w.none(30*time.Minute + 6*time.Second)
		w.holds("canary", false)
		if r := w.next(time.Second); r.Published != 1 || r.after != 30*time.Minute+7*time.Second {
			t.Fatalf("published: %+v", r)
		}
		w.holds("canary", true)
		w.none(90*time.Minute - 8*time.Second)
		w.holds("canary", true)
		if r := w.next(time.Second); r.Published != 0 || !r.Next.IsZero() {
			t.Fatalf("expired: %+v", r)
		}
		w.holds("canary", false)
		w.none(time.Hour)
	})
}

// While a machine is suspended, timers stand still and the wall clock goes on; a clock
// may also be set, forward and back.
func TestWatchClockJumps(t *testing.T) {
	watch(t, func(s site) {
		s.write("a.md", postFile("canary", "publishDate: 2000-01-01T06:00:00Z", "expiryDate: 2000-01-02T00:00:00Z"))
	}, func(w *watched) {
		w.next(0)
		w.none(time.Minute)
		w.clock.Store(int64(7 * time.Hour))
		w.next(clockInterval)
		w.holds("canary", true)
		w.clock.Store(0)
		w.next(clockInterval)
		w.holds("canary", false)
		w.clock.Store(int64(48 * time.Hour)) // over both instants at once
		w.sleep(clockInterval)
		w.holds("canary", false)
		w.none(0) // nothing changed
	})
}

// Many events at once are one build, shortly after the last; a folder that is never
// quiet is built nevertheless.
func TestWatchHints(t *testing.T) {
	watch(t, func(s site) { s.write("a.md", postFile("one")) }, func(w *watched) {
		w.next(0)
		w.write("a.md", postFile("two"))
		for range 5 {
			w.hint()
			w.sleep(settleTime / 2)
		}
		w.none(0)
		if r := w.next(settleTime); r.after > 4*settleTime {
			t.Errorf("built after %v", r.after)
		}
		w.holds("two", true)

		w.write("a.md", postFile("three"))
		for range int(settleMost/(settleTime/2)) + 1 {
			w.hint()
			w.sleep(settleTime / 2)
		}
		w.next(0)
		w.holds("three", true)

		w.hint() // for nothing: no report
		w.none(time.Second)
	})
}

// Git removes all files of one branch, pauses, and writes those of another. No article that is in
// both is taken down in between.
func TestWatchOfASwitchOfBranches(t *testing.T) {
	names := make([]string, 200)
	for i := range names {
		names[i] = fmt.Sprintf("%d.md", i)
	}
	watch(t, func(s site) {
		for _, name := range names {
			s.write(name, postFile("one"))
		}
	}, func(w *watched) {
		w.next(0)
		change := func(name string, do func()) {
			do()
			w.hint()
			w.sleep(5 * time.Millisecond)
		}
		for _, name := range names {
			change(name, func() { w.check(os.Remove(filepath.Join(w.options.Content, name))) })
		}
		w.none(settleLong - 10*time.Millisecond)
		for _, name := range names {
			change(name, func() { w.write(name, postFile("two")) })
		}
		if r := w.next(settleLong); r.Published != len(names) {
			t.Errorf("%d articles are published, want %d", r.Published, len(names))
		}
		w.none(time.Minute)
	})
}

// Where the system tells nothing, looking does.
func TestWatchPolls(t *testing.T) {
	older := t.TempDir()
	watch(t, func(s site) { s.write("a.md", postFile("one")) }, func(w *watched) {
		w.next(0)
		w.none(time.Minute)
		w.check(os.CopyFS(older, os.DirFS(w.options.Public)))
		for _, change := range []struct {
			what string
			do   func()
			has  string
		}{
			{"edited", func() { w.write("a.md", postFile("another")) }, "another"},
			{"added", func() { w.write("deep/b.md", postFile("second")) }, "second"},
			{"renamed", func() {
				w.check(os.Rename(filepath.Join(w.options.Content, "a.md"), filepath.Join(w.options.Content, "renamed.md")))
			}, "renamed"},
			{"settings", func() { w.write("site.yaml", "title: new settings\n") }, "new settings"},
			{"an older copy in its place", func() {
				w.check(os.RemoveAll(w.options.Public))
				w.check(os.CopyFS(w.options.Public, os.DirFS(older)))
			}, "another"},
			{"the published folder removed", func() { w.check(os.RemoveAll(w.options.Public)) }, "another"},
		} {
			change.do()
			w.next(pollInterval + time.Second)
			w.holds(change.has, true)
		}
		w.write(".git/index", "x")
		w.write("node_modules/x/readme.md", postFile("not ours"))
		w.none(time.Minute)
	})
}

// Whoever removes the published folder may be at it while a build finds some files there and writes
// others: so it is built until there is nothing to write, whether the build began over an edit or
// because the folder was gone.
func TestWatchOfAFolderThatIsBeingRemoved(t *testing.T) {
	watch(t, func(s site) { s.write("a.md", postFile("one")) }, func(w *watched) {
		w.next(0)
		for _, begin := range []func(){
			func() { w.write("b.md", postFile("two")) },
			func() { w.check(os.RemoveAll(w.options.Public)) },
		} {
			begin()
			w.next(pollInterval + time.Second)
			for range 2 {
				w.check(os.Remove(filepath.Join(w.options.Public, article.Path("a"))))
				w.next(pollInterval)
				w.holds("one", true)
			}
			w.none(time.Minute)
		}
	})
}

// The content folder may be a link, which may lead elsewhere later.
func TestWatchOfALink(t *testing.T) {
	watch(t, func(s site) {
		s.write("a.md", postFile("one"))
		real := s.options.Content + "-1"
		s.check(os.Rename(s.options.Content, real))
		if err := os.Symlink(real, s.options.Content); err != nil {
			t.Skip(err)
		}
	}, func(w *watched) {
		w.next(0)
		w.holds("one", true)
		w.write("a.md", postFile("another"))
		w.next(pollInterval + time.Second)
		w.holds("another", true)
		other := w.options.Content + "-2"
		w.check(os.CopyFS(other, os.DirFS(w.options.Content)))
		w.check(os.WriteFile(filepath.Join(other, "a.md"), []byte(postFile("third")), 0o644))
		w.check(os.Remove(w.options.Content))
		w.check(os.Symlink(other, w.options.Content))
		w.next(pollInterval + time.Second)
		w.holds("third", true)
	})
}

// What the site's generator is told lies around the content, and is followed as that is.
func TestWatchAround(t *testing.T) {
	watch(t, func(s site) { s.write("a.md", postFile("one")) }, func(w *watched) {
		w.next(0)
		config := filepath.Join(filepath.Dir(w.options.Content), "hugo.toml")
		for _, title := range []string{"First title", "Another one"} {
			w.check(os.WriteFile(config, []byte("title = \""+title+"\"\n"), 0o644))
			w.next(pollInterval + time.Second)
			w.holds(title, true)
		}
		w.check(os.Remove(config))
		w.next(pollInterval + time.Second)
		w.holds("Another one", false)
		w.none(time.Minute)
	})
}

// So are files around the content that articles include, from when they are there.
func TestWatchOfIncludedFiles(t *testing.T) {
	watch(t, func(s site) { s.write("a.md", postFile("[!INCLUDE [a](../parts/a.md)]")) }, func(w *watched) {
		w.next(0)
		part := filepath.Join(filepath.Dir(w.options.Content), "parts/a.md")
		w.check(os.Mkdir(filepath.Dir(part), 0o755))
		for _, text := range []string{"first text", "another one"} {
			w.check(os.WriteFile(part, []byte(text), 0o644))
			w.next(pollInterval + time.Second)
			w.holds(text, true)
		}
		w.check(os.Remove(part))
		w.next(pollInterval + time.Second)
		if slices.Contains(w.places("another one"), "api/article/a.json") {
			t.Error("the text is still in the article")
		}
		w.none(time.Minute)
	})
}

// Folders whose names begin with a dot hold no articles, but the configuration of VitePress and
// some of the site's own files.
func TestWatchOfFoldersOfOtherPrograms(t *testing.T) {
	watch(t, func(s site) {
		s.write("docs/.vitepress/config.js", "export default {}\n")
		s.write("docs/a.md", postFile("canary"))
		s.write("_page/.well-known/security.txt", "Contact: one\n")
	}, func(w *watched) {
		w.next(0)
		for _, change := range []struct {
			file, text string
			has        string
			want       bool
		}{
			{"docs/.vitepress/config.js", "export default { srcExclude: ['a.md'] }\n", "canary", false},
			{"docs/.vitepress/config.js", "", "canary", true},
			{"docs/.vitepress/config.ts", "export default { srcExclude: ['a.md'] }\n", "canary", false},
			{"_page/.well-known/security.txt", "Contact: another\n", "Contact: another", true},
			{"_page/.well-known/new.txt", "Canaries\n", "Canaries", true},
			{"_page/.well-known/new.txt", "", "Canaries", false},
		} {
			if change.text == "" {
				w.remove(change.file)
			} else {
				w.write(change.file, change.text)
			}
			w.next(pollInterval + time.Second)
			w.holds(change.has, change.want)
		}
		w.none(time.Minute)
	})
}

// A build that cannot be published is told once, and tried again until it can.
func TestWatchRetries(t *testing.T) {
	watch(t, func(s site) {
		s.write("a.md", postFile("one"))
		s.check(os.WriteFile(s.options.Public, nil, 0o644)) // a file where the folder should be
	}, func(w *watched) {
		if r := w.next(0); r.err == nil {
			t.Fatalf("published into a file: %+v", r)
		}
		w.none(time.Minute)
		w.check(os.Remove(w.options.Public))
		if r := w.next(retryInterval + time.Second); r.err != nil || r.Published != 1 {
			t.Fatalf("after the fix: %+v", r)
		}

		// The content is gone for a while, as while another branch is checked out.
		aside := w.options.Content + "-aside"
		w.check(os.Rename(w.options.Content, aside))
		if r := w.next(time.Minute); r.err == nil {
			t.Fatalf("built from nothing: %+v", r)
		}
		w.holds("one", true)
		w.check(os.Rename(aside, w.options.Content))
		if r := w.next(retryInterval + time.Second); r.err != nil || r.Published != 1 || r.Written > 0 {
			t.Fatalf("after the content is back: %+v", r)
		}
	})
}

// While watching, a file that breaks is known by what it was, its id by hand and its
// expiry included.
func TestWatchKeeps(t *testing.T) {
	watch(t, func(s site) {
		s.write("a.md", postFile("canary", "id: by-hand", "expiryDate: 2000-01-01T02:00:00Z"))
		s.write("b.md", postFile("other"))
	}, func(w *watched) {
		w.next(0)
		w.write("a.md", broken)
		w.hint()
		if r := w.next(time.Second); len(r.Kept) != 1 || r.Kept[0] != "by-hand" || r.Errors() != 1 || !r.Next.Equal(at("2000-01-01T02:00:00Z")) {
			t.Fatalf("broken: %+v", r)
		}
		w.holds("canary", true)
		w.write("b.md", postFile("other text"))
		w.hint()
		w.next(time.Second)
		w.holds("canary", true)
		if r := w.next(2 * time.Hour); len(r.Kept) != 0 || r.Published != 1 {
			t.Fatalf("expired while broken: %+v", r)
		}
		w.holds("canary", false)

		w.write("b.md", broken)
		w.hint()
		w.next(time.Second)
		w.holds("other text", true)
		w.remove("b.md")
		w.hint()
		if r := w.next(time.Second); r.Published != 0 {
			t.Fatalf("removed while broken: %+v", r)
		}
	})
}

// A watch publishes the same bytes as builds of their own would, whatever it remembers.
func TestWatchBuildsTheSame(t *testing.T) {
	watch(t, func(s site) {
		for _, name := range []string{"a", "b", "c"} {
			s.write(name+".md", postFile("text of "+name))
		}
	}, func(w *watched) {
		w.next(0)
		for i, change := range []func(){
			func() { w.write("a.md", postFile("text of b")) },
			func() { w.write("b.md", postFile("text", "tgas: [warning]")) },
			func() { w.remove("c.md") },
			func() { w.write("site.yaml", "language: fr\n") },
			func() { w.write("c.md", postFile("back")) },
			func() {
				w.check(os.WriteFile(filepath.Join(w.options.Public, "api/article/a.json"), []byte("spoilt\n"), 0o644))
				w.write("b.md", postFile("again"))
			},
		} {
			change()
			w.hint()
			watching := w.next(time.Second)
			w.whole()
			fresh := w.site
			fresh.options.Public = filepath.Join(w.t.TempDir(), "public")
			fresh.options.Now = time.Now()
			single, err := Build(w.t.Context(), fresh.options)
			w.check(err)
			if single.Revision != watching.Revision || len(single.Problems) != len(watching.Problems) {
				t.Errorf("change %d: a build of its own differs:\n%+v\n%+v", i, single, watching)
			}
			for name, data := range fresh.tree() {
				if !strings.HasPrefix(name, "corpus/manifest") && w.tree()[name] != data {
					t.Errorf("change %d: %s differs", i, name)
				}
			}
		}
	})
}

// A watch remembers what builds before it did, and they what it did.
func TestWatchRemembers(t *testing.T) {
	s := newSite(t)
	s.remembering()
	for i := range page.FeedLength + 10 { // the oldest and longest is in no document, so nobody needs to read it
		s.write(fmt.Sprintf("a%d.md", i), postFile("fishes "+strings.Repeat("x", 100-i), fmt.Sprintf("date: 1999-01-01T00:00:%02d", i)))
	}
	settled()
	watch := func() (first Report) {
		ctx, end := context.WithCancel(t.Context())
		s.check(Watch(ctx, s.options, func(r Report, err error) {
			s.check(err)
			first = r
			end()
		}))
		return first
	}
	if r := watch(); r.Written == 0 || r.CacheErr != nil {
		t.Fatalf("the first watch: %+v", r)
	}
	s.options.Now = time.Time{}
	settled()
	published := filepath.Join(s.options.Public, "api/article/a0.json")
	spoil := func(old, new string) { // so that only who reads the file sees it
		info, err := os.Stat(published)
		s.check(err)
		data, err := os.ReadFile(published)
		s.check(err)
		s.check(os.WriteFile(published, []byte(strings.ReplaceAll(string(data), old, new)), 0o644))
		s.check(os.Chtimes(published, info.ModTime(), info.ModTime()))
	}
	if r, err := Build(t.Context(), s.options); err != nil || r.Written > 0 { // once more what was written in the last tick
		t.Fatalf("a build after the watch: %+v, %v", r, err)
	}
	spoil("fishes", "dishes")
	if r := watch(); r.Written > 0 {
		t.Errorf("the watch read the published file: %+v", r)
	}
	s.check(os.RemoveAll(s.options.Cache))
	s.check(os.Chtimes(published, time.Unix(0, 0), time.Unix(0, 0))) // or what replaces it has a second that has not begun, and is not known before
	if r := watch(); r.Written == 0 {
		t.Errorf("a watch without memory: %+v", r)
	}
	settled()
	watch() // once more what was written in the last tick
	spoil("fishes", "dishes")
	if r, err := Build(t.Context(), s.options); err != nil || r.Written > 0 {
		t.Errorf("the build read the published file, which the watch had read: %+v, %v", r, err)
	}
}
