package verify

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/http"
	"net/url"
	"path"
	"reflect"
	"slices"
	"strings"

	"newsstand/builder/article"
	"newsstand/builder/publication"
)

// sampleSize is how many articles and documents are fetched without All: enough to meet every chunk
// of a small site, and about a second of a CDN's time.
const sampleSize = 50

// most returns how many of something to fetch: a sample of this size, or, with All, whatever there
// is.
func (v *verifier) most(sample int) int {
	if v.options.All {
		return math.MaxInt
	}
	return sample
}

// documents checks what the host says of itself, and what searchd follows.
func (v *verifier) documents() {
	v.corpus()
	v.openAPI()
	v.health()
	v.group = "documents"
	v.files()
	v.pages()
	v.underPath()
}

// corpus reads what was published.
func (v *verifier) corpus() {
	v.group = "corpus"
	const hint = "deploy the whole folder that builder wrote, corpus/ last, and let the host send it as it is"
	var served *corpus
	v.check("the manifest", "readable; that of the source, where one is given", hint, func() (string, error) {
		var err error
		if served, err = openCorpus(folder{v.ctx, v.host}); err != nil {
			return "", err
		}
		got := fmt.Sprintf("revision %s, %d articles", served.manifest().Revision, served.manifest().Articles)
		if v.source != nil && !reflect.DeepEqual(v.source.manifest(), served.manifest()) {
			return "", fmt.Errorf("%s (base %s), and the source has %s, %d articles (base %s)", got, served.manifest().BaseURL,
				v.source.manifest().Revision, v.source.manifest().Articles, v.source.manifest().BaseURL)
		}
		return got, nil
	})
	if v.published = cmp.Or(v.source, served); v.published != nil {
		v.report.Revision = v.published.manifest().Revision
	}
	if served == nil {
		v.skip("the chunks", "each is what its name says", "there is no manifest")
		return
	}
	v.check("the chunks", "each is what its name says", hint, func() (string, error) {
		chunks := spread(served.manifest().Chunks, v.most(sampleSize))
		for _, c := range chunks {
			if _, err := served.chunk(c); err != nil {
				return "", err
			}
		}
		return fmt.Sprintf("%d of %d whole", len(chunks), len(served.manifest().Chunks)), nil
	})
	v.ask("the manifest is never stale", request{target: "/" + article.ManifestPath}, "searchd asks it for news: let caches ask again each time",
		status(http.StatusOK), cached("must-revalidate"), cached("max-age=0"))
	if chunks := served.manifest().Chunks; len(chunks) > 0 {
		v.ask("the chunks never change", request{target: "/" + chunks[0].Path}, "their names are digests: let caches keep them",
			status(http.StatusOK), cached("immutable"))
	}
}

// health checks the health document.
func (v *verifier) health() {
	v.group = "health"
	const target = article.HealthOperation
	var h article.Health
	v.ask(
		"the published set is whole",
		request{target: target},
		"deploy the whole folder of one build; keep health.json out of caches",
		status(http.StatusOK),
		isJSON(),
		expectation{"status ok", func(a answer) error {
			if json.Unmarshal(a.body, &h) != nil || h.Status != article.HealthOK {
				return fmt.Errorf("%v: %.100q", a, a.body)
			}
			return nil
		}},
		expectation{"revision and number of the manifest", func(answer) error {
			if v.published == nil {
				return nil // the manifest has failed by itself
			}
			if m := v.published.manifest(); h.Revision != m.Revision || h.Articles != m.Articles {
				return fmt.Errorf("revision %s with %d articles, the manifest has %s with %d", h.Revision, h.Articles, m.Revision, m.Articles)
			}
			return nil
		}},
	)
	v.check("its links lead to this site", "links to this address", "build with --base-url and the address of this site", func() (string, error) {
		if h.Links != article.NewHealth(v.host.base.String(), h.Revision, h.Articles, h.UpdatedAt).Links {
			return "", fmt.Errorf("links to %q and %q", h.Links.OpenAPI, h.Links.Search)
		}
		return h.Links.Search, nil
	})
	v.ask("it is never stale", request{target: target}, "let caches ask again each time",
		status(http.StatusOK), cached("must-revalidate"), cached("max-age=0"))
	v.methods(target)
	v.validators(target)
}

// files checks the other documents of the manifest, byte for byte.
func (v *verifier) files() {
	const name, want = "pages, feeds and catalogs", "each as it was published, with its type"
	if v.published == nil {
		v.skip(name, want, "there is no manifest")
		return
	}
	v.check(
		name,
		want,
		"deploy the whole folder that builder wrote; switch off what rewrites pages (minifiers, injected scripts); of a type: set Content-Type for it",
		func() (string, error) {
			files := slices.DeleteFunc(slices.Clone(v.published.manifest().Files), func(f publication.File) bool {
				// What errors show has no address of its own, and hosts have rules for them.
				return path.Dir(f.Path) == path.Dir(article.ErrorPath(article.NotFound)) || f.Path == article.NotFoundPath
			})
			all := len(files)
			files = spread(files, v.most(sampleSize))
			err := v.concurrently(len(files), func(i int) error { return v.servesFile(files[i]) })
			return fmt.Sprintf("%d of %d equal", len(files), all), err
		},
	)
}

// servesFile says what is wrong with how a document of the manifest is answered.
func (v *verifier) servesFile(f publication.File) error {
	target := (&url.URL{Path: "/" + f.Path}).EscapedPath()
	if path.Base(f.Path) == "index.html" {
		target = strings.TrimSuffix(target, "index.html")
	}
	a, err := v.host.ask(v.ctx, request{target: target, length: f.Bytes})
	if err != nil {
		return fmt.Errorf("%s: %w", target, err)
	}
	if a.status != http.StatusOK || sum(a.body) != f.SHA256 {
		return fmt.Errorf("%s: %v with %d bytes, not the %d bytes that were published", target, a, len(a.body), f.Bytes)
	}
	if types := typesOf(f.Path); len(types) > 0 && !slices.Contains(types, a.media()) {
		return fmt.Errorf("%s: %q, not %s", target, a.header.Get("Content-Type"), types[0])
	}
	return nil
}

// typesOf returns the media types that a document may have; nil if any will do. Browsers run no
// script of another type, because nosniff forbids them to guess it, and feed readers go by it.
func typesOf(name string) []string {
	switch name {
	case "feed.json":
		return []string{"application/feed+json"}
	case "feed.xml":
		return []string{"application/atom+xml"}
	case ".well-known/api-catalog":
		return []string{"application/linkset+json"}
	}
	switch path.Ext(name) {
	case ".html":
		return []string{"text/html"}
	case ".css":
		return []string{"text/css"}
	case ".js":
		return []string{"text/javascript", "application/javascript"}
	case ".txt":
		return []string{"text/plain"}
	case ".xml":
		return []string{"application/xml", "text/xml"}
	}
	return nil
}

// pages checks what people see who follow the address of a problem's type.
func (v *verifier) pages() {
	v.check("problem types lead to a page", "200 text/html for each kind", "deploy problems/, and let the host show index.html of a folder",
		func() (string, error) {
			for _, k := range article.Kinds() {
				target := "/" + strings.TrimSuffix(article.ProblemPagePath(k), "index.html")
				a, err := v.host.ask(v.ctx, request{target: target})
				if err != nil {
					return "", err
				}
				if a.status != http.StatusOK || a.media() != "text/html" {
					return "", fmt.Errorf("%s: %v", target, a)
				}
			}
			return fmt.Sprintf("%d pages", len(article.Kinds())), nil
		})
	v.ask("a page that is not there", request{target: "/no/such/page"}, "let the host answer 404, not a page for everything",
		status(http.StatusNotFound))
}

// underPath checks what differs for a site that shares its host with others.
func (v *verifier) underPath() {
	base := v.host.base.String()
	if v.host.base.Path == "" {
		return
	}
	home := v.host.base.EscapedPath() + "/"
	v.ask("the path without a slash", request{}, "redirect it: the links of the page are relative, and lead past the site without the slash",
		expectation{"a redirect to " + home, func(a answer) error {
			to, err := v.host.base.Parse(a.header.Get("Location"))
			if err != nil || a.status < 300 || a.status >= 400 || to.String() != base+"/" {
				return errors.New(a.String())
			}
			return nil
		}})
	v.ofTheHost("/robots.txt", "Sitemap: "+base+"/sitemap.xml")
	v.ofTheHost("/.well-known/api-catalog", base+article.SearchOperation)
}

// ofTheHost looks at a document that programs ask for at the root of a host. The root may not be
// the site's own, so the check never fails: if the document does not name the site, the check is
// skipped.
func (v *verifier) ofTheHost(target, line string) {
	name, want := target+" of the whole host", "it has "+line
	a, err := v.host.ask(v.ctx, request{target: target, atRoot: true})
	if err != nil || a.status != http.StatusOK || !bytes.Contains(a.body, []byte(line)) {
		v.skip(name, want, "programs look for it at the root of the host, which is not this site's: add "+line+" to the one there, if you can")
		return
	}
	v.check(name, want, "", func() (string, error) { return a.String(), nil })
}

func sum(body []byte) string { return fmt.Sprintf("%x", sha256.Sum256(body)) }
