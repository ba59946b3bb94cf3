//go:build e2e

package cmd_test

import (
	"compress/gzip"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"newsstand/builder/article"
)

// The configurations of the guide, in the hosts' own software: nginx, which keeps
// searches itself, and Caddy with Varnish before the search.

func TestE2ENginx(t *testing.T) {
	t.Parallel() // it waits for what is kept to become old
	testHost(t, startNginx)
}
func TestE2ECaddy(t *testing.T) {
	t.Parallel()
	testHost(t, startCaddy)
}

// The same under a path of a host that has another site, as the guide says.
func TestE2EUnderAPathOfNginx(t *testing.T) {
	testHostContract(t, startNginxUnderPath, copyContent(t), "/news")
}
func TestE2EUnderAPathOfCaddy(t *testing.T) {
	testHostContract(t, startCaddyUnderPath, copyContent(t), "/news")
}

// With the lines for TLS that are left to the operator, and a certificate of an authority that
// nobody knows: HTTP/2 and TLS 1.3 where it is named, and nothing at all where it is not.
func TestE2ENginxWithTLS(t *testing.T) {
	authority, certificate, key := certificateFor(t, "127.0.0.1")
	content, public, listen := copyContent(t), t.TempDir(), freeAddress(t)
	base := "https://" + listen
	build(t, content, public, base)
	_, search := startSearchd(t, public, t.TempDir())
	runNginx(t, freeAddress(t), public, map[string]string{
		"server 127.0.0.1:8081;":  "server " + strings.TrimPrefix(search, "http://") + ";",
		"# listen 443 ssl http2;": "listen " + listen + " ssl http2;",
		"# ssl_certificate     /etc/letsencrypt/live/example.org/fullchain.pem;": "ssl_certificate " + certificate + ";",
		"# ssl_certificate_key /etc/letsencrypt/live/example.org/privkey.pem;":   "ssl_certificate_key " + key + ";",
		"# ssl_protocols ": "ssl_protocols ",
	})
	out := run(t, "builder", "verify", base, "--source", public, "--content", content, "--ca-file", authority)
	for _, line := range []string{"ok   connection: TLS: ", "seen TLS 1.3, h2, certificate valid for 29 days", "ok   connection: old TLS is refused: ", " 0 failed, 0 skipped,"} {
		if !strings.Contains(out, line) {
			t.Errorf("builder verify does not say %q:\n%s", line, out)
		}
	}
	if out, err := command(t, "builder", "verify", base).CombinedOutput(); err == nil || !strings.Contains(string(out), "--ca-file") {
		t.Errorf("an authority that nobody knows: %v\n%s", err, out)
	}

	follow := func(env ...string) *program {
		cmd := command(t, "searchd", "serve", "--source", base, "--data", t.TempDir(), "--wait", "--listen", "127.0.0.1:0", "--admin", "")
		cmd.Env = append(os.Environ(), env...)
		return launch(t, "searchd", cmd)
	}
	replica, stranger := follow("SSL_CERT_FILE="+authority), follow()
	until(t, "the replica has followed", func() bool { return strings.Contains(replica.output.String(), "serving a new revision") })
	until(t, "the other one refuses", func() bool { return strings.Contains(stranger.output.String(), "SSL_CERT_FILE") })
}

// certificateFor makes an authority, and a certificate of it for an address, as files.
func certificateFor(t *testing.T, address string) (authority, certificate, key string) {
	t.Helper()
	dir := t.TempDir()
	issue := func(name string, template, parent *x509.Certificate, signer *ecdsa.PrivateKey) (path string, own *ecdsa.PrivateKey) {
		t.Helper()
		own, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
		must(t, err)
		if signer == nil {
			signer = own
		}
		template.SerialNumber, template.Subject = big.NewInt(1), pkix.Name{CommonName: name}
		template.NotBefore, template.NotAfter = time.Now().Add(-time.Hour), time.Now().Add(30*24*time.Hour-time.Hour)
		der, err := x509.CreateCertificate(rand.Reader, template, parent, own.Public(), signer)
		must(t, err)
		path = filepath.Join(dir, name+".pem")
		write(t, path, string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})))
		return path, own
	}
	root := &x509.Certificate{IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign}
	authority, signer := issue("authority", root, root, nil)
	leaf := &x509.Certificate{IPAddresses: []net.IP{net.ParseIP(address)}, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}}
	certificate, own := issue("server", leaf, root, signer)
	der, err := x509.MarshalPKCS8PrivateKey(own)
	must(t, err)
	key = filepath.Join(dir, "server.key")
	write(t, key, string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der})))
	return authority, certificate, key
}

// startHost starts a host that serves a folder at an address and asks a search.
type startHost func(t *testing.T, listen, public, search string)

func startNginx(t *testing.T, listen, public, search string) {
	runNginx(t, listen, public, map[string]string{"server 127.0.0.1:8081;": "server " + search + ";"})
}

func startNginxUnderPath(t *testing.T, listen, public, search string) {
	inner := freeAddress(t)
	runNginx(t, inner, public, map[string]string{
		"server 127.0.0.1:8081;":                   "server " + search + ";",
		`map "" $newsstand_path { default ""; }`:   `map "" $newsstand_path { default "/news"; }`,
		"# set_real_ip_from 127.0.0.1;":            "set_real_ip_from 127.0.0.1;",
		"# real_ip_header   X-Real-IP;":            "real_ip_header   X-Real-IP;",
		"# Newsstand behind nginx 1.22 or newer: ": nginxBefore(t, listen, inner, public) + "# ",
	})
	until(t, "the site before it listens", func() bool { return get(http.DefaultClient, "http://"+listen+"/") != "" })
}

// What nginx keeps makes room while the disk fills, so searches are answered. Those that cannot be
// kept, because the disk is full, are named in no log.
func TestE2ENginxOnASmallDisk(t *testing.T) {
	t.Parallel() // it waits for nginx to look at the disk
	public, listen, disk := t.TempDir(), freeAddress(t), newSmallDisk(t, "130m")
	buildSite(t, filepath.Join(t.TempDir(), "content"), public, "control", 20)
	_, search := startSearchd(t, public, t.TempDir())
	kept, log := filepath.Join(disk.dir, "searches"), filepath.Join(t.TempDir(), "log")
	runNginx(t, listen, public, map[string]string{
		"server 127.0.0.1:8081;":             "server " + strings.TrimPrefix(search, "http://") + ";",
		"/var/cache/nginx/newsstand ":        kept + " ",
		"/var/log/nginx/newsstand.log emerg": log + " emerg",
	})
	answers := func(word string) bool {
		return get(http.DefaultClient, "http://"+listen+"/api/articles?q=control+"+word) != ""
	}
	files := func() int {
		files, err := filepath.Glob(filepath.Join(kept, "*", "*", "*"))
		must(t, err)
		return len(files)
	}
	for i := range 20 {
		if !answers(fmt.Sprint("early", i)) {
			t.Fatal("a search is not answered")
		}
	}
	if files() != 20 {
		t.Errorf("of 20 answers, %d are kept", files())
	}
	disk.leave(t, 50<<20)
	until(t, "what is kept makes room", func() bool { return files() == 0 })
	if !answers("late") {
		t.Error("a search is not answered where there is little room")
	}
	disk.leave(t, 0)
	answers(canary)
	if text := read(t, log); strings.Contains(text, canary) || strings.Contains(text, "127.0.0.1") {
		t.Errorf("the log of nginx has\n%s", text)
	}
}

// nginxBefore is the configuration of a site whose server block has the lines of the guide.
// Its robots.txt names the site under the path; it knows nothing of API catalogs.
func nginxBefore(t *testing.T, listen, inner, public string) string {
	t.Helper()
	root, lines := t.TempDir(), filepath.Join(t.TempDir(), "under-path.conf")
	write(t, filepath.Join(root, "index.html"), "<p>Another site.")
	write(t, filepath.Join(root, "robots.txt"), read(t, filepath.Join(public, "robots.txt")))
	configure(t, "under-path.conf", lines, map[string]string{"127.0.0.1:8083": inner})
	return fmt.Sprintf("server {\nlisten %s;\nroot %s;\nlocation ~ \\.(?:json|css)$ { expires 1y; }\ninclude %s;\n}\n", listen, root, lines)
}

// runNginx starts nginx with the configuration after some changes.
func runNginx(t *testing.T, listen, public string, changes map[string]string) {
	t.Helper()
	nginx := debianProgram(t, "nginx", "nginx")
	dir := t.TempDir()
	all := map[string]string{
		"listen 80;":                         "listen " + listen + ";",
		"127.0.0.1:8084":                     freeAddress(t),
		"root /srv/site/public;":             "root " + public + ";",
		"client_header_timeout       10s;":   "client_header_timeout 2s;", // or the test would wait for it
		"/var/cache/nginx/newsstand ":        dir + "/searches ",
		"/var/log/nginx/newsstand.log emerg": "stderr error",
	}
	maps.Copy(all, changes)
	configure(t, "nginx.conf", filepath.Join(dir, "newsstand.conf"), all)
	// What Debian's nginx.conf has around it.
	user := ""
	if os.Geteuid() == 0 {
		user = "user root;"
	}
	write(t, filepath.Join(dir, "nginx.conf"), user+`
pid nginx.pid;
worker_processes auto;
events { }
http {
	include /etc/nginx/mime.types;
	default_type application/octet-stream;
	client_body_temp_path body; proxy_temp_path proxy; fastcgi_temp_path fastcgi; uwsgi_temp_path uwsgi; scgi_temp_path scgi;
	include newsstand.conf;
}
`)
	p := launch(t, "nginx", exec.Command(nginx, "-e", "stderr", "-p", dir, "-c", filepath.Join(dir, "nginx.conf"), "-g", "daemon off;"))
	t.Cleanup(func() { p.stop(syscall.SIGTERM) }) // or its workers would stay
	untilListening(t, p, listen)
}

func startCaddy(t *testing.T, listen, public, search string) {
	runCaddy(t, listen, public, search, nil, nil)
}

func startCaddyUnderPath(t *testing.T, listen, public, search string) {
	inner, lines := freeAddress(t), filepath.Join(t.TempDir(), "under-path.Caddyfile")
	configure(t, "under-path.Caddyfile", lines, map[string]string{"localhost:8085": inner})
	runCaddy(t, inner, public, search, map[string]string{
		"\nexample.org {":                          "\nhttp://" + listen + " {\nimport " + lines + "\nrespond `<p>Another site.` 200\n}\nhttp://" + inner + " {",
		"\t\t\theader_up X-Client {remote_host}\n": "",
	}, map[string]string{"</openapi.json>": "</news/openapi.json>"}, "NEWSSTAND_PATH=/news")
	until(t, "the site before it listens", func() bool { return get(http.DefaultClient, "http://"+listen+"/") != "" })
}

// runCaddy starts Caddy and Varnish with the configurations after some changes.
func runCaddy(t *testing.T, listen, public, search string, changes, cacheChanges map[string]string, env ...string) {
	t.Helper()
	varnish := debianProgram(t, "varnishd", "varnish", "varnish-modules")
	caddy := debianProgram(t, "caddy", "caddy")
	dir := t.TempDir()
	searchHost, searchPort, _ := net.SplitHostPort(search)
	replace := map[string]string{
		`.host = "127.0.0.1";`: `.host = "` + searchHost + `";`,
		`.port = "8081";`:      `.port = "` + searchPort + `";`,
		"/srv/site/public":     public,
		"req.grace = 300s;":    "req.grace = 2s;", // as between has it
	}
	maps.Copy(replace, cacheChanges)
	configure(t, "search.vcl", filepath.Join(dir, "search.vcl"), replace)
	cache := freeAddress(t)
	v := launch(t, "varnishd", exec.Command(varnish, "-F", "-j", "none", "-a", cache, "-f", filepath.Join(dir, "search.vcl"), "-s", "malloc,50m", "-n", filepath.Join(dir, "varnish")))
	t.Cleanup(func() { v.stop(syscall.SIGTERM) })

	replace = map[string]string{
		"\n{\n":                        "\n{\n\tadmin off\n\tauto_https off\n",
		"\nexample.org {":              "\nhttp://" + listen + " {",
		"root * /srv/site/public":      "root * " + public,
		"read_header 10s":              "read_header 2s", // or the test would wait for it
		"reverse_proxy localhost:8081": "reverse_proxy " + cache,
	}
	maps.Copy(replace, changes)
	configure(t, "Caddyfile", filepath.Join(dir, "Caddyfile"), replace)
	cmd := exec.Command(caddy, "run", "--config", filepath.Join(dir, "Caddyfile"), "--adapter", "caddyfile")
	cmd.Env = append(append(os.Environ(), env...), "HOME="+dir, "XDG_DATA_HOME="+dir, "XDG_CONFIG_HOME="+dir)
	c := launch(t, "caddy", cmd)
	t.Cleanup(func() { c.stop(syscall.SIGTERM) })
	untilListening(t, v, cache)
	untilListening(t, c, listen)
}

// configure writes a configuration of the guide with the addresses of a test.
func configure(t *testing.T, name, to string, replace map[string]string) {
	t.Helper()
	text := read(t, filepath.Join("..", "builder", "edge", "hosts", name))
	for from, with := range replace {
		if !strings.Contains(text, from) {
			t.Fatalf("%s does not have %q", name, from)
		}
		text = strings.ReplaceAll(text, from, with)
	}
	write(t, to, text)
}

func untilListening(t *testing.T, p *program, address string) {
	t.Helper()
	until(t, p.name+" listens", func() bool {
		p.runs()
		conn, err := net.Dial("tcp", address)
		if err == nil {
			conn.Close()
		}
		return err == nil
	})
}

// installing is held while Debian's package manager runs, which holds a lock itself.
var installing sync.Mutex

// debianProgram returns a program, which it installs from Debian's packages where it is
// missing and can be.
func debianProgram(t *testing.T, name string, packages ...string) string {
	t.Helper()
	installing.Lock()
	defer installing.Unlock()
	find := func() string {
		for _, path := range []string{name, "/usr/sbin/" + name} {
			if found, err := exec.LookPath(path); err == nil {
				return found
			}
		}
		return ""
	}
	if path := find(); path != "" {
		return path
	}
	if _, err := exec.LookPath("apt-get"); err != nil {
		t.Skipf("%s is not here, nor is apt-get to install it", name)
	}
	var sudo []string
	if os.Geteuid() != 0 {
		if err := exec.Command("sudo", "-n", "true").Run(); err != nil {
			t.Skipf("%s is not here, and only root can install it: apt-get install %s", name, strings.Join(packages, " "))
		}
		sudo = []string{"sudo", "-n"}
	}
	began := time.Now()
	for _, args := range [][]string{{"update", "-q"}, append([]string{"install", "-qy", "--no-install-recommends"}, packages...)} {
		// In runlevel 1, packages start no service.
		args = append(append(sudo[:len(sudo):len(sudo)], "env", "RUNLEVEL=1", "DEBIAN_FRONTEND=noninteractive", "apt-get"), args...)
		if out, err := exec.Command(args[0], args[1:]...).CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", strings.Join(args, " "), err, lastLines(string(out), 20))
		}
	}
	t.Logf("installed %s in %v", strings.Join(packages, ", "), time.Since(began).Round(time.Second))
	path := find()
	if path == "" {
		t.Fatalf("the packages %v have no %s", packages, name)
	}
	return path
}

func testHost(t *testing.T, start startHost) {
	content := copyContent(t)
	t.Run("contract", func(t *testing.T) { testHostContract(t, start, content, "") })
	t.Run("search cache", func(t *testing.T) { testHostCache(t, start, content) })
}

// hostedSite builds content/ for a path of a host, or for the whole of it, and starts its search.
func hostedSite(t *testing.T, content, below string) (listen, public, search string) {
	t.Helper()
	listen, public = freeAddress(t), t.TempDir()
	build(t, content, public, "http://"+listen+below)
	_, address := startSearchd(t, public, t.TempDir())
	return listen, public, strings.TrimPrefix(address, "http://")
}

// The host answers every row of the contract, and its limits hold.
func testHostContract(t *testing.T, start startHost, content, below string) {
	listen, public, search := hostedSite(t, content, below)
	start(t, listen, public, search)
	base := "http://" + listen + below
	client := prove(t, base, public, content)

	compresses(t, client, base)
	takesEncodedIDs(t, client, base)
	keepsNoRefusal(t, base, public)
	leadsToPages(t, listen, below)
	tellsPathsApart(t, base)
	if below == "" {
		refusesLongQueries(t, client, base, 7<<10, 9<<10, 15<<10)
	} else { // a host before this one has a limit of its own
		refusesLongQueries(t, client, base, 7<<10)
	}
	sameDocuments(t, base, below, public)
	outlivesOddRequests(t, client, listen, below)
	putsOffSearches(t, client, base)
}

// compresses wants files compressed for those who ask, and not sent twice.
func compresses(t *testing.T, client *http.Client, base string) {
	t.Helper()
	for _, target := range []string{"/api/article?id=getting-started", "/openapi.json", "/", "/page/app.js", "/docs/swagger-ui-bundle.js", "/feed.xml", "/api/articles?q=article"} {
		plain, whole := ask(t, client, "GET", base, target)
		packed, body := askWith(client, base, target, "Accept-Encoding", "gzip")
		zr, err := gzip.NewReader(strings.NewReader(body))
		if err != nil || packed.Header.Get("Content-Encoding") != "gzip" || !strings.Contains(packed.Header.Get("Vary"), "Accept-Encoding") {
			t.Errorf("%s: not compressed: %v %v", target, packed.Header, err)
			continue
		}
		if unpacked, err := io.ReadAll(zr); err != nil || string(unpacked) != whole {
			t.Errorf("%s: %d bytes unpack to %d, want %d: %v", target, len(body), len(unpacked), len(whole), err)
		}
		if len(body) > len(whole)*2/3 {
			t.Errorf("%s: %d bytes are packed to %d", target, len(whole), len(body))
		}
		for _, etag := range []string{plain.Header.Get("ETag"), packed.Header.Get("ETag")} {
			if again, _ := askWith(client, base, target, "If-None-Match", etag, "Accept-Encoding", "gzip"); again.StatusCode != http.StatusNotModified {
				t.Errorf("%s with If-None-Match %s: %d", target, etag, again.StatusCode)
			}
		}
	}
}

// takesEncodedIDs wants the same article, with the same headers, for an id whose letters are
// encoded.
func takesEncodedIDs(t *testing.T, client *http.Client, base string) {
	t.Helper()
	encoded := "/api/article?id=" + percentEncoded("getting-started")
	for _, headers := range [][]string{{}, {"Accept-Encoding", "gzip"}, {"If-None-Match", "*"}, {"Origin", "https://elsewhere.example"}} {
		want, wantBody := askWith(client, base, "/api/article?id=getting-started", headers...)
		got, body := askWith(client, base, encoded, headers...)
		if want == nil || got == nil {
			t.Errorf("%s with %q: no answer, or one outside of the contract", encoded, headers)
			continue
		}
		want.Header.Del("Date")
		got.Header.Del("Date")
		if got.StatusCode != want.StatusCode || body != wantBody || !reflect.DeepEqual(got.Header, want.Header) {
			t.Errorf("%s with %q: %d %v, want %d %v", encoded, headers, got.StatusCode, got.Header, want.StatusCode, want.Header)
		}
	}
}

// keepsNoRefusal wants that what one caller asks too much of is not kept for all by a cache before
// this host.
func keepsNoRefusal(t *testing.T, base, public string) {
	t.Helper()
	chunk := "/" + chunkOf(t, public)
	for _, target := range []string{"/api/article?id=getting-started", "/api/health", "/api/articles?q=article", "/openapi.json", "/page/app.js", "/feed.json", chunk} {
		refused := func(what string, resp *http.Response, body string) {
			t.Helper()
			if resp == nil || resp.StatusCode == http.StatusOK {
				return
			}
			if media := resp.Header.Get("Content-Type"); resp.StatusCode == http.StatusPreconditionFailed && strings.HasPrefix(target, "/api/") && media != article.ProblemMediaType {
				t.Errorf("%s with %s: %s as %s", target, what, resp.Status, media)
			}
			if cors := resp.Header.Values("Access-Control-Allow-Origin"); len(cors) != 1 && strings.HasPrefix(target, "/api/") && what != "X-Long" && what != "a body" {
				t.Errorf("%s with %s: %s, Access-Control-Allow-Origin %q", target, what, resp.Status, cors)
			}
			if kept := resp.Header.Values("Cache-Control"); resp.StatusCode < 400 || len(kept) > 1 || len(kept) == 1 && kept[0] != "no-store" {
				t.Errorf("%s with %s: %s, Cache-Control %q: %.100s", target, what, resp.Status, kept, body)
			}
		}
		for _, headers := range [][]string{
			{"Range", "bytes=99999999-"}, {"If-Match", `"other"`}, {"If-Unmodified-Since", "Mon, 01 Jan 1990 00:00:00 GMT"},
			{"X-Long", strings.Repeat("x", 12<<10)},
		} {
			resp, body := askWith(http.DefaultClient, base, target, headers...)
			refused(headers[0], resp, body)
		}
		// A body larger than a host takes, which does not say so before.
		req, err := http.NewRequest(http.MethodGet, base+target, io.LimitReader(strings.NewReader(strings.Repeat("x", 128<<10)), 128<<10))
		must(t, err)
		if resp, err := http.DefaultClient.Do(req); err == nil {
			body, _ := io.ReadAll(resp.Body)
			resp.Body.Close()
			refused("a body", resp, string(body))
		}
	}
}

// leadsToPages wants a folder to lead to its page, by whatever name and port the caller knows the
// host.
func leadsToPages(t *testing.T, listen, below string) {
	t.Helper()
	base := "http://" + listen + below
	noFollow := &http.Client{Timeout: patience, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	for _, folder := range []string{"/docs", "/problems/not-found"} {
		if resp, _ := ask(t, noFollow, "GET", base, folder); strings.TrimPrefix(resp.Header.Get("Location"), "http://"+listen) != below+folder+"/" {
			t.Errorf("%s: %s to %q", folder, resp.Status, resp.Header.Get("Location"))
		}
	}
}

// tellsPathsApart wants a path to be told by its case, and by each of its characters.
func tellsPathsApart(t *testing.T, base string) {
	t.Helper()
	for _, target := range []string{"/API/health", "/api/Health", "/api/Article?id=getting-started", "/api/article%20?id=getting-started", "/api/article.?id=getting-started", "/api/HEALTH.json"} {
		if resp, body := ask(t, http.DefaultClient, "GET", base, target); resp.StatusCode != http.StatusNotFound {
			t.Errorf("%s: %s %.100s", target, resp.Status, body)
		}
	}
}

// refusesLongQueries wants a query that is longer than a line may be to be too long a query, and no
// overload: to ask again would not help.
func refusesLongQueries(t *testing.T, client *http.Client, base string, lengths ...int) {
	t.Helper()
	for _, length := range lengths {
		if resp, body := ask(t, client, "GET", base, "/api/articles?q="+strings.Repeat("a", length)); resp.StatusCode != http.StatusBadRequest || !strings.Contains(body, "/problems/invalid-query") {
			t.Errorf("a query of %d bytes: %s %.100s", length, resp.Status, body)
		}
	}
}

// outlivesOddRequests wants headers that are too long, or too slow, and bodies that nobody wants,
// to be refused, and the host to live.
func outlivesOddRequests(t *testing.T, client *http.Client, listen, below string) {
	t.Helper()
	base := "http://" + listen + below
	if resp, _ := askWith(http.DefaultClient, base, "/api/health", "X-Long", strings.Repeat("x", 1<<20)); resp != nil && resp.StatusCode < 400 {
		t.Errorf("a header of 1 MB: %d", resp.StatusCode)
	}
	if below == "" { // else by the limits of the host before
		for _, text := range []string{
			"GET /api/health HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\n\r\n", "POST /api/health HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\n\r\n",
			"GET /api/health HTTP/1.1\r\nHost: ",
		} {
			if answer, err := talk(t, "http://"+listen, text); err != nil && !errors.Is(err, syscall.ECONNRESET) {
				t.Errorf("the host waits for the rest of %q: %v, %.100s", text, err, answer)
			}
		}
	}
	if get(client, base+"/api/health") == "" {
		t.Error("the host is gone")
	}
}

// putsOffSearches sends more searches than a page that searches as you type can send: some are put
// off, with the document of the contract, and soon it is as before.
func putsOffSearches(t *testing.T, client *http.Client, base string) {
	t.Helper()
	var refused, answered atomic.Int64
	var clients sync.WaitGroup
	for n := range 8 {
		clients.Go(func() {
			for i := range 100 {
				resp, err := client.Get(fmt.Sprintf("%s/api/articles?q=article&limit=%d", base, 1+(n*100+i)%100))
				if err != nil { // of the validator too
					t.Error(err)
					return
				}
				resp.Body.Close()
				switch resp.StatusCode {
				case http.StatusOK:
					answered.Add(1)
				case http.StatusServiceUnavailable:
					refused.Add(1)
				default:
					t.Errorf("status %d", resp.StatusCode)
				}
			}
		})
	}
	clients.Wait()
	t.Logf("800 searches at once: %d answered, %d put off", answered.Load(), refused.Load())
	if answered.Load() == 0 || refused.Load() == 0 { // a busy machine sends hardly more than are allowed
		t.Errorf("the limit of searches is not as configured")
	}
	until(t, "searches are answered again", func() bool { return get(client, base+"/api/articles?q=article") != "" })
}

// sameDocuments wants each kind of document with the headers that it has by the rules of
// netlify.toml.
func sameDocuments(t *testing.T, base, below, public string) {
	t.Helper()
	rules := edgeInGo(t, public)
	names := strings.NewReplacer("application/javascript", "text/javascript", "text/xml; charset=utf-8", "application/xml") // two for one
	for _, target := range []string{
		"/", "/index.html", "/docs/", "/docs/index.html", "/docs/swagger-ui-bundle.js", "/docs/reference.css", "/page/app.js", "/page/app.css",
		"/feed.json", "/feed.xml", "/sitemap.xml", "/robots.txt", "/llms.txt", "/.well-known/api-catalog", "/problems/not-found/",
		"/openapi.json", "/corpus/manifest.json", "/" + chunkOf(t, public),
		"/api/article?id=getting-started", "/api/article/getting-started.json", "/api/article/getting-started.md", "/api/health", "/api/health.json", "/api/article?id=no-such-article",
	} {
		got, _ := ask(t, http.DefaultClient, "GET", base, target)
		want, _ := ask(t, http.DefaultClient, "GET", rules, target)
		if got.StatusCode != want.StatusCode {
			t.Errorf("%s: %s, by the rules %s", target, got.Status, want.Status)
		}
		for _, name := range []string{"Content-Type", "Cache-Control", "Content-Security-Policy", "Referrer-Policy", "X-Content-Type-Options", "Access-Control-Allow-Origin", "Access-Control-Expose-Headers", "Link"} {
			g, w := names.Replace(got.Header.Get(name)), strings.ReplaceAll(want.Header.Get(name), "</", "<"+below+"/")
			if w != "" && g != w { // a host may say more
				t.Errorf("%s: %s: %q, by the rules %q", target, name, g, w)
			}
		}
	}
}

// chunkOf is the path of a chunk that is published.
func chunkOf(t *testing.T, public string) string {
	t.Helper()
	m, _ := published(t, public)
	return m.Chunks[0].Path
}

// talk sends text to a host as it is, and returns all that it answers until it hangs up.
func talk(t *testing.T, base, text string) (answer string, err error) {
	t.Helper()
	conn, err := dial(base, text)
	must(t, err)
	defer conn.Close()
	all, err := io.ReadAll(conn)
	return string(all), err
}

// askWith asks with headers; the answer is nil where the host hung up.
func askWith(client *http.Client, base, target string, headers ...string) (*http.Response, string) {
	resp, body, _ := tryAsk(client, http.MethodGet, base, target, headers...)
	return resp, body
}

// between stands between a host and searchd: it counts, can hold requests back, and lets answers
// grow old in one second in place of a minute, and too old to be sent meanwhile in two more.
type between struct {
	*httptest.Server
	asked atomic.Int64
	fails atomic.Bool  // whether it answers as a searchd that is overloaded
	gate  sync.RWMutex // held while requests are held back
}

// wait returns when requests are not held back.
func (b *between) wait() {
	b.gate.RLock()
	defer b.gate.RUnlock()
}

func startBetween(t *testing.T, search string) *between {
	b := &between{}
	proxy := &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			r.SetURL(&url.URL{Scheme: "http", Host: search})
			r.Out.URL.RawQuery = r.In.URL.RawQuery // as it was sent
		},
		ModifyResponse: func(r *http.Response) error {
			r.Header.Set("Cache-Control", strings.NewReplacer("max-age=60", "max-age=1", "stale-while-revalidate=300", "stale-while-revalidate=2").Replace(r.Header.Get("Cache-Control")))
			return nil
		},
		ErrorHandler: func(http.ResponseWriter, *http.Request, error) { panic(http.ErrAbortHandler) }, // hang up
	}
	b.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		b.asked.Add(1)
		b.wait()
		if b.fails.Load() {
			article.WriteProblem(w, "", article.NewProblem("", article.Overloaded))
			return
		}
		proxy.ServeHTTP(w, r)
	}))
	t.Cleanup(b.Server.Close)
	return b
}

// Searches are kept under exactly the parameters that search knows; an old answer is
// sent while a new one is fetched; what was asked before outlives searchd.
func testHostCache(t *testing.T, start startHost, content string) {
	listen, public := freeAddress(t), t.TempDir()
	build(t, content, public, "http://"+listen)
	searchd, search := startSearchd(t, public, t.TempDir())
	direct, _ := ask(t, http.DefaultClient, "GET", search, "/api/articles?q=article")
	b := startBetween(t, strings.TrimPrefix(search, "http://"))
	start(t, listen, public, b.Listener.Addr().String())
	base := "http://" + listen
	client := &http.Client{Timeout: patience}

	// asks returns the answer, and how often searchd was asked for it.
	asks := func(query string) (body string, asked int64) {
		before := b.asked.Load()
		return get(client, base+"/api/articles?"+query), b.asked.Load() - before
	}
	want, asked := asks("q=article")
	if want == "" || asked != 1 {
		t.Fatalf("the first search asked %d times: %s", asked, want)
	}
	for _, query := range []string{"q=article", "q=article&utm_source=x", "utm_source=y&q=article", "limit=&q=article", "q=article&Q=other&qq=z&offset"} {
		if body, asked := asks(query); asked > 1 || body != want {
			t.Errorf("%s: asked %d times: %.200s", query, asked, body)
		}
	}
	if n := b.asked.Load(); n > 2 { // a second may have passed
		t.Errorf("one search in six spellings asked searchd %d times", n)
	}
	_, names, _ := strings.Cut(direct.Header.Get("Netlify-Vary"), "query=")
	for name := range strings.SplitSeq(names, "|") {
		value := map[string]string{"q": "article", "limit": "3", "offset": "2", "tag": "api", "language": "de"}[name]
		query := "q=article&" + name + "=" + value
		if name == "q" {
			query = "q=other"
		}
		got, asked := asks(query)
		if asked != 1 || got == want {
			t.Errorf("%s is no part of the key: asked %d times: %.200s", name, asked, got)
		}
		if whole := get(client, search+"/api/articles?"+query); got != whole {
			t.Errorf("%s: the host answers\n%.300s\nand searchd\n%.300s", query, got, whole)
		}
	}
	for _, query := range []string{"q=article&q=other", "q=article&%71=other", "%71=article", "q=article&tag=api&tag=go"} {
		wantStatus, wantBody := ask(t, client, "GET", search, "/api/articles?"+query)
		for range 2 { // the same from searchd each time
			resp, body := ask(t, client, "GET", base, "/api/articles?"+query)
			if resp.StatusCode != wantStatus.StatusCode || body != wantBody {
				t.Errorf("%s: %d %.200s, want %d %.200s", query, resp.StatusCode, body, wantStatus.StatusCode, wantBody)
			}
		}
		if body, _ := asks("q=article"); body != want {
			t.Errorf("%s has changed the answer to q=article: %.200s", query, body)
		}
	}

	// An old answer, while the new one is held back: nobody waits for it.
	b.gate.Lock()
	before := b.asked.Load()
	until(t, "what is kept is old, and a new answer is fetched", func() bool {
		if body := get(client, base+"/api/articles?q=article"); body != want {
			t.Fatalf("while a new answer is fetched: %.200s", body)
		}
		time.Sleep(50 * time.Millisecond) // or the limit of searches would be met
		return b.asked.Load() > before
	})
	b.gate.Unlock()

	// With a searchd that fails, and without one: what was asked before, the articles, and the
	// truth about the rest.
	outlives := func(what string) {
		t.Helper()
		for range 8 {
			if body := get(client, base+"/api/articles?q=article"); body != want {
				t.Errorf("%s: %.200s", what, body)
			}
			time.Sleep(600 * time.Millisecond) // until only the failure allows what is kept
		}
	}
	b.fails.Store(true)
	outlives("searchd is overloaded")
	b.fails.Store(false)
	until(t, "a new answer is kept", func() bool { _, asked := asks("q=article"); return asked > 0 })
	searchd.kill()
	outlives("without searchd")
	resp, body := ask(t, client, "GET", base, "/api/articles?q=never+asked+before")
	var p article.Problem
	if err := json.Unmarshal([]byte(body), &p); err != nil || resp.StatusCode != http.StatusServiceUnavailable || !strings.HasSuffix(p.Type, "/problems/overloaded") ||
		resp.Header.Get("Retry-After") == "" || resp.Header.Get("Cache-Control") != "no-store" || resp.Header.Get("Access-Control-Allow-Origin") != "*" {
		t.Errorf("a search that nobody asked before: %d %v %s", resp.StatusCode, resp.Header, body)
	}
	if body := get(client, base+"/api/article?id=getting-started"); body != read(t, filepath.Join(public, article.Path("getting-started"))) {
		t.Errorf("an article without searchd: %.200s", body)
	}
}
