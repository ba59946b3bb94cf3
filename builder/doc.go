// Package builder turns a content folder into a published folder: once ([Build]), or for as long as
// authors work and articles fall due ([Watch]).
//
// Package source says which files are articles and what is in them; package publication says how a
// published folder looks and how it changes in one step. This package brings the articles from the
// one to the other and adds the documents around them: health, the OpenAPI document, the problem
// documents (RFC 9457) and their pages.
//
// # Streaming
//
// The front matter of all files is read first: it decides what is published, and into which chunk
// each article goes. Then each worker, one for each processor, takes a chunk (about 64 articles),
// renders it, compares its files with the published ones, packs it, and forgets it. So memory grows
// with the processors and the longest chunk; of an article only its id, dates and digest are kept.
//
// # Builds that remember
//
// With a cache ([Options].Cache; package cache), a file that still has its stamp is not read again,
// and an article is not rendered again if its file and settings are the same, and its links lead
// where they did. A chunk of such articles is not even read if its published files have their
// stamps. Everything else is done as in any build: what is published is decided anew each time, by
// the rules, from the same values. A new stamp alone causes no rendering: the SHA-256 of the bytes
// decides.
//
// A build that would change nothing is not done at all. Each build notes what it saw of the
// content, around it, and of what it published. If the next one is asked for the same and sees the
// same, before another article appears or goes, it repeats the report of the last one, and ends.
//
// # What depends on what
//
// The published bytes depend on the content, the base URL and the instant for which they are built.
// The instant decides only which articles are published, and so where links to them lead. No date
// comes from the clock: updated_at is the newest date of any published article.
//
// # Files with an error
//
// An article whose file has an error is not published as it is now. If the published folder has it
// from an earlier build, that version stays, with its search settings, until the file is fixed or
// removed, in a single build as well as in a watch. So a typo takes no page down. The price: a file
// that says draft: true and also has an error is not taken down, because nobody can tell what a
// front matter that does not parse was meant to say. So the build reports which articles it kept,
// and ends with an error. To take an article down at once, remove its file.
//
// An error makes nothing appear that was not published before. An article that is known to have
// expired since is taken down (a single build knows that only of files that it can read). The
// article is recognised by the id of its file, or by the file's path if nothing in it can be read;
// a watch also remembers an id that came from the front matter. If a draft, future or expired file
// has that id now, the article is not kept, for it may have been withdrawn under a new name; unless
// a watch has seen this very file publish it.
//
// If the system cannot read a file, as on a network disk that is gone for a moment, that is not an
// error of the file: it stops the build before anything changes.
//
// Everything else is published. Under Strict, any problem, warnings too, stops the build before
// anything changes. An error in the settings of the site stops every build, since all articles
// depend on them.
//
// # Source files
//
//	build, options             one build, and what it is asked for
//	plan, articles             which articles are published, and how they are rendered, chunk by chunk
//	documents, own             the documents around them, and the files that the site puts in their place
//	remember, again, version   what builds remember of each file, of the build before, and of the program
//	watch, events, asked       when a watch builds again: by the clock, by events, and for files that a build asked for
//	folders, fault, hint       the folders that are read, faults of the system, and what the user can do about them
package builder
