// Package markdown renders articles: it turns Markdown (CommonMark with GitHub's tables, footnotes
// and definition lists) or HTML into sanitised HTML and plain text. It knows neither files nor
// sites. Package dialect removes template code and other dialects of Markdown beforehand.
//
// goldmark parses Markdown (markdown.go), with bounds on what would take it quadratic time or
// memory (bounds.go). bluemonday sanitises HTML: it lets through what articles need and nothing
// that runs (policy.go, sanitise.go). Then the finisher (text.go) makes addresses absolute and
// gathers the text, both in one pass.
//
// Two files are fast paths: prose.go parses text without marks, and direct.go renders a parsed
// document without the sanitiser, which only the author's own HTML needs. Both give what goldmark
// and the sanitiser give, byte for byte; if they cannot be sure of that, they give up, and those
// two do the work.
//
// # Word counts
//
// A word is a run of letters and digits, perhaps with apostrophes, hyphens, dots or underscores in
// it. Chinese, Japanese, Thai, Lao, Khmer and Burmese have no spaces between words: there, two
// letters count as one word, because they take about as long to read.
package markdown
