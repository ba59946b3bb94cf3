package source

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"newsstand/builder/article"
)

// NewArticle returns the path, relative to the content folder, and the text of a new article of the
// site: a draft that has the date of the scan and a file name made from the title. It returns an
// error if no file can be named after the title.
func (f *Folder) NewArticle(title string) (name string, text []byte, err error) {
	title = collapse(title)
	id := cleanID(title)
	switch {
	case id == "":
		return "", nil, fmt.Errorf("name a file after the title %q: it has no letter or digit", title)
	case id == "index":
		return "", nil, fmt.Errorf("name a file after the title %q: generators take index.md for the page of its folder", title)
	case !article.ValidID(id):
		return "", nil, fmt.Errorf("name a file after the title: the name would be longer than %d bytes", article.MaxIDBytes)
	}
	// Go's quoted strings are valid YAML, too.
	head := fmt.Sprintf("title: %s\ndate: %s\n", strconv.Quote(title), f.now.In(f.Site.TimeZone).Format(time.RFC3339))
	name = id + ".md"
	if f.Site.generator == jekyll {
		name = path.Join("_drafts", name)
	} else {
		head += "draft: true\n"
	}
	return name, fmt.Appendf(nil, "---\n%s---\n\n", head), nil
}

// ID returns the id that a file with this path has if its front matter gives it none.
func (f *Folder) ID(name string) string {
	return f.Site.rules.name(name).id("", f.Site.DatesInIDs)
}

// WhyNone returns why a file with this path would not be an article, whatever its front matter
// says, or "" if it may be one.
func (f *Folder) WhyNone(name string) string {
	if slices.ContainsFunc(strings.Split(path.Dir(name), "/"), func(folder string) bool { return folder != "." && IsForeign(folder) }) {
		return "its folder is not searched for articles"
	}
	s := scanner{Folder: f}
	return s.whyNotArticle(name)
}
