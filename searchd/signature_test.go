package searchd

import (
	"encoding/base64"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"newsstand/builder/article"
)

const (
	newSecret = "0123456789abcdef0123456789abcdef"
	oldSecret = "fedcba9876543210fedcba9876543210"
)

// token is a signature as the CDN makes it, but for what change changes.
func token(t testing.TB, method jwt.SigningMethod, key any, change func(jwt.MapClaims)) string {
	t.Helper()
	now := time.Now()
	claims := jwt.MapClaims{
		"iss": "netlify", "iat": now.Unix(), "exp": now.Add(5 * time.Minute).Unix(),
		"site_url": "https://site.example", "id": "0d3a9d2f", "context": "production",
	}
	if change != nil {
		change(claims)
	}
	s, err := jwt.NewWithClaims(method, claims).SignedString(key)
	must(t, err)
	return s
}

// Each row is one thing that is wrong, or right.
func TestSignatures(t *testing.T) {
	good := token(t, jwt.SigningMethodHS256, []byte(newSecret), nil)
	header, rest, _ := strings.Cut(good, ".")
	payload, signature, _ := strings.Cut(rest, ".")
	part := func(v any) string {
		b, err := json.Marshal(v)
		must(t, err)
		return base64.RawURLEncoding.EncodeToString(b)
	}
	hs256 := func(secret string, change func(jwt.MapClaims)) string {
		return token(t, jwt.SigningMethodHS256, []byte(secret), change)
	}
	for _, c := range []struct {
		name    string
		headers []string
		want    refusal
	}{
		{"the new secret", []string{good}, ""},
		{"the old secret", []string{hs256(oldSecret, nil)}, ""},
		{"a clock four minutes ahead", []string{hs256(newSecret, func(c jwt.MapClaims) { c["exp"] = time.Now().Add(time.Minute).Unix() })}, ""},
		{"a clock an hour behind", []string{hs256(newSecret, func(c jwt.MapClaims) {
			c["iat"], c["exp"] = time.Now().Add(time.Hour).Unix(), time.Now().Add(65*time.Minute).Unix()
		})}, ""},

		{"none", nil, unsigned},
		{"empty", []string{""}, unsigned},
		{"two, one of them right", []string{good, "x"}, unsigned},
		{"twice the right one", []string{good, good}, unsigned},

		{"no token", []string{"secret"}, malformed},
		{"two parts", []string{header + "." + payload}, malformed},
		{"four parts", []string{good + ".x"}, malformed},
		{"with the word Bearer", []string{"Bearer " + good}, malformed},
		{"padded", []string{good + "="}, malformed},
		{"not base64", []string{header + "." + payload + ".%%%"}, malformed},
		{"payload of no object", []string{header + "." + part("text") + "." + signature}, malformed},
		{"an algorithm nobody knows", []string{part(map[string]string{"alg": "HS1"}) + "." + payload + "." + signature}, malformed},
		{"no algorithm", []string{part(map[string]string{"typ": "JWT"}) + "." + payload + "." + signature}, malformed},
		{"long", []string{strings.Repeat("a", 1<<16)}, malformed},

		{"another secret", []string{hs256("another secret of the same length", nil)}, wrongSignature},
		{"the secret with a newline", []string{hs256(newSecret+"\n", nil)}, wrongSignature},
		{"an empty secret", []string{hs256("", nil)}, wrongSignature},
		{"no signature", []string{header + "." + payload + "."}, wrongSignature},
		{"a byte less", []string{header + "." + payload + "." + base64.RawURLEncoding.EncodeToString(make([]byte, 31))}, wrongSignature},
		{"another payload", []string{header + "." + part(map[string]any{"iss": "netlify", "exp": time.Now().Add(time.Hour).Unix()}) + "." + signature}, wrongSignature},
		{"alg none", []string{token(t, jwt.SigningMethodNone, jwt.UnsafeAllowNoneSignatureType, nil)}, wrongSignature},
		{"alg none, with a signature", []string{part(map[string]string{"alg": "none"}) + "." + payload + "." + signature}, wrongSignature},
		{"alg None", []string{part(map[string]string{"alg": "None"}) + "." + payload + "."}, malformed},
		{"HS512 with the right secret", []string{token(t, jwt.SigningMethodHS512, []byte(newSecret), nil)}, wrongSignature},
		{"HS384 with the right secret", []string{token(t, jwt.SigningMethodHS384, []byte(newSecret), nil)}, wrongSignature},

		{"expired", []string{hs256(newSecret, func(c jwt.MapClaims) { c["exp"] = time.Now().Add(-time.Second).Unix() })}, expired},
		{"expired and of another secret", []string{hs256("x", func(c jwt.MapClaims) { c["exp"] = 0 })}, wrongSignature},
		{"no expiry", []string{hs256(newSecret, func(c jwt.MapClaims) { delete(c, "exp") })}, wrongClaims},
		{"expiry of no number", []string{hs256(newSecret, func(c jwt.MapClaims) { c["exp"] = "tomorrow" })}, malformed},
		{"not valid yet", []string{hs256(newSecret, func(c jwt.MapClaims) { c["nbf"] = time.Now().Add(time.Hour).Unix() })}, wrongClaims},
		{"another issuer", []string{hs256(newSecret, func(c jwt.MapClaims) { c["iss"] = "someone" })}, wrongClaims},
		{"the issuer in capitals", []string{hs256(newSecret, func(c jwt.MapClaims) { c["iss"] = "Netlify" })}, wrongClaims},
		{"no issuer", []string{hs256(newSecret, func(c jwt.MapClaims) { delete(c, "iss") })}, wrongClaims},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := http.Header{"X-Nf-Sign": c.headers}
			if got := newSignatures([]string{newSecret, oldSecret}).check(h); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func TestSignatureHoldsFiveMinutes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSignatures([]string{newSecret})
		h := http.Header{"X-Nf-Sign": {token(t, jwt.SigningMethodHS256, []byte(newSecret), nil)}}
		time.Sleep(5*time.Minute - time.Second)
		if why := s.check(h); why != "" {
			t.Errorf("before its end: %s", why)
		}
		time.Sleep(time.Second)
		if why := s.check(h); why != expired || !strings.Contains(why.hint(), "clock") {
			t.Errorf("at its end: %q, %s", why, why.hint())
		}
	})
}

// Every request that is not signed is answered alike, whatever it asks; the reason is
// for the operator, once in the log.
func TestUnsignedRequestIs401(t *testing.T) {
	source := t.TempDir()
	publish(t, source, many(3, "walrus")...)
	log := &logged{}
	l, err := Open(t.Context(), Options{Source: source, NetlifySecrets: []string{newSecret}, Log: slog.New(slog.NewTextHandler(log, nil))})
	must(t, err)
	defer l.Close()
	load(t, l)
	h := NewHandler(l)
	if got := ask(t, h, "GET", "/api/articles?q=walrus", "X-Nf-Sign", token(t, jwt.SigningMethodHS256, []byte(newSecret), nil)); got.Code != 200 || !strings.Contains(got.Body.String(), `"count":3`) {
		t.Errorf("a signed search: %d %s", got.Code, got.Body)
	}
	want, err := article.Encode(article.NewProblem("https://site.example", article.Unsigned))
	must(t, err)
	asked := 0
	for _, request := range []string{"GET /api/articles?q=walrus", "GET /api/articles?limit=0", "OPTIONS /api/articles", "POST /api/articles", "GET /nothing", "GET /"} {
		for _, forged := range []string{"", "x.y.z", token(t, jwt.SigningMethodHS256, []byte(oldSecret), nil)} {
			method, target, _ := strings.Cut(request, " ")
			r := httptest.NewRequest(method, target, nil)
			r.Header.Set("X-Nf-Sign", forged)
			r.Header.Set("If-None-Match", "*")
			rec := httptest.NewRecorder()
			h.ServeHTTP(rec, r) // not judged by the OpenAPI document, which rightly has no 401
			asked++
			if rec.Code != 401 || rec.Body.String() != string(want) {
				t.Errorf("%s with %q: %d %s", request, forged, rec.Code, rec.Body)
			}
			for name, value := range map[string]string{
				"Content-Type": article.ProblemMediaType, "Cache-Control": "no-store", "WWW-Authenticate": "x-nf-sign",
				"Access-Control-Allow-Origin": "*", "ETag": "", "Netlify-CDN-Cache-Control": "",
			} {
				if got := rec.Header().Get(name); got != value {
					t.Errorf("%s with %q: %s: %q, want %q", request, forged, name, got, value)
				}
			}
		}
	}
	m := l.metrics
	if n := value(t, m.refused.WithLabelValues("missing")) + value(t, m.refused.WithLabelValues("malformed")) + value(t, m.refused.WithLabelValues("signature")); int(n) != asked {
		t.Errorf("%v refusals counted of %d", n, asked)
	}
	if got := log.count("a request was refused"); got != 3 {
		t.Errorf("%d lines, want one for each of three reasons:\n%s", got, log)
	}
}

// The daemon says once at its start which of the two it does, and never a secret.
func TestStartSaysWhetherRequestsAreVerified(t *testing.T) {
	for name, c := range map[string]struct {
		secrets []string
		status  int
		says    string
	}{
		"none": {nil, 200, "requests need no signature"},
		"two":  {[]string{newSecret, oldSecret}, 401, "only requests signed by Netlify are answered"},
	} {
		t.Run(name, func(t *testing.T) {
			public, _, log, stop := serving(t, ServeOptions{Options: Options{NetlifySecrets: c.secrets}})
			resp, _ := get(t, "http://"+public+"/api/articles?q=walrus")
			if err := stop(); err != nil || resp.StatusCode != c.status {
				t.Errorf("status %d, want %d: %v", resp.StatusCode, c.status, err)
			}
			if log.count(c.says) != 1 {
				t.Errorf("the log:\n%s", log)
			}
			for _, secret := range []string{newSecret, oldSecret} {
				if log.count(secret) != 0 {
					t.Errorf("the log holds a secret:\n%s", log)
				}
			}
		})
	}
}

// Nothing that was not made with the secret is taken, whatever it looks like.
func FuzzSignature(f *testing.F) {
	// The same in each of a fuzzer's processes, whenever it starts.
	good := token(f, jwt.SigningMethodHS256, []byte(newSecret), func(c jwt.MapClaims) {
		c["iat"], c["exp"] = 0, time.Date(2099, 1, 1, 0, 0, 0, 0, time.UTC).Unix()
	})
	f.Add(good)
	f.Add(good[:len(good)-1])
	f.Add(token(f, jwt.SigningMethodNone, jwt.UnsafeAllowNoneSignatureType, nil))
	f.Add("e30.e30.")
	s := newSignatures([]string{newSecret})
	f.Fuzz(func(t *testing.T, header string) {
		if s.check(http.Header{"X-Nf-Sign": {header}}) == "" && header != good {
			t.Errorf("%q is taken", header)
		}
	})
}
