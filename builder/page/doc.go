// Package page makes the documents by which people and programs find and try the API: a page with a
// search box, a reference to read and try, feeds, a sitemap, and the well-known documents. They are
// static files. [Documents] returns them, except for those of [Library], which come with a module
// and are the same for all sites.
//
//	index.html                 the page: search as you type, the newest articles, the operations
//	page/app.js, page/app.css  its script and style; any site may use them for its own search box
//	page/icon.svg              the icon of both pages
//	docs/index.html            the reference: what it shows without JavaScript
//	docs/reference.js, .css    how it shows the OpenAPI document
//	docs/swagger-ui…           what it shows it with: Swagger UI (github.com/swaggest/swgui)
//	llms.txt                   what a language model needs to know (llmstxt.org)
//	feed.json, feed.xml        the newest articles: JSON Feed 1.1, Atom (RFC 4287)
//	sitemap.xml, sitemap-N.xml the addresses of the human pages (sitemaps.org)
//	robots.txt                 everything is allowed; where the sitemap is (RFC 9309)
//	.well-known/api-catalog    where the API is described (RFC 9727, a linkset of RFC 9264)
//
// # Rules
//
// The same articles and settings make the same bytes: no clock, no random name. Only published
// articles are known here, and of those only the ones that search may find: an article with
// search: exclude is in none of the documents, because all of them are lists to find articles by.
//
// Newest means by date of publication; among equals the smaller id comes first. A feed
// is a matter of dates, so articles without one are on the page but not in the feeds.
// A date that people see is the day that it was in the site's time zone: a date of Tokyo
// without a time is the day before in UTC.
// The sitemap has the pages that are the site's own: below its base URL, and not
// documents of the API.
//
// The pages link relatively, so they work under any base path, and they hold no inline
// script or style, so the policy "default-src 'self'" fits them. (JSON-LD in the page is
// data, which no such policy concerns.) Without JavaScript the search form, the newest
// articles and the requests to copy remain. Page, script and style stay below 60 kB
// together; the reference is heavier, 1.7 MB, of which 0.4 MB travel.
//
// Swagger UI runs under the same policy, and asks no host but the site's own. Its CSS is in a
// layer, so that ours can give it the colours of the page and take out its pictures, which are
// data: addresses. The requests that it sends go to the host that shows it, whatever base URL the
// OpenAPI document names. Descriptions are shown as plain text, not as Markdown.
//
// The script builds the page by DOM calls only, never from HTML text: of an excerpt it knows the
// two tags <mark> and </mark> and the escapes that the API makes. The HTML of an article is parsed
// into a document in which nothing runs, and only the elements and attributes that are known to be
// harmless are made anew from it, without class, id and style. So the page is safe even if
// content_html is not. Other hosts are never asked: their pictures are links.
package page
