//go:build unix

package publication

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"newsstand/builder/article"
	"newsstand/builder/hinted"
)

// Every way in which a folder can be other than the builder writes it has its words.
func TestReadingIsStrict(t *testing.T) {
	dir := t.TempDir()
	site("first", 70).write(t, dir, nil)
	text := func(name string) string {
		data, err := os.ReadFile(filepath.Join(dir, name))
		must(t, err)
		return string(data)
	}
	manifest := text(article.ManifestPath)
	p, err := Open(os.DirFS(dir))
	must(t, err)
	first := p.Manifest().Chunks[0]
	for _, test := range []struct{ name, old, new, want string }{
		{"format", `"format":2`, `"format":3`, "has a format that this program does not know: 3, and 2 is the newest that it knows"},
		{"format without a sum", `"format":2`, `"format":1`, `and its bytes make ""`},
		{"another address", `"base_url":"https://site.example"`, `"base_url":"https://sitf.example"`, "something altered it after the builder"},
		{"another sum", `"sum":"` + p.Manifest().Sum, `"sum":"` + first.SHA256, "something altered it after the builder"},
		{"no sum", `,"sum":"` + p.Manifest().Sum + `"`, "", `has the sum ""`},
		{"no format", `"format":2`, `"formav":2`, "cannot be read: json: unknown field"},
		{"no manifest", manifest, "<html>", "is not a manifest"},
		{"unknown key", `"articles":70`, `"articels":70`, `unknown field "articels"`},
		{"repeated key", `"articles":70`, `"articles":70,"articles":70`, "a key is repeated"},
		{"missing key", `"articles":70,`, ``, "a key is repeated, missing"},
		{"case of a key", `"articles":70`, `"Articles":70`, "a key is repeated"},
		{"more after it", manifest, manifest + "{}", "invalid character"},
		{"null list", `"previous":[]`, `"previous":null`, "null where a list belongs"},
		{"escaping path", `"previous":[]`, `"previous":["../x"]`, `"../x" as previous`},
		{"previous out of order", `"previous":[]`, `"previous":["` + article.ChunkPath(strings.Repeat("b", 64)) + `","` + article.ChunkPath(strings.Repeat("a", 64)) + `"]`, "as previous out of order or twice"},
		{"previous that is current", `"previous":[]`, `"previous":["` + first.Path + `"]`, "not a former file of the corpus"},
		{"document out of order", `"path":"openapi.json"`, `"path":"api/aaa.json"`, "lists api/aaa.json out of order or twice"},
		{"empty chunk", fmt.Sprintf(`"articles":%d}`, first.Articles), `"articles":0}`, "has 0 articles in chunk 0"},
		{"large settings", fmt.Sprintf(`"bytes":%d},"files"`, p.Manifest().Search.Bytes), `"bytes":67108865},"files"`, "want at most 67108864"},
		{"document outside", `"path":"api/health.json"`, `"path":"../health.json"`, "not the path of a document"},
		{"document in the corpus", `"path":"api/health.json"`, `"path":"corpus/a.json"`, "not the path of a document"},
		{"document in the state", `"path":"api/health.json"`, `"path":".newsstand/a.json"`, "not the path of a document"},
		{"document with a backslash", `"path":"api/health.json"`, `"path":"api\\health.json"`, "not the path of a document"},
		{"document with a colon", `"path":"api/health.json"`, `"path":"api:health.json"`, "not the path of a document"},
		{"document in a document", `"path":"openapi.json"`, `"path":"api/health.json/a"`, "api/health.json/a, which lies in a file"},
		{"article as document", `"path":"api/health.json"`, `"path":"api/article/a.json"`, "not the path of a document"},
		{"chunk elsewhere", first.Path, "corpus/../secret.ndjson.gz", "where corpus/" + first.SHA256},
		{"sum", `"sha256":"` + first.SHA256, `"sha256":"` + strings.ToUpper(first.SHA256), "want 64 hexadecimal digits"},
		{"revision", p.Manifest().Revision, "xyz", `the revision "xyz"`},
		{"base url", `"base_url":"https://site.example"`, `"base_url":"https://site.example/"`, "no slash at the end"},
		{"a number twice", `"number":0`, `"number":1`, "chunk number 1 after 1, of 2"},
		{"number", `"number":1`, `"number":2`, "chunk number 2 after 0, of 2"},
		{"count", `"articles":70`, `"articles":71`, "counts 71 articles and has 70"},
		{"negative size", fmt.Sprintf(`"bytes":%d`, first.Bytes), `"bytes":-1`, "has -1 bytes"},
		{"bomb", fmt.Sprintf(`"bytes":%d`, first.Bytes), `"bytes":99999999999`, "want at most 268435456"},
		{"time zone", "T09:00:00Z", "T09:00:00+01:00", "not in UTC"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if !strings.Contains(manifest, test.old) {
				t.Fatalf("the manifest has no %q: %s", test.old, manifest)
			}
			_, err := Open(fstest.MapFS{article.ManifestPath: {Data: []byte(strings.Replace(manifest, test.old, test.new, 1))}})
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error %v, want %q", err, test.want)
			}
		})
	}
	if _, err := Open(fstest.MapFS{}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("an empty folder: %v", err)
	}
	pipe := fstest.MapFS{article.ManifestPath: {Data: []byte(manifest), Mode: fs.ModeNamedPipe}}
	if _, err := Open(pipe); err == nil || !strings.Contains(err.Error(), "is not a file but a pipe") {
		t.Errorf("a pipe: %v", err)
	}
}

// A folder that a builder of before the sum has published is read, whole, and the next build writes
// the sum.
func TestAManifestWithoutASumIsRead(t *testing.T) {
	dir := t.TempDir()
	sealed := site("first", 70).write(t, dir, nil).Manifest
	old := sealed
	old.Format, old.Sum = formatWithoutSum, ""
	data, err := article.Encode(old)
	must(t, err)
	must(t, os.WriteFile(filepath.Join(dir, article.ManifestPath), data, 0o644))
	if problems, err := Check(t.Context(), dir, nil, nil); err != nil || len(problems) > 0 {
		t.Errorf("%q, %v", problems, err)
	}
	r := site("first", 70).write(t, dir, nil)
	if r.Written != 1 || r.Manifest.Sum != sealed.Sum {
		t.Errorf("the next build wrote %d files, and the sum %s, want 1 and %s", r.Written, r.Manifest.Sum, sealed.Sum)
	}
	if p, err := Open(os.DirFS(dir)); err != nil || p.Manifest().Sum != sealed.Sum {
		t.Errorf("the file has no such sum: %v", err)
	}
}

// A builder that does not know the form of what is published would take down what it cannot read,
// and take the pages for somebody else's. It does nothing.
func TestWhatANewerBuilderHasPublishedStays(t *testing.T) {
	dir := t.TempDir()
	site("newer", 3).write(t, dir, nil)
	name := filepath.Join(dir, article.ManifestPath)
	manifest, err := os.ReadFile(name)
	must(t, err)
	must(t, os.WriteFile(name, bytes.Replace(manifest, []byte(`"format":2`), []byte(`"format":3,"new":true`), 1), 0o644))
	before := tree(t, dir)
	_, err = Begin(t.Context(), dir, nil)
	if !errors.Is(err, ErrFormat) || !strings.HasPrefix(hinted.Hint(err), "publish with a builder as new") {
		t.Errorf("%v, hint: %s", err, hinted.Hint(err))
	}
	if after := tree(t, dir); !maps.Equal(before, after) {
		t.Errorf("before there was\n%v\nand after it\n%v", before, after)
	}
}

// FuzzManifest: whatever is read back is what would be written.
func FuzzManifest(f *testing.F) {
	dir := f.TempDir()
	site("first", 70).write(f, dir, nil)
	data, err := os.ReadFile(filepath.Join(dir, article.ManifestPath))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data)
	f.Add([]byte(`{"format":2}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := ParseManifest(data)
		if err != nil {
			return
		}
		again, err := article.Encode(m)
		if err != nil || !bytes.Equal(again, data) {
			t.Errorf("%s\nbecomes\n%s %v", data, again, err)
		}
		for _, file := range m.Files {
			if !filepath.IsLocal(filepath.FromSlash(file.Path)) {
				t.Errorf("%q escapes", file.Path)
			}
		}
	})
}
