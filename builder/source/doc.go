// Package source reads the articles of a site as their authors write them: Markdown or
// HTML with front matter, in a folder of this program's own form or in one of Hugo, Jekyll or Zola.
// It says which files are articles, what becomes of each, and what is wrong with them;
// and it renders one.
//
// # From file to record
//
// [Scan] reads a folder, and decides what is published at a given time:
//
//  1. The settings: site.yaml (site.go), then the configuration of the site's generator
//     (generator.go, jekyll.go, project.go; script.go where it is a program). Together they
//     make the rules of the site (rules.go; glob.go for which files they name). What they do not say, the names of the
//     files may (folders.go).
//  2. The section pages of Hugo and Zola: what they hand down to the files below them
//     (cascade.go), and which folders are drafts.
//  3. Each file. Package frontmatter parses what is above its text, and meta.go gives the
//     keys a meaning, by the vocabulary of the generator (keys.go). From these, the name of the
//     file and the rules come its id (id.go), dates (date.go) and address (address.go,
//     permalink.go); and from all of them its [Status].
//  4. The ids of all files: where two published files have one, neither is published
//     (clash.go).
//  5. The search settings and the search tests of the site.
//
// [Folder.Article] renders one published file. Package dialect takes out the template code and
// the marks of its program's own Markdown; package markdown turns the rest into sanitised HTML
// and plain text; and render.go makes the record of it. An
// article depends on its own file and the site's settings only: of other files it never needs
// more than the path.
//
// What a file says by itself is kept in the cache (reading.go), and is the same whatever
// the settings and the clock.
//
// # Problems
//
// A [Problem] has its file, its place, and a hint. An error keeps the article from being
// published, a warning does not. All files are read, whatever is wrong with one of them.
//
// # Variables of a URL template
//
//	{id}                   the id of the article
//	{slug}                 slug in its front matter, else the name of its file; in the form of an id
//	{path}                 its folders and the name of its file, without date, language and extension
//	{year} {month} {day}   of its date, in the time zone of the site, with 4 and 2 digits
//	{language}             its BCP 47 tag
//
// An article without a date has no address by a template that needs one.
package source
