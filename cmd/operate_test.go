//go:build e2e

package cmd_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// What searchd's operator is given is right by the programs that will read it.

// Prometheus takes the alerts, fires them for what they are about, understands what
// the dashboard asks, and finds nothing to say of the metrics.
func TestE2EPrometheus(t *testing.T) {
	promtool := debianProgram(t, "promtool", "prometheus")
	check := func(stdin string, args ...string) {
		t.Helper()
		cmd := exec.Command(promtool, args...)
		cmd.Stdin = strings.NewReader(stdin)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("promtool %s: %v\n%s", strings.Join(args, " "), err, out)
		}
	}
	check("", "check", "rules", filepath.Join("searchd", "operate", "alerts.yaml"))
	check("", "test", "rules", filepath.Join("testdata", "alerts.yaml"))

	// The dashboard's questions, as rules.
	var board struct {
		Panels []struct{ Targets []struct{ Expr string } }
	}
	must(t, json.Unmarshal([]byte(read(t, filepath.Join("searchd", "operate", "dashboard.json"))), &board))
	type rule struct {
		Record string `json:"record"`
		Expr   string `json:"expr"`
	}
	var rules []rule
	for _, p := range board.Panels {
		for _, target := range p.Targets {
			// As Grafana fills them in.
			expr := strings.NewReplacer("$__rate_interval", "1m", "$job", ".*", "$instance", ".*").Replace(target.Expr)
			rules = append(rules, rule{fmt.Sprintf("panel:%d", len(rules)), expr})
		}
	}
	file, err := json.Marshal(map[string]any{"groups": []any{map[string]any{"name": "dashboard", "rules": rules}}})
	must(t, err)
	path := filepath.Join(t.TempDir(), "rules.yaml") // YAML holds JSON
	write(t, path, string(file))
	check("", "check", "rules", path)

	content, public := filepath.Join(t.TempDir(), "content"), filepath.Join(t.TempDir(), "public")
	buildSite(t, content, public, "first", 3)
	searchd, search := startSearchd(t, public, t.TempDir())
	get(http.DefaultClient, search+"/api/articles?q=common")
	metrics := ""
	until(t, "the answer that was sent is counted", func() bool {
		metrics = get(http.DefaultClient, searchd.says("the operator's side listens")+"/metrics")
		return strings.Contains(metrics, "searchd_requests_total{status=\"200\"} 1\n")
	})
	check(metrics, "check", "metrics")
}

// systemd understands the units, that of searchd with what a replica has beside it too, and rates
// them well; and searchd makes no system call that the unit forbids, opens no file but those that
// it is for, and from a folder no connection.
func TestE2EUnit(t *testing.T) {
	analyze, err := exec.LookPath("systemd-analyze")
	if err != nil {
		t.Skip("systemd-analyze is not here")
	}
	dir, err := programs()
	must(t, err)
	operate := func(name string) string {
		t.Helper()
		return strings.ReplaceAll(read(t, filepath.Join("searchd", "operate", name)), "/usr/local/bin/searchd", filepath.Join(dir, "searchd"))
	}
	check := func(unit string) {
		t.Helper()
		for _, args := range [][]string{
			{"verify", unit},
			{"security", "--offline=yes", "--threshold=20", unit}, // 2.0, where 10 is open
		} {
			if out, err := exec.Command(analyze, args...).CombinedOutput(); err != nil || args[0] == "verify" && len(out) > 0 {
				t.Errorf("systemd-analyze %s: %v\n%s", args[0], err, out)
			}
		}
	}
	unit := filepath.Join(t.TempDir(), "searchd.service")
	write(t, unit, operate("searchd.service"))
	check(unit)
	builder := filepath.Join(filepath.Dir(unit), "builder.service")
	write(t, builder, strings.ReplaceAll(read(t, "builder/operate/builder.service"), "/usr/local/bin/builder", filepath.Join(dir, "builder")))
	check(builder)
	socket := strings.TrimSuffix(unit, "service") + "socket"
	write(t, socket, operate("searchd.socket"))
	if out, err := exec.Command(analyze, "verify", socket).CombinedOutput(); err != nil || len(out) > 0 {
		t.Errorf("systemd-analyze verify: %v\n%s", err, out)
	}
	write(t, filepath.Join(unit+".d", "replica.conf"), operate("replica.conf"))
	check(unit)
	// Its user can own no file, so the guide lets systemd hand over Netlify's secret.
	for _, b := range blocks(guideText(t, "deploying-on-netlify")) {
		if b.language == "ini" {
			write(t, filepath.Join(unit+".d", "override.conf"), strings.ReplaceAll(b.code, "/usr/local/bin/searchd", filepath.Join(dir, "searchd")))
			check(unit)
		}
	}

	content, public := filepath.Join(t.TempDir(), "content"), filepath.Join(t.TempDir(), "public")
	build := func(word string) { buildSite(t, content, public, word, 3) }
	build("first")
	t.Run("system calls", func(t *testing.T) {
		if calls := systemCalls(t, analyze, operate("searchd.service"), public, build); calls["connect"] {
			t.Error("searchd opened a connection")
		}
	})
	t.Run("system calls of a replica", func(t *testing.T) {
		site := strings.Replace(startStaticHost(t, public).URL, "127.0.0.1", "localhost", 1)
		if calls := systemCalls(t, analyze, operate("searchd.service"), site, build, "--poll", "100ms"); !calls["connect"] {
			t.Error("searchd opened no connection")
		}
	})
}

// systemCalls are those of searchd from its start to its end, with a build of three articles with
// another word meanwhile. They are all allowed by a unit, as are the families of its sockets, and
// none is of a file that is neither the source's nor the data's, but for those of the system.
func systemCalls(t *testing.T, analyze, unit, source string, build func(word string), flags ...string) map[string]bool {
	strace := debianProgram(t, "strace", "strace")
	if out, err := exec.Command(strace, "-o", os.DevNull, "true").CombinedOutput(); err != nil {
		t.Skipf("strace cannot run here: %v\n%s", err, out)
	}
	allowed := map[string]bool{}
	var set func(name string, allow bool)
	set = func(name string, allow bool) {
		if !strings.HasPrefix(name, "@") {
			allowed[name] = allow
			return
		}
		out, err := exec.Command(analyze, "syscall-filter", name).Output()
		if err != nil {
			t.Fatalf("systemd-analyze syscall-filter %s: %v", name, err)
		}
		for _, member := range regexp.MustCompile(`(?m)^ +(@?[a-z0-9_-]+)$`).FindAllStringSubmatch(string(out), -1) {
			set(member[1], allow)
		}
	}
	for _, filter := range regexp.MustCompile(`(?m)^SystemCallFilter=(~?)(.*)$`).FindAllStringSubmatch(unit, -1) {
		for _, name := range strings.Fields(filter[2]) {
			set(name, filter[1] == "")
		}
	}

	trace := filepath.Join(t.TempDir(), "trace")
	data := t.TempDir()
	searchd := command(t, "searchd", append([]string{"serve", "--source", source, "--data", data, "--listen", "127.0.0.1:0", "--admin", "127.0.0.1:0"}, flags...)...)
	traced := exec.Command(strace, append([]string{"-f", "-qq", "-o", trace}, searchd.Args...)...)
	p := launch(t, "strace", traced)
	asks := func(word string) {
		until(t, "searchd finds "+word, func() bool {
			search := p.says("searchd listens")
			return search != "" && strings.Contains(get(http.DefaultClient, search+"/api/articles?q="+word), `"count":3,`)
		})
	}
	asks("common")
	build("second")
	asks("second")
	get(http.DefaultClient, p.says("the operator's side listens")+"/metrics")
	log := read(t, trace)
	first, _, _ := strings.Cut(log, " ")
	pid, err := strconv.Atoi(first)
	if err != nil {
		t.Fatalf("the trace begins with %.100q", log)
	}
	must(t, syscall.Kill(pid, syscall.SIGTERM))
	if err := <-p.exited; err != nil {
		t.Errorf("searchd ended with %v\n%s", err, p.output)
	}
	log = read(t, trace)
	calls := map[string]bool{}
	for _, m := range regexp.MustCompile(`(?m)^\d+ +([a-z_0-9]+)\(`).FindAllStringSubmatch(log, -1) {
		calls[m[1]] = true
	}
	if !calls["openat"] || !calls["bind"] {
		t.Fatalf("this is no trace of searchd:\n%s", lastLines(log, 20))
	}
	for call := range calls {
		if !allowed[call] {
			t.Errorf("searchd calls %s, which the unit forbids", call)
		}
	}
	// It opens its source, its data and what tells of the system, and changes nothing but its data.
	// Where a path is not from the root, it is below a folder that was opened before.
	in := func(path string, folders ...string) bool {
		return !filepath.IsAbs(path) || slices.ContainsFunc(folders, func(folder string) bool { return path == folder || strings.HasPrefix(path, folder+"/") })
	}
	opened := 0
	for _, m := range regexp.MustCompile(`(?m)^\d+ +open(?:at)?\((?:AT_FDCWD, )?"([^"]*)", ([A-Z_|]+)`).FindAllStringSubmatch(log, -1) {
		opened++
		writes := regexp.MustCompile("O_WRONLY|O_RDWR|O_CREAT|O_TRUNC").MatchString(m[2])
		if !in(m[1], data) && (writes || !in(m[1], source, searchd.Path, "/dev", "/etc", "/lib", "/lib64", "/proc", "/sys", "/usr")) {
			t.Errorf("searchd opened %s with %s", m[1], m[2])
		}
	}
	for _, m := range regexp.MustCompile(`(?m)^\d+ +((?:mkdir|mknod|rename|unlink|link|symlink|truncate|chmod|fchmod|chown|fchown|utimens|rmdir)[a-z0-9]*)\((?:AT_FDCWD, )?"([^"]*)"`).FindAllStringSubmatch(log, -1) {
		if opened++; !in(m[2], data) {
			t.Errorf("searchd calls %s of %s", m[1], m[2])
		}
	}
	if opened < 20 {
		t.Errorf("the trace has only %d calls with a path:\n%s", opened, lastLines(log, 20))
	}
	families := strings.Fields(regexp.MustCompile(`(?m)^RestrictAddressFamilies=(.*)$`).FindStringSubmatch(unit)[1])
	for _, m := range regexp.MustCompile(`\bsocket\((AF_[A-Z0-9]+)`).FindAllStringSubmatch(log, -1) {
		if !slices.Contains(families, m[1]) {
			t.Errorf("searchd opened a socket of %s, which the unit forbids", m[1])
		}
	}
	t.Logf("%d system calls, all allowed", len(calls))
	return calls
}

// The image's program is made as the Dockerfile says, from no more than it copies, and runs
// with nothing of a system around it, as nobody, in a tree that it cannot write.
func TestE2EImage(t *testing.T) {
	t.Parallel()
	if os.Geteuid() != 0 {
		t.Skip("only root can run a program in a tree of its own")
	}
	file := read(t, filepath.Join("searchd", "operate", "Dockerfile"))
	build, final, ok := strings.Cut(file, "\nFROM gcr.io/distroless/static-debian12:nonroot\n")
	if !ok {
		t.Fatalf("the Dockerfile has no second stage:\n%s", file)
	}
	source, made, root := t.TempDir(), t.TempDir(), t.TempDir()
	must(t, os.Chmod(root, 0o755))
	for _, line := range strings.Split(build, "\n") {
		do, rest, _ := strings.Cut(line, " ")
		switch {
		case do == "COPY":
			names := strings.Fields(rest)
			for _, name := range names[:len(names)-1] {
				runIn(t, "..", nil, "cp", "-r", "--parents", name, source)
			}
		case do == "RUN" && strings.Contains(rest, "go build"):
			runIn(t, source, nil, "sh", "-c", strings.ReplaceAll(rest, "/image/", made+"/"))
		}
	}
	owner := 0
	var args []string
	for _, line := range strings.Split(final, "\n") {
		do, rest, _ := strings.Cut(line, " ")
		switch do {
		case "COPY":
			names := strings.Fields(rest)
			from, to := names[len(names)-2], filepath.Join(root, names[len(names)-1])
			runIn(t, ".", nil, "cp", "-a", strings.Replace(from, "/image/", made+"/", 1), to)
			if strings.Contains(rest, "--chown=65532:65532") {
				must(t, os.Chown(to, 65532, 65532))
			}
		case "USER":
			id, _, _ := strings.Cut(rest, ":")
			var err error
			owner, err = strconv.Atoi(id)
			must(t, err)
		case "ENTRYPOINT", "CMD":
			var words []string
			if err := json.Unmarshal([]byte(rest), &words); err != nil {
				t.Fatalf("%s: %v", line, err)
			}
			args = append(args, words...)
		}
	}
	buildSite(t, filepath.Join(t.TempDir(), "content"), filepath.Join(root, "public"), "distroless", 3)

	listen := freeAddress(t)
	for i, arg := range args {
		if arg == ":8081" {
			args[i] = listen
		}
	}
	searchd := exec.Command(args[0], append(args[1:], "--admin", "127.0.0.1:0")...)
	searchd.Dir, searchd.Env = "/", []string{}
	searchd.SysProcAttr = &syscall.SysProcAttr{Chroot: root, Credential: &syscall.Credential{Uid: uint32(owner), Gid: uint32(owner)}}
	p := launch(t, "searchd of the image", searchd)
	until(t, "the image's searchd answers", func() bool {
		p.runs()
		return strings.Contains(get(http.DefaultClient, "http://"+listen+"/api/articles?q=distroless"), `"count":3,`)
	})
	p.stop(syscall.SIGTERM)
	if owner == 0 {
		t.Error("the image's user is root")
	}
}

// The manifest is what Kubernetes' own types take, strictly, and its pods may run where only
// restricted ones may; the check sees what is wrong.
func TestE2EKubernetes(t *testing.T) {
	t.Parallel()
	manifest := read(t, filepath.Join("searchd", "operate", "kubernetes.yaml"))
	program := filepath.Join(t.TempDir(), "kubernetes")
	runIn(t, filepath.Join("testdata", "kubernetes"), nil, "go", "build", "-o", program, ".")
	check := func(manifest string) (string, error) {
		cmd := exec.Command(program)
		cmd.Stdin = strings.NewReader(manifest)
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	if out, err := check(manifest); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	for _, mistake := range [][3]string{
		{"readinessProbe:", "readynessProbe:", "unknown field"},
		{"runAsNonRoot: true", "runAsNonRoot: false", "runAsNonRoot != true"},
		{"drop: [ALL]", "drop: [KILL]", "unrestricted capabilities"},
		{"replicas: 2", "replicas: two", "cannot unmarshal"},
		{"port: 443,", "prot: 443,", "unknown field"},
	} {
		wrong := strings.Replace(manifest, mistake[0], mistake[1], 1)
		if out, err := check(wrong); err == nil || wrong == manifest || !strings.Contains(out, mistake[2]) {
			t.Errorf("with %q: %v %s, want %q", mistake[1], err, out, mistake[2])
		}
	}
}
