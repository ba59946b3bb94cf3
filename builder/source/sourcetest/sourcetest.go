// Package sourcetest finds real articles, and articles that attack readers, for tests. Nothing else
// may import it.
package sourcetest

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// Guide is the name of the project's own articles.
const Guide = "guide"

// Folder returns the folder of the [Guide], or a folder within shared, which may lie beside the
// repository and holds sites and collections of other people. It skips the test if there is no such
// folder.
func Folder(t testing.TB, name string) string {
	t.Helper()
	repository := repository(t)
	if name == Guide {
		return filepath.Join(repository, "content")
	}
	dir := filepath.Join(filepath.Dir(repository), "shared", name)
	if _, err := os.Stat(dir); err != nil {
		t.Skipf("%s is not beside the repository: %v", name, err)
	}
	return dir
}

// repository returns the folder of the module in which the test runs.
func repository(t testing.TB) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		above := filepath.Dir(dir)
		if above == dir {
			t.Fatal("the test does not run within the module")
		}
		dir = above
	}
}

// EachArticle visits the Markdown files of a [Folder].
func EachArticle(t testing.TB, name string, visit func(path string, data []byte)) {
	t.Helper()
	err := filepath.WalkDir(Folder(t, name), func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || !slices.Contains([]string{".md", ".mdx", ".markdown"}, filepath.Ext(path)) {
			return err
		}
		data, err := os.ReadFile(path)
		if err == nil {
			visit(path, data)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// Attacks returns articles that try to run something in a reader's browser, in ways that public
// collections list.
func Attacks() []string {
	return []string{
		`<script>alert(1)</script>`, `<ScRiPt src=//x.example/a.js></sCrIpT>`, `<script/x>alert(1)</script>`, `<<script>alert(1)//<</script>`,
		`<img src=x onerror=alert(1)>`, `<img src=x onerror="alert(1)" />`, `<img/src=x/onerror=alert(1)>`, `<IMG """><SCRIPT>alert(1)</SCRIPT>">`,
		`<img src="javascript:alert(1)">`, `<img src="jav&#x09;ascript:alert(1)">`, `<img src=&#106;&#97;&#118;&#97;&#115;&#99;&#114;&#105;&#112;&#116;&#58;alert(1)>`,
		`<a href="javascript:alert(1)">x</a>`, `<a href=" &#14; javascript:alert(1)">x</a>`, `<a href="JaVaScRiPt:alert(1)">x</a>`, "<a href=\"java\nscript:alert(1)\">x</a>",
		`<a href="vbscript:msgbox(1)">x</a>`, `<a href="data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==">x</a>`, `[x](javascript:alert(1))`, `[x](  javascript:alert(1))`,
		`[x](data:text/html,<script>alert(1)</script>)`, `![x](javascript:alert(1))`, `![x](x "onerror=alert(1)")`, "[x]: javascript:alert(1)\n\n[x]", `<javascript:alert(1)>`,
		`<svg onload=alert(1)>`, `<svg><script>alert(1)</script></svg>`, `<svg><animate onbegin=alert(1) attributeName=x dur=1s>`, `<math><mi xlink:href="javascript:alert(1)">x</mi></math>`,
		`<iframe src="javascript:alert(1)"></iframe>`, `<iframe srcdoc="<script>alert(1)</script>"></iframe>`, `<iframe src="https://x.example/video"></iframe>`, `<object data="javascript:alert(1)"></object>`,
		`<embed src="javascript:alert(1)">`, `<base href="javascript:alert(1)//">`, `<meta http-equiv="refresh" content="0;url=javascript:alert(1)">`, `<link rel=stylesheet href="javascript:alert(1)">`,
		`<form action="javascript:alert(1)"><input type=submit></form>`, `<button formaction="javascript:alert(1)">x</button>`, `<input autofocus onfocus=alert(1)>`, `<input type=CheckBox checked name=a form=b autofocus onfocus=alert(1) id=c>`, `<input type=image src=1 onerror=alert(1)>`, `<select autofocus onfocus=alert(1)>`,
		`<textarea autofocus onfocus=alert(1)>`, `<details open ontoggle=alert(1)>x</details>`, `<video src=x onerror=alert(1)>`, `<video autoplay src=x></video>`, `<video><source src="javascript:alert(1)"><source src=" data:text/html,x"></video>`, `<video poster="javascript:alert(1)" src=x></video>`, `<audio src=x onerror=alert(1)>`, `<video><source onerror=alert(1)></video>`,
		`<body onload=alert(1)>`, `<div style="background:url(javascript:alert(1))">x</div>`, `<style>@import 'javascript:alert(1)';</style>`, `<p style="x:expression(alert(1))">x</p>`, `<table background="javascript:alert(1)"><tr><td>x</td></tr></table>`,
		`<!--<img src="--><img src=x onerror=alert(1)//">`, `<noscript><p title="</noscript><img src=x onerror=alert(1)>"></noscript>`, `<template><script>alert(1)</script></template>`, `<title><img src=x onerror=alert(1)></title>`,
		`<p title="</p><script>alert(1)</script>">x</p>`, "`<script>alert(1)</script>`", "```html\n<script>alert(1)</script>\n```", `&lt;script&gt;alert(1)&lt;/script&gt;`, `<a href="https://x.example" onclick="alert(1)" target=_blank>x</a>`,
		`<img srcset="javascript:alert(1) 1x, x.png 2x">`, `<a ping="https://x.example" href="#">x</a>`, `<xss id=x tabindex=1 onfocus=alert(1)></xss>`, `<marquee onstart=alert(1)>x</marquee>`, `<isindex type=image src=1 onerror=alert(1)>`,
		"# x {onclick=alert(1)}", "x{style=\"x\"}", `{{< rawhtml >}}<script>alert(1)</script>{{< /rawhtml >}}`, `{% raw %}<img src=x onerror=alert(1)>{% endraw %}`, `[^1]` + "\n\n[^1]: <script>alert(1)</script>",
		`<scr<script>ipt>alert(1)</scr</script>ipt>`, `<img src=x:alert(1) onerror=eval(src)>`, "<img src=x\u0000onerror=alert(1)>", `<a href="//x.example/%0aalert(1)">x</a>`, `<plaintext><script>alert(1)</script>`,
		`[x]({attach}/javascript:alert(1))`, `[x]({static}/contentjavascript:alert(1))`,
	}
}
