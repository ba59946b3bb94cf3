// Package markdown renders articles: Markdown (CommonMark with GitHub's tables, footnotes and
// definition lists) or HTML becomes sanitised HTML and the text that a person reads of it. It knows
// neither files nor sites; template code and other dialects of Markdown are taken out before.
//
// goldmark parses (markdown.go), with bounds for what would take it time by its square
// (shallow.go). bluemonday lets through what articles need and nothing that runs (policy.go). A
// [Renderer] makes addresses absolute and gathers the text from the same walk (text.go).
//
// Two files are fast paths: prose.go parses text without marks, and direct.go renders what came
// from Markdown and not from an author's own HTML, which is safe by construction. They give what
// goldmark and the sanitiser give, byte for byte; where they cannot be sure of that, they give up.
//
// # Word counts
//
// A word is a run of letters and digits, which an apostrophe, a hyphen, a dot or an
// underscore does not end. Chinese, Japanese, Thai, Lao, Khmer and Burmese have no spaces
// between words: there two letters count as one word, because they are read as fast.
package markdown
