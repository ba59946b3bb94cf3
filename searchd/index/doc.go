// Package index finds articles by what a person typed. It keeps the words of all articles of one
// revision in a folder, takes up the next revision in one atomic step, and answers queries from
// exactly one.
//
// Bleve (its index engine, scorch) keeps the files, says which are merged, and maps them; it is imported here
// and in package analysis only. They are written and merged here, in the engine's form: its own way takes some five times as long. Postings are lists of documents,
// with half a byte for how often each has the term. Where words stand is not
// in them: a phrase is looked for in the sequences of those articles that have its words and may,
// by a small filter, have them as neighbours; only neighbours that are both frequent are terms of
// their own. Ranking and excerpts are this package's, tokens those of package analysis.
//
// # What a query means
//
//	swap index        articles with both words come first
//	"atomic swap"     these words next to each other, in any form of quotation marks; where no article
//	                  has them, with their typos corrected, else as words, if there are others beside them
//	-draft            without this word; -"old name" without this phrase
//
// Everything else is text: there are no fields, wildcards or operators. A minus counts only before
// a word, so hyphenated words stay words. An unclosed quotation mark is being typed and counts as
// none. In a query that only excludes, a minus is a sign like others: "-race" finds race. A query
// that is a title to the letter finds that article, even if it reads as an exclusion.
//
// # Words
//
// Package analysis says what is a word, and what its stem. A query is stemmed in every language that the site has; its
// stem in one language finds the articles in that. Stop words are words like all others, but beside words that are none
// they need not be found; nor need what is grammar in a script without spaces, such as the とは of "フックとは".
// Where no article has all words, those of Hiragana are looked for in Katakana, and the reverse.
//
// # The ladder
//
// Documents are found rung by rung, and a lower rung is only looked at where those above it have
// fewer documents than were asked for. One of a higher rung always ranks before one of a lower:
//
//  1. what the site pins to the query, or else to what was meant where a word is in no article
//  2. all words, the title being the query
//  3. all words: as typed, by stem, in the other form of Chinese, by a synonym of the site; those of a short query also as one, where articles have each as well
//     ("web assembly", "5 gb", "get user by id"), and a number with its unit also as two ("5gb"), its thousands set apart or not
//  4. all words, the last one as the beginning of a word (from 2 letters), unless a question mark ends it; of Korean, with the
//     letters that its last syllable may still get, or without the one that the next syllable may begin with
//  5. all words, some with a typo: 1 edit from 5 letters, 2 from 9, counted in characters of the
//     longer of the two words, a transposition being one, and a space, where articles have the two
//     words next to each other, or the one; not in digits, and not in words that more than 3
//     articles have as typed, nor, beside other words, a title; two, or a space that is missing, only where none one edit away is in
//     more than 3. The word that was meant most likely counts in all its forms, and by its synonyms where no
//     article has the word as typed; words of pins and synonyms may be meant, though no article has them. A word that is in no
//     article, nor its stem as a word, is taken for the typo that it is one edit from before all rungs,
//     where a title has the query so, and none as typed: "email severs" is not about what is severe
//  6. some of the words
//
// Total counts the documents of the rungs that were looked at. Within a rung the score decides:
//
//   - BM25 over the whole article. A word in the title counts five times, in a tag three times, in
//     a heading twice; a word counts as often as the query has it. The stem, the form as typed and
//     that with its accents are added up. Characters in the other form of Chinese count less, if an article does not have them as typed
//   - in a query of more than six words, the more of them, the longer does more of the same word go on to count
//   - each word in the title adds to it, the less the more words are asked for
//   - the title multiplies it: one with all words of the query by up to 2 (the less else it has,
//     the more), one that begins with the query by 1.5, one that is the query but for a typo by 2
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
// files are not what was written gives [ErrDamaged], and is made anew by the caller.
//
// Reading all of a large index takes longer than a start should. So the stamps of files that were
// read, and found right, are kept beside them: size, inode, device and the times of modification
// and of change. Programs cannot set the last, so a file whose stamp holds was not written to
// since. It is believed, and read again while the index is in use, slowly; what has rotted all the
// same gives [Index.Damage]. Until then there are no stamps in the folder, for what has rotted may
// also end the process: then the next start reads all. Stamps hold until the machine is started
// anew, for what is written last may be lost with the power. A file is stamped when the last change
// is so long ago that another would have another time; so a process that is killed leaves files
// without, and those are read at the next start. An index that is closed stamps the catalog, which
// the engine writes at each start. Where the system has no such times, or does not tell its starts
// apart, all is read.
//
// # Where what is
//
//	document, inversion, fieldterms, table     the words of an article as terms of fields
//	sequence, neighbours                       and their order, for phrases
//	segment, roaring, merge, update            articles become files of the engine
//	layout, terms, postings, bitmap            files become sets of documents
//	snapshot, cache, scratch                   what a revision and a search keep in memory
//	query, search, finder                      a query is parsed, and answered clause by clause:
//	characters, spaces, site, phrase, title    what has it as it was typed
//	expand, typo                               what has it in a looser form
//	ladder, score, near                        which documents are hits, in which order
//	marker, marks, excerpt, explain            how a hit is shown, and why it is one
//	index, verify, stamp, forget, failing      the folder, and what may go wrong in it
package index
