package source

import (
	"path"
	"slices"
)

// nextApps notes which folders are apps of Next.js: app and src/app if its configuration lies
// beside them, and those of these and the content folder that have a layout file.
func (r *siteReader) nextApps() {
	config := scriptOf(r.content, "next.config")
	for _, dir := range []string{"", "app", "src/app"} {
		hasLayout := func(ext string) bool { return isFile(r.content, path.Join(dir, "layout"+ext)) }
		if slices.ContainsFunc([]string{".js", ".jsx", ".ts", ".tsx"}, hasLayout) || config != "" && dir != "" {
			r.site.rules.apps = append(r.site.rules.apps, dir)
		}
	}
}

// inApp reports whether a file lies in an app of Next.js.
func (r *rules) inApp(p string) bool {
	return slices.ContainsFunc(r.apps, func(dir string) bool { return isBelow(p, dir) })
}
