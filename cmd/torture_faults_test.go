//go:build e2e

package cmd_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"newsstand/builder/article"
	"newsstand/builder/publication"
)

// edition publishes a site of which three articles, in different chunks, tell its number, and the
// others never change.
func edition(t *testing.T, content, public string, number int) {
	t.Helper()
	if number == 0 {
		writeSite(t, content, "other", 400)
	}
	for i := range 3 {
		writeArticle(t, content, fmt.Sprintf("e%d", i), "Edition", fmt.Sprintf("edition number%d of part%d", number, i))
	}
	build(t, content, public, "https://site.example")
}

// whichEdition asks searchd, and returns the number that its three articles tell.
func whichEdition(t *testing.T, base string) (number int) {
	t.Helper()
	var body []byte
	until(t, "a search is answered in time", func() bool { // the machine may be busy
		resp, err := (&http.Client{Timeout: patience}).Get(base + "/api/articles?q=edition")
		must(t, err)
		body, err = io.ReadAll(resp.Body)
		must(t, errors.Join(err, resp.Body.Close()))
		return !bytes.Contains(body, []byte("the search took longer than"))
	})
	var r article.SearchResult
	if err := json.Unmarshal(body, &r); err != nil || r.Total != 3 {
		t.Fatalf("searchd answers %q: %v", body, err)
	}
	for i, hit := range r.Articles {
		_, rest, _ := strings.Cut(hit.Excerpt, "number")
		n := -1
		fmt.Sscan(rest, &n)
		if i > 0 && n != number {
			t.Fatalf("an answer mixes editions: %s", body)
		}
		number = n
	}
	return number
}

// chunksOf are the paths of the chunks of the publication.
func chunksOf(t *testing.T, public string) map[string]bool {
	t.Helper()
	p, err := publication.Open(os.DirFS(public))
	must(t, err)
	paths := map[string]bool{}
	for _, c := range p.Manifest().Chunks {
		paths[filepath.Join(public, c.Path)] = true
	}
	return paths
}

// A file of the index that rots while nobody reads it, or is cut off while it is in use: a start
// believes what nobody wrote to, and what is wrong all the same is found soon, and built anew by
// the same process, whatever it does meanwhile.
func TestE2ETortureRot(t *testing.T) {
	for name, test := range map[string]struct {
		files   string
		damage  func(file *os.File) error
		edition int // that is published right then
		because string
	}{
		"a file rots": {"*.zap", func(file *os.File) error {
			_, err := file.WriteAt([]byte("rot"), 100) // in its place, for it is mapped
			return err
		}, 0, "the index is damaged: "},
		"a file is cut off":             {"*.zap", func(file *os.File) error { return file.Truncate(1000) }, 1, ""},
		"the catalog is cut off":        {"root.bolt", func(file *os.File) error { return file.Truncate(20_000) }, 1, ""},
		"the catalog is empty":          {"root.bolt", func(file *os.File) error { return file.Truncate(0) }, 1, ""},
		"the catalog is overwritten":    {"root.bolt", overwrite(func(b []byte) { clear(b) }), 1, ""},
		"the catalog is something else": {"root.bolt", overwrite(func(b []byte) { rand.NewChaCha8([32]byte{}).Read(b) }), 1, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel() // it waits until the files are no longer young
			content, public, data := t.TempDir(), t.TempDir(), t.TempDir()
			edition(t, content, public, 0)
			searchd, _ := startSearchd(t, public, data)
			files := func(name string) []string {
				found, err := filepath.Glob(filepath.Join(data, "index-*", name))
				must(t, err)
				return found
			}
			until(t, "the files of the index are stamped", func() bool {
				for _, path := range files("stamps") {
					text, err := os.ReadFile(path)
					return err == nil && bytes.Contains(text, []byte("root.bolt")) && bytes.Contains(text, []byte(".zap"))
				}
				return false
			})
			searchd.kill()
			searchd, base := startSearchd(t, public, data, "--poll", "200ms")
			for _, path := range files(test.files) {
				file, err := os.OpenFile(path, os.O_RDWR, 0)
				if err == nil {
					err = errors.Join(test.damage(file), file.Close())
				}
				must(t, err)
			}
			edition(t, content, public, test.edition)
			until(t, "it is built anew", func() bool {
				said := searchd.output.String()
				return strings.Contains(said, `msg="building a new index" because="`+test.because) && strings.Contains(said, "by=rebuild")
			})
			until(t, "the newest edition is served", func() bool { return whichEdition(t, base) == test.edition })
			until(t, "the damaged one is removed", func() bool { return len(files("")) == 1 })
			searchd.stop(syscall.SIGTERM)
		})
	}
}

// overwrite changes a file in its place.
func overwrite(how func([]byte)) func(*os.File) error {
	return func(file *os.File) error {
		info, err := file.Stat()
		if err != nil {
			return err
		}
		b := make([]byte, info.Size())
		if _, err := file.ReadAt(b, 0); err != nil {
			return err
		}
		how(b)
		_, err = file.WriteAt(b, 0)
		return err
	}
}

// kill -9 at random instants of updates, then a restart: it serves the edition before or
// after, whole, and comes to the newest without the chunks that it had.
func TestE2ETortureKills(t *testing.T) {
	content, public, data := t.TempDir(), t.TempDir(), t.TempDir()
	edition(t, content, public, 0)
	searchd, base := startSearchd(t, public, data)
	random := rand.New(rand.NewPCG(7, 8))
	began := time.Now()
	edition(t, content, public, 1)
	until(t, "the first edition is taken up", func() bool { return whichEdition(t, base) == 1 })
	whole := time.Since(began) // of a build and an update
	var ready times
	before, after := 0, 0
	for n := 2; n < tortureKills+2; n++ {
		had := chunksOf(t, public)
		manifest := filepath.Join(public, article.ManifestPath)
		old := read(t, manifest)
		sameManifest := func() bool {
			text, err := os.ReadFile(manifest)
			return err != nil || string(text) == old
		}
		killed := make(chan struct{})
		go func() {
			if n%2 == 0 { // at any instant; else right after the manifest is there, when it is read
				time.Sleep(time.Duration(random.Int64N(int64(whole))))
			} else {
				for begin := time.Now(); sameManifest() && time.Since(begin) < patience; {
					time.Sleep(time.Millisecond)
				}
				time.Sleep(time.Duration(random.Int64N(int64(100 * time.Millisecond))))
			}
			searchd.kill()
			close(killed)
		}()
		edition(t, content, public, n)
		<-killed
		hidden := map[string]string{}
		for path := range chunksOf(t, public) {
			if had[path] {
				hidden[path] = filepath.Join(t.TempDir(), "chunk")
				must(t, os.Rename(path, hidden[path]))
			}
		}
		if len(hidden) == 0 {
			t.Fatal("an edition changed all chunks")
		}
		began := time.Now()
		searchd, base = startSearchd(t, public, data)
		ready = append(ready, time.Since(began))
		switch got := whichEdition(t, base); got {
		case n - 1:
			before++
		case n:
			after++
		default:
			t.Fatalf("kill %d: edition %d is served, want %d or %d\n%s", n, got, n-1, n, searchd.output)
		}
		until(t, "the newest edition is taken up", func() bool { return whichEdition(t, base) == n })
		if said := searchd.output.String(); strings.Contains(said, "level=WARN") || strings.Contains(said, "level=ERROR") || strings.Contains(said, "building a new index") {
			t.Fatalf("kill %d: it says\n%s", n, said)
		}
		for path, from := range hidden {
			must(t, os.Rename(from, path))
		}
	}
	t.Logf("killed %d times: %d times the edition before was served then, %d times the one after; ready: %v", tortureKills, before, after, ready)
	if ready.at(.5) > time.Second { // of most, for the machine does other things as well
		t.Errorf("half of the starts took longer than %v", ready.at(.5))
	}
	searchd.stop(syscall.SIGTERM)
}

// fault is something that goes wrong while searchd runs.
type fault struct {
	name string
	// do breaks something, and publishes an edition or makes another one current, of that number.
	do func(number int)
	// undo fixes it.
	undo func()
	says []string // that a line of the log has, with a hint
}

// While something is wrong, the edition before stays in service, a line of the log says
// what to do, and a metric stands; when it is right again, the newest is served.
func TestE2ETortureFaults(t *testing.T) {
	content, public, data := t.TempDir(), filepath.Join(t.TempDir(), "public"), t.TempDir()
	aside := filepath.Join(t.TempDir(), "aside")
	full := os.Geteuid() == 0 && exec.Command("mount", "-t", "tmpfs", "-o", "size=16m", "tmpfs", data).Run() == nil
	if full {
		t.Cleanup(func() { exec.Command("umount", "-l", data).Run() })
	} else {
		t.Log("a full disk needs the right to mount one: left out")
	}
	edition(t, content, public, 0)
	flags := []string{"--poll", "200ms"}
	searchd, base := startSearchd(t, public, data, flags...)
	random := rand.New(rand.NewPCG(9, 10))
	manifest := filepath.Join(public, article.ManifestPath)
	var kept map[string][]byte // what was spoiled, as it was
	// spoil publishes beside, spoils, and only then publishes.
	spoil := func(number int, spoiled func(public string) map[string]func([]byte) []byte) {
		t.Helper()
		beside := filepath.Join(t.TempDir(), "public")
		must(t, os.CopyFS(beside, os.DirFS(public)))
		edition(t, content, beside, number)
		kept = map[string][]byte{}
		for path, how := range spoiled(beside) {
			text := []byte(read(t, path))
			name, err := filepath.Rel(beside, path)
			must(t, err)
			kept[filepath.Join(public, name)] = text
			must(t, os.WriteFile(path, how(bytes.Clone(text)), 0o644))
		}
		must(t, os.Rename(public, aside))
		must(t, os.Rename(beside, public))
		must(t, os.RemoveAll(aside))
	}
	mend := func() {
		for path, text := range kept {
			must(t, os.WriteFile(path+".new", text, 0o644))
			must(t, os.Rename(path+".new", path))
		}
	}
	torn := func(text []byte) []byte { return text[:random.IntN(len(text))] }
	flipped := func(text []byte) []byte {
		text[random.IntN(len(text))] ^= 1 << random.IntN(8)
		return text
	}
	manifestIs := func(how func([]byte) []byte) func(int) {
		return func(number int) {
			spoil(number, func(public string) map[string]func([]byte) []byte {
				return map[string]func([]byte) []byte{filepath.Join(public, article.ManifestPath): how}
			})
		}
	}
	newChunksAre := func(how func([]byte) []byte) func(int) {
		return func(number int) {
			had := map[string]bool{}
			for path := range chunksOf(t, public) {
				had[filepath.Base(path)] = true
			}
			spoil(number, func(public string) map[string]func([]byte) []byte {
				all := map[string]func([]byte) []byte{}
				for path := range chunksOf(t, public) {
					if !had[filepath.Base(path)] {
						all[path] = how
					}
				}
				return all
			})
		}
	}
	unreadable := []string{`msg="cannot take up the source; the revision served before stays"`, `hint="publish it again`}
	faults := []fault{
		{"the manifest is torn", manifestIs(torn), mend, unreadable},
		{"a bit of the manifest is flipped", manifestIs(flipped), mend, unreadable},
		{"new chunks are torn", newChunksAre(torn), mend, unreadable},
		{"bits of new chunks are flipped", newChunksAre(flipped), mend, unreadable},
		{"the folder is gone", func(number int) {
			edition(t, content, public, number)
			must(t, os.Rename(public, aside))
		}, func() { must(t, os.Rename(aside, public)) }, []string{"no such file or directory", "hint="}},
		{"the folder is empty", func(int) {
			must(t, os.Rename(public, aside))
			must(t, os.Mkdir(public, 0o755))
		}, func() {
			must(t, os.Remove(public))
			must(t, os.Rename(aside, public))
		}, []string{"no such file or directory", "hint="}},
		{"the manifest is a folder", func(int) {
			must(t, os.Rename(manifest, manifest+".aside"))
			must(t, os.Mkdir(manifest, 0o755))
		}, func() {
			must(t, os.Remove(manifest))
			must(t, os.Rename(manifest+".aside", manifest))
		}, []string{"is a directory", "hint="}},
		{"the manifest is a pipe", func(int) {
			must(t, os.Rename(manifest, manifest+".aside"))
			must(t, syscall.Mkfifo(manifest, 0o644))
		}, func() { must(t, os.Rename(manifest+".aside", manifest)) }, []string{"is not a file but a pipe", "hint="}},
		{"the index is taken away", func(number int) {
			must(t, os.RemoveAll(indexIn(t, data)))
			edition(t, content, public, number)
		}, func() {}, []string{"update the index", `hint="see that --data has free space and may be written`}},
	}
	if full {
		ballast := filepath.Join(data, "ballast")
		faults = append(faults, fault{"the disk is full", func(number int) {
			cmd := exec.Command("dd", "if=/dev/zero", "of="+ballast, "bs=4k")
			cmd.Run() // fails where the disk is full
			edition(t, content, public, number)
		}, func() { must(t, os.Remove(ballast)) }, []string{"no space left on device", `hint="see that --data has free space and may be written`}})
	}
	faults = slices.Concat(slices.Repeat(faults[:4], tortureBits), faults[4:])
	number := endure(t, searchd, base, content, faults)

	// A rollback is legal when it is whole.
	must(t, os.CopyFS(aside, os.DirFS(public)))
	edition(t, content, public, number+1)
	until(t, "the newest edition is served", func() bool { return whichEdition(t, base) == number+1 })
	must(t, os.RemoveAll(public))
	must(t, os.Rename(aside, public))
	until(t, "the edition before is served again", func() bool { return whichEdition(t, base) == number })
	searchd.stop(syscall.SIGTERM)
}

// endure lets searchd meet faults, one after the other, of a site of editions of which it serves
// number 0, and returns the number that is served then.
func endure(t *testing.T, searchd *program, base, content string, faults []fault) (number int) {
	t.Helper()
	for _, f := range faults {
		m := searchd.metrics()
		said := len(searchd.output.String())
		served := number
		began := time.Now()
		f.do(number + 1)
		failed := func() bool {
			return searchd.metrics()["searchd_reload_failures_total"] > m["searchd_reload_failures_total"]
		}
		until(t, f.name+": the failure is counted", failed)
		until(t, f.name+": the log says what to do", func() bool {
			for line := range strings.Lines(searchd.output.String()[said:]) {
				has := strings.Contains(line, "level=ERROR")
				for _, text := range f.says {
					has = has && strings.Contains(line, text)
				}
				if has {
					return true
				}
			}
			return false
		})
		number = lastEdition(t, content)
		if got := whichEdition(t, base); got != served && got != number {
			t.Errorf("%s: edition %d is served, want %d", f.name, got, served)
		}
		f.undo()
		rest := 10 * time.Since(began) // at most, of searchd after a load that failed: on a slow disk it may be longer than patience
		took := within(t, patience+rest, f.name+": fixed, the newest edition is served", func() bool { return whichEdition(t, base) == number })
		until(t, f.name+": the metric says so", func() bool { return searchd.metrics()["searchd_last_reload_successful"] == 1 })
		t.Logf("%s: served again %v after it was fixed", f.name, took.Round(time.Millisecond))
	}
	return number
}

// What searchd has no right to is told with what to do, and what it serves stays. Root has every
// right, so it runs as somebody else there.
func TestE2ETorturePermissions(t *testing.T) {
	home := t.TempDir()
	content, public, data := filepath.Join(home, "content"), filepath.Join(home, "public"), filepath.Join(home, "data")
	edition(t, content, public, 0)
	must(t, os.Mkdir(data, 0o700))
	serve := func(data string) *exec.Cmd {
		return command(t, "searchd", "serve", "--source", public, "--data", data, "--listen", "127.0.0.1:0", "--admin", "127.0.0.1:0", "--poll", "200ms")
	}
	as := func(cmd *exec.Cmd) *exec.Cmd { return cmd }
	if os.Geteuid() == 0 {
		const nobody = 65534
		program := filepath.Join(home, "searchd") // others cannot reach the one that the tests built
		must(t, os.WriteFile(program, []byte(read(t, serve(data).Path)), 0o755))
		must(t, os.Chown(data, nobody, nobody))
		must(t, os.Chmod(filepath.Dir(home), 0o755))
		as = func(cmd *exec.Cmd) *exec.Cmd {
			cmd.Path = program
			cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
			return cmd
		}
	}
	searchd := launch(t, "searchd", as(serve(data)))
	base := ""
	until(t, "searchd answers", func() bool {
		base = searchd.says("searchd listens")
		return base != "" && get(&http.Client{Timeout: patience}, base+"/api/articles?q=edition") != ""
	})
	corpus := filepath.Join(public, article.CorpusFolder)
	became := ""
	endure(t, searchd, base, content, []fault{
		{"the folder may not be read", func(number int) {
			edition(t, content, public, number)
			must(t, os.Chmod(corpus, 0))
		}, func() { must(t, os.Chmod(corpus, 0o755)) }, []string{"permission denied", `hint="let searchd read the folder`}},
		{"the index may not be written", func(number int) {
			became = indexIn(t, data)
			must(t, os.Chmod(became, 0o500))
			edition(t, content, public, number)
		}, func() { os.Chmod(became, 0o700) }, []string{`hint="see that --data has free space and may be written`}}, // it may be replaced by then
	})
	searchd.stop(syscall.SIGTERM)

	// A start that may not write its folder fails, and says so.
	must(t, os.Chmod(data, 0o500))
	out, err := as(serve(filepath.Join(data, "below"))).CombinedOutput()
	if err == nil || !strings.Contains(string(out), "permission denied") || !strings.Contains(string(out), "\nhint: give a folder that searchd may write with --data\n") {
		t.Errorf("a folder of others: %v\n%s", err, out)
	}
	must(t, os.Chmod(data, 0o700))
}

// indexIn is the folder of the one index in a data folder.
func indexIn(t *testing.T, data string) string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(data, "index-*"))
	if err != nil || len(found) != 1 {
		t.Fatalf("%v: %v", found, err)
	}
	return found[0]
}

// lastEdition is the number of the edition that was built last.
func lastEdition(t *testing.T, content string) (number int) {
	t.Helper()
	_, rest, _ := strings.Cut(read(t, filepath.Join(content, "e0.md")), "number")
	fmt.Sscan(rest, &number)
	return number
}

// Who reads the log may rest: searches, builds and the end do not wait for it, and it is told what
// it missed.
func TestE2ETortureUnreadLog(t *testing.T) {
	content, public := t.TempDir(), t.TempDir()
	edition(t, content, public, 0)
	for number, again := range []bool{false, true} {
		read, written, err := os.Pipe()
		must(t, err)
		defer read.Close()
		listen, admin := freeAddress(t), freeAddress(t)
		cmd := command(t, "searchd", "serve", "--source", public, "--listen", listen, "--admin", admin, "--log-level", "debug")
		cmd.Stderr = written
		must(t, errors.Join(cmd.Start(), written.Close()))
		defer cmd.Process.Kill()
		client := &http.Client{Timeout: patience}
		until(t, "searchd is ready", func() bool { return get(client, "http://"+admin+"/readyz") != "" })
		for i := range 3000 {
			if get(client, fmt.Sprintf("http://%s/api/articles?q=text%d", listen, i%400)) == "" {
				t.Fatalf("search %d is not answered", i)
			}
		}
		edition(t, content, public, number+1)
		until(t, "the new edition is served", func() bool { return whichEdition(t, "http://"+listen) == number+1 })
		if metrics := get(client, "http://"+admin+"/metrics"); !regexp.MustCompile(`(?m)^searchd_log_lines_lost_total [1-9]`).MatchString(metrics) {
			t.Error("the lines that are lost are not counted")
		}
		log := &lockedBuffer{}
		if again {
			go io.Copy(log, read)
			until(t, "it is told what it missed", func() bool {
				return strings.Contains(log.String(), `msg="lines of the log are lost: they could not be written" lines=`)
			})
		}
		cmd.Process.Signal(syscall.SIGTERM)
		if err := cmd.Wait(); err != nil {
			t.Errorf("the end: %v", err)
		}
		if again {
			until(t, "its last line is read", func() bool { return strings.HasSuffix(log.String(), "msg=drained\n") })
		}
	}
}
