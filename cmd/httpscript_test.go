//go:build e2e

package cmd_test

import (
	"bufio"
	"fmt"
	"io"
	"net/http"
	"os"
	"regexp"
	"strings"
	"testing"
)

// runHTTPScript asks base what the script says and compares. A script is lines:
//
//	with Name: value        a header of the next request
//	GET /path?q={name}      a request; {name} is replaced from vars (in checks too)
//	status 200
//	header Name: value      the exact value
//	header Name ~ regexp
//	header Name absent
//	body ~ regexp
//	same label              the same status, media type and body as all others of this label
//
// Requests are sent as they are written: nothing cleans the path. The script shares
// no code with the handlers, nor with the validator of the OpenAPI document.
func runHTTPScript(t *testing.T, client *http.Client, base, file string, vars map[string]string) {
	t.Helper()
	f, err := os.Open(file)
	must(t, err)
	defer f.Close()
	var pairs []string
	for k, v := range vars {
		pairs = append(pairs, "{"+k+"}", v)
	}
	replace := strings.NewReplacer(pairs...)
	var resp *http.Response
	var body string
	var headers []string
	labels := map[string]string{}
	asked, checks, number := 0, 0, 0
	for scan := bufio.NewScanner(f); scan.Scan(); {
		number++
		line := strings.TrimSpace(scan.Text())
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		line = replace.Replace(line)
		verb, rest, _ := strings.Cut(line, " ")
		fail := func(format string, args ...any) {
			t.Helper()
			at := "before the first request"
			if resp != nil {
				at = resp.Request.Method + " " + resp.Request.URL.Opaque
			}
			t.Errorf("%s:%d: %s: %s: %s", file, number, at, line, fmt.Sprintf(format, args...))
		}
		if verb == "with" {
			name, value, _ := strings.Cut(rest, ": ")
			headers = append(headers, name, value)
			continue
		}
		checks++
		switch verb {
		case "GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS":
			asked++
			resp, body = ask(t, client, verb, base, rest, headers...)
			headers = nil
		case "status":
			if got := fmt.Sprint(resp.StatusCode); got != rest {
				fail("got %s: %.300s", got, body)
			}
		case "header":
			name, want, exact := strings.Cut(rest, ": ")
			if exact {
				if got := resp.Header.Values(name); len(got) != 1 || got[0] != want {
					fail("got %q", got)
				}
				continue
			}
			if name, ok := strings.CutSuffix(rest, " absent"); ok {
				if got, ok := resp.Header[http.CanonicalHeaderKey(name)]; ok {
					fail("got %q", got)
				}
				continue
			}
			name, pattern, _ := strings.Cut(rest, " ~ ")
			if got := resp.Header.Get(name); !matches(t, pattern, got) {
				fail("got %q", got)
			}
		case "body":
			if !matches(t, strings.TrimPrefix(rest, "~ "), body) {
				fail("got %.500s", body)
			}
		case "same":
			got := fmt.Sprint(resp.StatusCode, resp.Header.Get("Content-Type"), body)
			if first, ok := labels[rest]; !ok {
				labels[rest] = got
			} else if got != first {
				fail("differs from the first of this label:\n got %s\nwant %s", got, first)
			}
		default:
			t.Fatalf("%s:%d: %q is no command", file, number, verb)
		}
	}
	if asked == 0 || checks == asked {
		t.Fatalf("%s: %d requests and %d checks", file, asked, checks-asked)
	}
	t.Logf("%s: %d requests, %d checks", file, asked, checks-asked)
}

func matches(t *testing.T, pattern, s string) bool {
	t.Helper()
	re, err := regexp.Compile(pattern)
	must(t, err)
	return re.MatchString(s)
}

// ask sends one request whose target is exactly target, with headers (name, value, name, …), and
// reads the whole answer.
func ask(t *testing.T, client *http.Client, method, base, target string, headers ...string) (*http.Response, string) {
	t.Helper()
	resp, body, err := tryAsk(client, method, base, target, headers...)
	must(t, err)
	return resp, body
}

func tryAsk(client *http.Client, method, base, target string, headers ...string) (*http.Response, string, error) {
	req, err := http.NewRequest(method, base, nil)
	if err != nil {
		return nil, "", err
	}
	// URL.Path, within the site, serves the validator; Opaque is what goes over the wire.
	path, query, _ := strings.Cut(target, "?")
	req.URL.Opaque = req.URL.Path + path
	req.URL.Path, req.URL.RawQuery = path, query
	for i := 0; i+1 < len(headers); i += 2 {
		req.Header.Add(headers[i], headers[i+1])
	}
	resp, err := client.Do(req)
	if err != nil {
		return nil, "", fmt.Errorf("%s %s: %w", method, target, err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		return nil, "", fmt.Errorf("%s %s: %w", method, target, err)
	}
	return resp, string(body), nil
}
