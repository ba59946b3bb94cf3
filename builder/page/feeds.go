package page

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"time"

	"newsstand/builder/article"
)

// jsonFeed is a JSON Feed 1.1 (jsonfeed.org/version/1.1).
type jsonFeed struct {
	Version     string     `json:"version"`
	Title       string     `json:"title"`
	HomePageURL string     `json:"home_page_url"`
	FeedURL     string     `json:"feed_url"`
	Description string     `json:"description,omitempty"`
	Language    string     `json:"language,omitempty"`
	Items       []jsonItem `json:"items"`
}

type jsonItem struct {
	ID            string           `json:"id"`
	URL           string           `json:"url,omitempty"`
	Title         string           `json:"title"`
	Summary       string           `json:"summary,omitempty"`
	ContentHTML   string           `json:"content_html,omitempty"`
	ContentText   string           `json:"content_text"`
	Image         string           `json:"image,omitempty"`
	DatePublished time.Time        `json:"date_published"`
	DateModified  time.Time        `json:"date_modified,omitzero"`
	Authors       []article.Author `json:"authors,omitempty"`
	Tags          []string         `json:"tags,omitempty"`
	Language      string           `json:"language,omitempty"`
}

// atomFeed is a feed of RFC 4287.
type atomFeed struct {
	XMLName  xml.Name    `xml:"http://www.w3.org/2005/Atom feed"`
	Language string      `xml:"xml:lang,attr,omitempty"`
	ID       string      `xml:"id"`
	Title    string      `xml:"title"`
	Subtitle string      `xml:"subtitle,omitempty"`
	Updated  string      `xml:"updated"`
	Author   atomPerson  `xml:"author"`
	Links    []atomLink  `xml:"link"`
	Rights   string      `xml:"rights,omitempty"`
	Entries  []atomEntry `xml:"entry"`
}

type atomPerson struct {
	Name string `xml:"name"`
	URI  string `xml:"uri,omitempty"`
}

type atomLink struct {
	Rel  string `xml:"rel,attr"`
	Type string `xml:"type,attr,omitempty"`
	Href string `xml:"href,attr"`
}

type atomText struct {
	Type string `xml:"type,attr"`
	Text string `xml:",chardata"`
}

type atomCategory struct {
	Term string `xml:"term,attr"`
}

type atomEntry struct {
	Language   string         `xml:"xml:lang,attr,omitempty"`
	ID         string         `xml:"id"`
	Title      string         `xml:"title"`
	Published  string         `xml:"published"`
	Updated    string         `xml:"updated"`
	Authors    []atomPerson   `xml:"author"`
	Categories []atomCategory `xml:"category"`
	Links      []atomLink     `xml:"link"`
	Summary    string         `xml:"summary,omitempty"`
	Content    *atomText      `xml:"content"`
}

// feeds returns both feeds. An article is named by the address of its document, which
// stays when its page moves.
func (v view) feeds(newest []article.Article, updated time.Time) ([]File, error) {
	home := v.BaseURL + "/"
	if updated.IsZero() { // Atom wants a date where there is none
		updated = time.Unix(0, 0)
	}
	feed := jsonFeed{Version: "https://jsonfeed.org/version/1.1", Title: v.Title, HomePageURL: home, FeedURL: home + "feed.json",
		Description: v.Description, Language: v.Language, Items: []jsonItem{}}
	atom := atomFeed{Language: v.Language, ID: home, Title: v.Title, Subtitle: v.Description, Updated: rfc3339(updated),
		Author: atomPerson{Name: v.Title}, Links: []atomLink{{"self", "application/atom+xml", home + "feed.xml"}, {"alternate", "text/html", home}}}
	if v.License != nil {
		atom.Rights = v.License.Name
	}
	for _, a := range newest {
		if a.DatePublished.IsZero() {
			continue
		}
		id := v.BaseURL + article.ArticleOperation + "?id=" + a.ID
		item := jsonItem{
			ID:            id,
			URL:           a.URL,
			Title:         a.Title,
			Summary:       a.Summary,
			ContentHTML:   a.ContentHTML,
			ContentText:   a.ContentText,
			Image:         a.Image,
			DatePublished: a.DatePublished,
			DateModified:  a.DateModified,
			Authors:       a.Authors,
			Tags:          a.Tags,
			Language:      a.Language,
		}
		if item.ContentText == "" && item.ContentHTML == "" { // it is long, or has no text
			item.ContentText = a.Summary
		}
		feed.Items = append(feed.Items, item)
		atom.Entries = append(atom.Entries, v.entry(id, a))
	}
	jsonBytes, err := article.Encode(feed)
	if err != nil {
		return nil, err
	}
	xmlBytes, err := encodeXML(atom)
	if err != nil {
		return nil, err
	}
	return []File{{"feed.json", jsonBytes}, {"feed.xml", xmlBytes}}, nil
}

// entry is an article in the feed of RFC 4287.
func (v view) entry(id string, a article.Article) atomEntry {
	entry := atomEntry{
		Language:  a.Language,
		ID:        id,
		Title:     a.Title,
		Published: rfc3339(a.DatePublished),
		Updated:   rfc3339(a.DateModified),
		Summary:   a.Summary,
		Links:     []atomLink{{"alternate", "application/json", id}},
	}
	if a.URL != "" && !isDocument(v.BaseURL, a.URL) {
		entry.Links = []atomLink{{"alternate", "text/html", a.URL}, {"via", "application/json", id}}
	}
	if !v.WithoutMarkdown {
		entry.Links = append(entry.Links, atomLink{"alternate", "text/markdown", v.BaseURL + "/" + article.MarkdownPath(a.ID)})
	}
	if a.ContentHTML != "" {
		entry.Content = &atomText{"html", a.ContentHTML}
	}
	for _, author := range a.Authors {
		entry.Authors = append(entry.Authors, atomPerson{author.Name, author.URL})
	}
	for _, tag := range a.Tags {
		entry.Categories = append(entry.Categories, atomCategory{tag})
	}
	return entry
}

func rfc3339(t time.Time) string { return t.UTC().Format(time.RFC3339) }

func encodeXML(v any) ([]byte, error) {
	var b bytes.Buffer
	b.WriteString(xml.Header)
	enc := xml.NewEncoder(&b)
	enc.Indent("", "\t")
	if err := enc.Encode(v); err != nil {
		return nil, fmt.Errorf("encode %T: %w", v, err)
	}
	b.WriteByte('\n')
	return b.Bytes(), nil
}

// The most that one sitemap may have (sitemaps.org).
const (
	maxSitemapURLs  = 50_000
	maxSitemapBytes = 50 << 20 // not compressed
)

const sitemapNamespace = "http://www.sitemaps.org/schemas/sitemap/0.9"

type sitemapURLs struct {
	XMLName xml.Name      `xml:"urlset"`
	XMLNS   string        `xml:"xmlns,attr"`
	URLs    []sitemapItem `xml:"url"`
}

type sitemapIndex struct {
	XMLName  xml.Name      `xml:"sitemapindex"`
	XMLNS    string        `xml:"xmlns,attr"`
	Sitemaps []sitemapItem `xml:"sitemap"`
}

type sitemapItem struct {
	Loc     string `xml:"loc"`
	LastMod string `xml:"lastmod,omitempty"`
}

// sitemap returns sitemap.xml; where the pages are more than one may have, that is an index,
// and the pages are in sitemap-1.xml and so on.
func sitemap(baseURL string, pages []address, maxURLs, maxBytes int) ([]File, error) {
	items := []sitemapItem{{Loc: baseURL + "/"}, {Loc: baseURL + "/docs/"}}
	for _, p := range pages {
		if p.url == items[0].Loc || p.url == items[1].Loc { // an article may be the page there
			continue
		}
		item := sitemapItem{Loc: p.url}
		if !p.modified.IsZero() {
			item.LastMod = rfc3339(p.modified)
		}
		items = append(items, item)
	}
	var files []File
	index := sitemapIndex{XMLNS: sitemapNamespace}
	for len(items) > 0 {
		n := min(len(items), maxURLs)
		data, err := encodeXML(sitemapURLs{XMLNS: sitemapNamespace, URLs: items[:n]})
		for err == nil && len(data) > maxBytes && n > 1 {
			n /= 2
			data, err = encodeXML(sitemapURLs{XMLNS: sitemapNamespace, URLs: items[:n]})
		}
		if err != nil {
			return nil, err
		}
		name := fmt.Sprintf("sitemap-%d.xml", len(files)+1)
		files = append(files, File{name, data})
		index.Sitemaps = append(index.Sitemaps, sitemapItem{Loc: baseURL + "/" + name})
		items = items[n:]
	}
	if len(files) == 1 {
		files[0].Path = "sitemap.xml"
		return files, nil
	}
	data, err := encodeXML(index)
	return append(files, File{"sitemap.xml", data}), err
}
