// Package publication is the published folder, in both directions: the builder writes it, searchd
// and `builder check` read it. No other package knows the form of its manifest and corpus, so the
// two directions cannot drift apart.
//
// # The folder
//
//	corpus/manifest.json           what belongs together: the commit point
//	corpus/<sha256>.ndjson.gz      the articles, one per line, in chunks
//	corpus/search-<sha256>.json    the search settings
//	api/article/<id>.json          the articles again, one file each, the same bytes
//	api/article/<id>.md            the same as Markdown (article.Article.Markdown), where the site wants it
//	api/…, openapi.json, …         the other documents, listed in the manifest
//	.newsstand/                    the writer's own; there only while it writes, or after it was killed
//
// # The manifest
//
// One line of JSON in exactly the form of article.Encode, so that every manifest has one spelling;
// its fields are those of [Manifest]. Format 2 is written; format 1, which is read as well, had no
// sum. A reader refuses every other format, and every key that it does not know: a new field means
// a new format. A writer publishes over damage, but not over another format.
//
// # The corpus
//
// The number of chunks is [ChunkCount] of the number of articles, and an article's
// chunk is [ChunkNumber] of its id: both depend on nothing else, so an edit changes
// one chunk. A chunk is a gzip member (RFC 1952: no name, no time) of article
// files, sorted by id; a chunk without articles is left out. It is named by the
// SHA-256 of its compressed bytes and never changes. The chunks of the build before
// stay for one generation ([Manifest.Previous]), so that a reader that has just
// read the last manifest still finds them; after that it gets fs.ErrNotExist and
// reads the manifest again. If the new build leaves an article out, the chunks that only the build
// before has go at once: what was taken down is in no byte of the folder.
//
// The revision is the first 32 hexadecimal digits of the SHA-256 over one line
// "<SHA-256 of its line> <id>\n" for each article, sorted by id, and the bytes of the search
// settings' file.
//
// # Writing
//
// One writer at a time: [Begin] holds an advisory lock (flock) on the folder
// itself, which leaves no file behind. A build then goes through these steps:
//
//  1. every file whose bytes differ from the published ones is written into
//     .newsstand/stage and synced, with a time in a later second than that of the file that it
//     replaces, for static hosts make ETags of seconds and sizes. A full disk ends the build here:
//     nothing that is published has changed;
//  2. .newsstand/commit, the list of what is to be renamed and removed, is written
//     and synced: from here on the new build will be published, whatever happens;
//  3. renames: the chunks, the other files (the folder of articles as a whole if there is none
//     yet; if a document takes the place of a folder of others, or the other way round, these are
//     removed just before), sync, the manifest;
//  4. removal of what the last build owned and this one does not;
//  5. .newsstand is removed.
//
// A builder that is killed before step 2 is done leaves the old build and a stage that the next
// writer throws away. Killed later, it leaves a list that the next writer (or [Check]) first
// follows to its end; if somebody has removed staged files, the list is thrown away too. At every
// instant, the manifest and what it names are one whole build; the article files of a static host
// pass from the old build to the new during step 3, each of them whole.
//
// A build that changes nothing writes nothing: no file, no time stamp.
//
// The steps are in files of their own: chunk.go packs a chunk, stage.go stages what differs, unless
// known.go knows that it is published already; leftovers.go says what stays of the build before and
// what goes, and commit.go writes the list and follows it.
//
// # Whose files
//
// The folders api and corpus and the file openapi.json are the builder's alone: they are the
// contract. It replaces what is in its way there, and removes every article file and chunk that is
// not part of the build, whoever made it: a file that is left over would be an answer that nobody
// published. Anywhere else it owns what its last manifest lists, and documents with bytes that the
// cache knows to have been published, in case the manifest is lost. Any other file stays as it is:
// if it is in the way of a document, the document is not published and [Writer.Foreign] names it.
//
// # Reading
//
// Readers take nothing on trust: sizes, SHA-256 sums, the order and form of ids, the chunk an
// article belongs in, and the size that a chunk unpacks to are checked before a byte is handed on.
// The JSON of an article's line is left to whoever uses it; [Check] decodes that too.
package publication
