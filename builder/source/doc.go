// Package source reads the articles of a site as their authors write them: Markdown or HTML with
// front matter, in the layout of Hugo, Jekyll, Zola, another static site generator, or none. It
// decides which files are articles and which of these are published, reports what is wrong with
// them, and renders them.
//
// # From file to record
//
// [Scan] reads a folder and decides what is published at a given time. It reads, in this order:
//
//  1. The settings: site.yaml (site.go), then the configuration of the site's generator, which
//     generator.go looks for. Each generator has files of its own (hugo.go, jekyll.go and so on;
//     small.go has those of which little need be known); script.go, python.go and ruby.go read
//     configurations that are programs. If there is none, below.go looks for a site deeper in the
//     folder. Files that hold the front matter of other files (metafiles.go) count as defaults
//     (defaults.go); others say what keys of authors stand for (authors.go). Together these make
//     the rules of the site (rules.go; folders.go for the folders that hold articles,
//     collections.go for sets of files in them, glob.go for patterns of file names). Languages that
//     the settings do not name may be guessed from the names of folders and files (language.go), or
//     from the texts (detect.go).
//  2. The section pages of Hugo and Zola, which hand front matter down to the files below them
//     (cascade.go). A section of Zola may be a draft, with all of its files.
//  3. Each file (scanner.go). Its name tells whether it may be an article (kind.go). Package
//     frontmatter parses its front matter, and meta.go interprets the keys by the vocabulary of the
//     generator (vocabulary.go; tags.go and authors.go for the values of these keys); slips.go
//     guesses what mistyped keys were meant to be. The front matter, the name of the file and the
//     rules decide the article's id (id.go), dates (dates.go; dateforms.go parses a single date),
//     address (address.go; permalink.go for patterns, webaddress.go for the characters that an
//     address may have) and [Status] (status.go).
//  4. The ids of all files: if several published files have the same id, none of them is published
//     (clash.go).
//  5. What decided about articles, once more (witness.go): if it has changed meanwhile, the scan
//     fails with a [ChangedError].
//  6. The search settings and the search tests of the site (search.go).
//
// [Folder.Article] renders one published file. Package include puts the files that its text names
// in their places (inclusions.go), package dialect removes template code and the markup that only
// the generator's own Markdown has, package markdown turns the rest into sanitised HTML and plain
// text, and render.go makes the article's record from these. links.go resolves links, and
// deadlinks.go reports those that lead to no article. An article depends on its own file, its file
// of front matter, the files that it includes, the site's settings, and the dates, address and tags
// that section pages hand down. Of other files only the paths matter and, of those to which it
// links, the addresses.
//
// The cache keeps what the bytes of each file say regardless of the settings and the clock
// (reading.go), including the mistakes that its text shows (mistakes.go). key.go computes a digest
// of everything that a rendered article depends on, but for where its links lead: whoever keeps the
// article asks [Folder.LeadsAsBefore].
//
// # Problems
//
// A [Problem] names a file, its place in the file if known, and how to fix it. An error keeps the
// article from being published; a warning does not. A problem in one file does not keep the others
// from being read.
//
// # Variables of a URL template
//
//	{id}                   the id of the article
//	{slug}                 the slug in its front matter, else the name of its file; in the form of an id
//	{path}                 its folders and the name of its file, without date, language and extension
//	{year} {month} {day}   its date, in the time zone of the site, with 4, 2 and 2 digits
//	{language}             its BCP 47 tag
//
// If the template has a part of the date, an article without a date has no address.
package source
