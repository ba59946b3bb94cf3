package page

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/mmcdole/gofeed"
	"github.com/temoto/robotstxt"
	"golang.org/x/net/html"

	"newsstand/builder/article"
)

// What others read with is what says whether a document is right: these are libraries
// that many feed readers and robots use.
func TestOthersReadTheDocuments(t *testing.T) {
	harmful := post(2)
	harmful.Title, harmful.Summary, harmful.ContentText = hostile, hostile, hostile
	harmful.ContentHTML = "<p>" + html.EscapeString(hostile) + "</p>"
	files := documents(t, walks(), post(1), harmful)

	for _, name := range []string{"feed.xml", "feed.json"} {
		feed, err := gofeed.NewParser().ParseString(files[name])
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if feed.Title != "The Walker" || feed.FeedLink != "" && feed.FeedLink != "https://walker.example/api-of/"+name || len(feed.Items) != 2 {
			t.Errorf("%s: title %q, address %q, %d items", name, feed.Title, feed.FeedLink, len(feed.Items))
		}
		newest, first := feed.Items[0], feed.Items[1]
		if strings.TrimSpace(newest.Title) != strings.TrimSpace(hostile) || newest.Content != harmful.ContentHTML {
			t.Errorf("%s: a text is read as %q, %q", name, newest.Title, newest.Content)
		}
		if first.Title != "Walk 1" || first.Link != "https://walker.example/api-of/walks/walk-001/" || first.Content != post(1).ContentHTML ||
			first.Description != post(1).Summary || first.PublishedParsed == nil || !first.PublishedParsed.Equal(day(1)) ||
			first.UpdatedParsed == nil || !first.UpdatedParsed.Equal(day(2)) || len(first.Authors) != 1 || first.Authors[0].Name != "Gwen" || len(first.Categories) != 1 {
			t.Errorf("%s: an article is read as %+v", name, first)
		}
	}

	robots, err := robotstxt.FromString(files["robots.txt"])
	must(t, err)
	if !robots.TestAgent("/api/article/walk-001.json", "Googlebot") || !robots.TestAgent("/", "GPTBot") || len(robots.Sitemaps) != 1 ||
		robots.Sitemaps[0] != "https://walker.example/api-of/sitemap.xml" {
		t.Errorf("robots.txt allows less than everything, or has the sitemaps %q", robots.Sitemaps)
	}
}

// The linked data has what Google's search box and WebAPI ask for, with whole addresses.
func TestLinkedData(t *testing.T) {
	root, err := html.Parse(strings.NewReader(documents(t, walks(), post(1))["index.html"]))
	must(t, err)
	var data struct {
		Context string           `json:"@context"`
		Graph   []map[string]any `json:"@graph"`
	}
	for n := range root.Descendants() {
		if n.Data == "script" && n.FirstChild != nil {
			must(t, json.Unmarshal([]byte(n.FirstChild.Data), &data))
		}
	}
	if data.Context != "https://schema.org" || len(data.Graph) != 2 {
		t.Fatalf("the page has %+v", data)
	}
	site, api := data.Graph[0], data.Graph[1]
	action, _ := site["potentialAction"].(map[string]any)
	target, _ := action["target"].(map[string]any)
	if site["@type"] != "WebSite" || action["@type"] != "SearchAction" || target["urlTemplate"] != "https://walker.example/api-of/?q={search_term_string}" ||
		action["query-input"] != "required name=search_term_string" {
		t.Errorf("the site is %v", site)
	}
	provider, _ := api["provider"].(map[string]any)
	if api["@type"] != "WebAPI" || api["documentation"] != "https://walker.example/api-of/docs/" || provider["@id"] != site["@id"] {
		t.Errorf("the API is %v", api)
	}
}

// llms.txt has the form that llmstxt.org asks for: a title, a quotation, and then
// sections whose lists are links, each with an optional note.
func TestLLMsText(t *testing.T) {
	text := documents(t, walks(), post(1), article.Article{Meta: article.Meta{ID: "a", Title: hostile, Summary: hostile}})["llms.txt"]
	lines := strings.Split(strings.TrimSpace(text), "\n")
	if lines[0] != "# The Walker" || lines[2] != "> Walks in Wales, one a week." {
		t.Errorf("it begins with %q", lines[:3])
	}
	section := false
	for _, line := range lines[3:] {
		switch {
		case strings.HasPrefix(line, "## "):
			section = true
		case !section || line == "":
		case !strings.HasPrefix(line, "- [") || !strings.Contains(line, "](https://walker.example/api-of/"):
			t.Errorf("a section has the line %q", line)
		}
	}
	if !section {
		t.Error("it has no section")
	}
}
