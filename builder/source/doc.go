// Package source reads the articles of a site as their authors write them: Markdown or HTML with
// front matter, in the layout of Hugo, Jekyll, Zola or another static site generator, or of none.
// It says which files are articles, what becomes of each file, and what is wrong with it; and it
// renders articles.
//
// # From file to record
//
// [Scan] reads a folder, and decides what is published at a given time:
//
//  1. The settings: site.yaml (site.go), then the configuration of the site's generator, which
//     generator.go finds. Each generator has a file of its name (hugo.go, jekyll.go and so on;
//     script.go, python.go and ruby.go read configurations that are programs). Files that have the
//     front matter of others (metafiles.go) count as defaults (defaults.go). Together they make the
//     rules of the site (rules.go; folders.go for the folders that hold articles, glob.go for
//     patterns of file names). Languages that they do not name may be found in the names of folders
//     and files (language.go), or in the texts (detect.go).
//  2. The section pages of Hugo and Zola: the front matter that they hand down to the files below
//     them (cascade.go), and which sections are drafts.
//  3. Each file (scanner.go). Its name says whether it may be an article (kind.go). Package
//     frontmatter parses its front matter, and meta.go gives the keys a meaning, by the vocabulary
//     of the generator (vocabulary.go); slips.go tells what mistyped ones are meant to be. The
//     front matter, the name of the file and the rules decide its id (id.go), dates (dates.go;
//     dateforms.go reads one) and address (address.go; permalink.go for patterns, webaddress.go for
//     what addresses may hold), and its [Status] (status.go).
//  4. The ids of all files: where two published files have the same id, neither is published
//     (clash.go).
//  5. The search settings and the search tests of the site (search.go).
//
// [Folder.Article] renders one published file. Package dialect takes out the template code and the
// marks that only the generator's own Markdown has; package markdown turns the rest into sanitised
// HTML and plain text; and render.go makes the article's record of these. links.go says where links
// lead, and deadlinks.go which of them lead to no article. An article depends on its own file, its
// file of front matter, the site's settings, and the dates, address and tags that section pages
// hand down. Of other files only the paths matter.
//
// The cache keeps what the bytes of a file say, which depends on neither the settings nor the
// clock (reading.go), with the mistakes that only its text shows (mistakes.go). key.go sums up on
// what a rendered article depends.
//
// # Problems
//
// A [Problem] names a file and a place in it, and has a hint. An error keeps the article from being
// published, a warning does not. A problem of one file does not keep the others from being read.
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
