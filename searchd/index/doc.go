// Package index finds articles by what a person typed. It keeps the words of all articles of one
// revision in a folder, takes up the next revision in one atomic step, and answers queries from
// exactly one.
//
// Bleve (its index engine, scorch) keeps the files, decides which are merged, and maps them; it is
// imported here and in package analysis only. This package writes and merges the files itself, in
// the engine's format: the engine's own way takes some five times as long. Postings are lists of
// documents, with half a byte for how often each has the term, and without positions. A phrase is
// looked for in the sequences of words of those articles that have all its words and, by a small
// Bloom filter, may have them next to each other. Only a pair of neighbours that are both frequent
// is a term of its own. Ranking and excerpts are made here, tokens in package analysis.
//
// # What a query means
//
//	swap index        articles with both words come first
//	"atomic swap"     these words next to each other, in any form of quotation marks; where no article
//	                  has the phrase, with its typos corrected; if that finds nothing either, its words
//	                  alone, but only in a query with other words beside it
//	-draft            without this word; -"old name" without this phrase
//
// Everything else is text: there are no fields, wildcards or operators. A minus counts only before
// a word, so hyphenated words stay words, and not before a letter alone, as in "chmod -R". An
// unclosed quotation mark is being typed and counts as none. In a query that only excludes, a minus
// is a sign like others: "-race" finds race. A query that is a title to the letter finds that
// article, even if it reads as an exclusion.
//
// # Words
//
// Package analysis says what is a word, and what its stem. A query is stemmed in every language
// that the site has; each stem finds the articles in its language. Not only words of the same stem
// are forms of each other, but also a word and those whose stem it is, for stemmers make system of
// Systeme, but syst of System. Stop words are indexed like all others, but beside other words they
// need not be found; nor need the grammar of a script without spaces, such as the とは of
// "フックとは", nor a letter that no article has, with which someone begins a word behind stop words.
// Where no article has all words, those of Hiragana are looked for in Katakana, and the reverse.
//
// # The ladder
//
// Documents are found rung by rung, and a lower rung is only looked at where those above it have
// fewer documents than were asked for. A document of a higher rung always ranks before one of a
// lower:
//
//  1. what the site pins to the query; or else the article whose address it is; or else, where a
//     word is in no article, what the site pins to the corrected query
//  2. all words, the title being the query, perhaps with its compounds as one word ("wifi" is
//     Wi-Fi)
//  3. all words: as typed, by stem, in the other form of Chinese, by a synonym of the site.
//     Neighbours in a short query may also be one word: two, where articles have each as well ("web
//     assembly", "5 gb"), or up to four ("get user by id"). A number with its unit may also be two
//     words ("5gb"), its thousands set apart or not. A last word that no article has as typed may
//     also be the beginning of a word, as on the next rung, beside having the stem of others
//     ("compli")
//  4. all words, the last one as the beginning of a word (from 2 letters), unless a question mark
//     ends it; in Korean, with the letters that its last syllable may still get, or without the
//     final letter that may begin the next syllable; and numbers as those with which versions
//     begin: 5 is 5.1. A letter alone may become any word: beside others it need not be found, on
//     this rung and the next
//  5. all words, some with a typo: 1 edit from 5 letters, 2 from 9, counted in characters of the
//     longer of the two words. A transposition is one edit, and so is a space more or less, where
//     articles have the one word, or the two next to each other. Digits are not corrected, nor are
//     words that more than 3 articles have as typed or, beside other words, a title has. 2 edits,
//     or a missing space, are only tried where no word that is 1 edit away is in more than 3
//     articles. The likeliest correction counts in all its forms, and by its synonyms where no
//     article has the word that was typed. It may be a word of a pin or a synonym that no article
//     has. A word from 5 letters on that no article has in any form, and for which there is no
//     correction, may be within longer words ("verwaltung" in Datenbankverwaltung), on a site of up
//     to 5,000 articles. A word that is in no article, nor its stem as a word, is corrected by 1
//     edit before all rungs, if a title has all words of the query then, and none has them as
//     typed: "email severs" is not about what is severe. So is one that lacks the space before a
//     version: "php8" is php 8, if no article has it and some have PHP 8.2; and "go1.21" is go 1.21
//     also where some have Go 1.21, if others have Go 1.21.3
//  6. some of the words
//  7. some of the words without the phrases, where a question mark ends the query, or it has more
//     than six words beside them: who asks a question may quote in passing
//
// Total counts the documents of the rungs that were looked at. Within a rung the score decides:
//
//   - BM25 over the whole article. A word in the title counts five times, in a tag three times, in
//     a heading twice, and once in a long title that was cut from the text; a word counts as often
//     as the query has it. The stem, the form as typed and the form with its accents are added up.
//     Characters in the other form of Chinese count less where an article does not have them as
//     typed
//   - where articles are short, BM25 saturates sooner, up to twice as soon: repetitions of a word
//     soon count no more
//   - in a query of more than six words, each further word lets BM25 saturate later: repetitions of
//     a word go on to count
//   - each word in the title adds to it, another form of it half as much, and both less in a longer
//     query; but not in a title that was cut from the text
//   - the title multiplies it: one with all words of the query, some perhaps as one word, by up to
//     2 (the less else it has, the more; and the fewer of its stop words, the less), one that
//     begins with the query by 1.5, one that is the query but for a typo or a space by 4
//   - the site's boost of the article multiplies it, and the language of the site by 1.1
//   - words next to each other as in the query add to it; this decides among the first 10 hits only
//
// Ties go to the newer article, then to the lower id.
//
// The average length and the document frequencies are those of the living articles, so that scores
// do not depend on the history of the index: the same revision gives the same bytes everywhere.
// (Products are converted to float32 before they are added: a processor that does both at once
// would round otherwise.)
//
// # The folder
//
// It belongs to one process. An update is one batch of the engine with the revision, the totals and
// the caller's state; the first fill takes several, of which the last has these. A folder whose
// files are not what was written gives [ErrDamaged], and is made anew by the caller. Files that the
// disk could not read are read again a moment later first.
//
// Reading all of a large index takes longer than a start should. So the folder keeps stamps of
// files that were read and found right: size, inode, device and the times of modification and of
// change. Programs cannot set the last, so a file whose stamp holds was not written to since. It is
// believed at the start, and read again slowly while the index is in use; [Index.Damage] tells what
// has rotted all the same. Until all files are read the folder has no stamps, for a rotten file may
// also end the process: then the next start reads all. Stamps hold until the machine is started
// anew, for what was written last may be lost with the power. A file is not stamped before its last
// change is so long ago that another change would have another time; so a process that is killed
// may leave files without a stamp, which the next start reads. The catalog, which the engine writes
// at each start, is stamped when the index is closed, too. Where the system has no such times, or
// does not tell its starts apart, all is read.
//
// # Where what is
//
//	document, inversion, fieldterms, table       the words of an article as terms of fields
//	sequence, neighbours                         and their order, for phrases
//	segment, roaring, merge, update              articles become files of the engine
//	layout, terms, automaton, postings, bitmap   files become sets of documents
//	snapshot, cache, scratch                     what a revision and a search keep in memory
//	query, search, finder                        a query is parsed, and answered clause by clause:
//	characters, spaces, site, phrase, title      which documents have it as typed
//	expand, typo                                 which have it in a looser form
//	suggest                                      what the query was meant to be
//	ladder, bm25, score, near                    which documents are hits, in which order
//	marker, marks, excerpt, explain              how a hit is shown, and why it is one
//	index, head                                  the folder, and what it tells of its revision
//	verify, stamp, keep, failing, forget         what may go wrong in it
package index
