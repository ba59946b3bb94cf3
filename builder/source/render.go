package source

import (
	"fmt"

	"newsstand/builder/article"
)

// converter turns Markdown into HTML and text.
type converter struct{}

func newConverter() *converter { return &converter{} }

// Article renders one file of the folder, a published one. It depends on that file and
// the site's settings and on nothing else, and may be called from several goroutines.
func (f *Folder) Article(file File) (article.Article, []Problem, error) {
	return article.Article{}, nil, fmt.Errorf("render %s: not yet", file.Path)
}
