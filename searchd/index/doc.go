// Package index finds the articles that match what a person typed. It keeps the words of all
// articles of one revision in a folder, moves to the next revision in one atomic step, and answers
// each query from exactly one revision.
//
// Scorch, the index engine of Bleve, keeps the files, decides which of them to merge, and maps them
// into memory; only this package and package analysis import Bleve. This package writes and merges
// the files itself, in the engine's format, because the engine's own code takes about five times as
// long. Postings are lists of documents, with half a byte for how often each has the term, and
// without positions. To find a phrase, a search takes the articles that have all its words and
// that, by a small Bloom filter, may have them next to each other, and compares the phrase with the
// sequence of words that is kept of each. Only a pair of neighbouring words that are both frequent
// is a term of its own. This package ranks and makes excerpts; package analysis makes the tokens.
//
// # What a query means
//
//	swap index        articles with both words come first
//	"atomic swap"     these words next to each other, in any form of quotation marks; if no article
//	                  has the phrase, the phrase with its typos corrected; if that finds nothing
//	                  either, its words alone, but only if the query has other words too
//	-draft            without this word; -"old name" without this phrase
//
// Everything else is text: there are no fields, wildcards or operators. A minus excludes only at
// the start of a word, so hyphenated words stay whole, and not before a single letter, as in "chmod
// -R". Nor does it after "and" or "or" in a language that writes "Sprachverarbeitung und
// -erkennung", unless it excludes a word before. An unclosed quotation mark is still being typed
// and is ignored. In a query that has only exclusions, a minus has no meaning: "-race" finds race.
// Nor has it in a question: "what does -race do?" A query that is exactly the title of an article
// finds that article, even if the query reads as an exclusion. In a query of more than six words
// that an article has word for word, a minus has no meaning either: pasted text excludes nothing.
// Nor has it in a shorter one that more than 3 articles have as it was typed, with its signs, as a
// site about Go has "go test -race".
// If a query finds nothing because of its exclusions, the suggestion has none: whoever pastes
// "rm -rf" excludes nothing.
//
// # Words
//
// Package analysis defines what a word is, and its stem. A query is stemmed in every language of
// the site; each stem finds the articles in its language. A word also finds the words whose stem it
// is, because stemmers make system of Systeme, but syst of System. Stop words are indexed like all
// others, but an article need not have those of a query that has other words too, unless a hyphen
// joins one to a single letter, as in v-for. Nor need it have the grammar of a script without
// spaces, such as the とは of "フックとは", or the vs of "copy vs sync", unless more than 500
// articles have vs, or more have it before the word after it (VS Code) than after the word before
// it. If no article has all words, the Hiragana words of the query are looked for in Katakana, and
// the reverse. On a site in Russian or Ukrainian, a query that finds nothing is also looked for as
// its keys give it on the other keyboard layout: "ghjvbc" is промис, and "ащте" font. So is one
// with signs that are letters there ("jib,rf" is ошибка), if no article has all words.
//
// # The ladder
//
// Documents are found rung by rung. A lower rung is searched only if those above it have fewer
// documents than were asked for. A document of a higher rung always ranks before one of a lower
// rung:
//
//  1. what the site pins to the query; or else the article whose address the query is; or else, if
//     some word is in no article, what the site pins to the corrected query
//  2. all words, and the title is the query, perhaps with its compounds as one word ("wifi" is
//     Wi-Fi), or its versions with a v or without ("react 0.14" is React v0.14). Or the title is
//     the query but for its spaces, whatever words the article has ("sensorentity" is Sensor
//     entity, "subs cription" Subscription), unless more than 10 have such a title, its numbers are
//     others ("lesson 1 1" is not Lesson 11), or the query has quotation marks or exclusions
//  3. all words: as typed, by stem, in the other form of Chinese, or by a synonym of the site.
//     Three characters of a script without spaces must be together; longer runs need not be.
//     Neighbours in a query of up to six words may also be one word: two, if articles also have
//     each of them ("web assembly", "5 gb") or the second is a stop word ("log in") that does not
//     inflect the first, or up to four ("get user by id"), if articles also have those of them that
//     are no stop words; the last may be inflected ("web hooks" is also webhook). A number with its
//     unit may also be two words ("5gb"), with or without a separator of thousands. A last word
//     that no article has as typed, and that is found only by its stem, may also be the beginning
//     of a word, as on the next rung ("compli"). So may that of several words if a title begins
//     with all of them ("react com" of React Compiler), unless hundreds do; but not a number with a
//     dot, nor any number if an article has the query word for word or a title has all its words. A
//     number beside other words may be the first of a version in a title that has the other words
//     ("electron 9" of Electron 9.0.0), and so may that of a name with a number, if some article
//     has it ("oauth2" of OAuth 2.0), unless hundreds of versions begin with it. If more than 3
//     articles have all words, none has the query word for word, and nothing is in quotation marks,
//     an article whose title is a part of the query, with two words or more besides stop words,
//     need not have the rest ("mutex locks tutorial", of Mutex locks), except in its title what a
//     title of those has
//  4. all words, the last one as the beginning of a word (from 2 letters), unless a question mark
//     follows it; in Korean, also with any letters that may still be added to its last syllable, or
//     without the final letter, which may begin the next syllable. A number also stands for the
//     versions that begin with it: 5 finds 5.1, and v5.1 unless it may still go on. A last word of
//     one letter may be the beginning of any word: beside other words it need not be found, on this
//     rung and the next; beside stop words only, these must be found
//  5. all words, some with a typo: 1 edit in words of 5 letters or more, 2 in words of 9 or more,
//     counted in characters of the longer of the two words. A transposition is one edit. So is a
//     space too many or too few, if articles have the one word, or the two next to each other.
//     Digits are not corrected, nor are words that more than 3 articles have as typed. In a query
//     of several words, those that a title has are not either, and those that some article has only
//     on the next rung, because they may be rare words. 2 edits, or a missing space, are tried only
//     if no word that is 1 edit away is in more than 3 articles. The likeliest correction counts in
//     all its forms, and by its synonyms if no article has the word that was typed. It may be a
//     word of a pin or a synonym that no article has. A word of 3 letters or more that no article
//     has in any form, and that has no correction, may be the beginning of words of titles ("auth"
//     of Authentication); one of 5 letters or more, on a site of up to 5,000 articles, may instead
//     be any part of words ("verwaltung" in Datenbankverwaltung). Two corrections are made before
//     all rungs. If no article has a word, nor its stem as a word, it is corrected by 1 edit if
//     some title then has all words of the query, and no title has them as typed: "email severs" is
//     not about what is severe. And a word that lacks the space before a version gets it: "php8" is
//     php 8, if no article has php8 and some have PHP 8.2; "go1.21" is go 1.21 if some have Go
//     1.21.3, even if others have Go 1.21
//  6. some of the words
//  7. some of the words, without the phrases, if the query ends with a question mark or has more
//     than six words besides its phrases: a question may quote something in passing
//
// Total counts the documents of the rungs that were searched. Within a rung the score decides:
//
//   - BM25 over the whole article. A word in the title counts five times, in a tag three times, in
//     a heading twice (and once more in the text), and once in a long title that was cut from the
//     text. A word that the query has several times counts that many times. The scores of the stem,
//     the form as typed and the form with its accents are added up, and that of the compound, which
//     says little if an apostrophe joins a word to its article ("l'empire"). Characters in the
//     other form of Chinese count less if the article does not have them as typed, and the grammar
//     of Japanese counts half
//   - a compound that is all of the query adds to the score of the articles that have it, or all of
//     its words in their title, as much to long as to short ones: whoever searches color_red means
//     the article that has it, not one about red colors
//   - on a site of short articles BM25 saturates sooner, up to twice as soon: repetitions of a word
//     soon add little
//   - in a query of more than six words, each further word lets BM25 saturate later, up to twice as
//     late: repetitions of a word keep adding to the score
//   - each word of the query in the title adds to the score, another form of it half as much, and
//     both less in a longer query; a title that was cut from the text adds nothing. So does a stop
//     word if the query begins with it: a question begins like the title of its answer ("where")
//   - the title multiplies the score: a title with all words of the query, some perhaps as one
//     word, by up to 2 (less, the more other words it has and the more stop words of the query it
//     lacks), one that begins with the query by 1.5 ("como melhor" of two words or more also as
//     Como melhorar, which has another form of the last), one that is a part of it by 1.2 if the
//     article has the rest too, and by another 1.1 if the query begins with its two words or more,
//     one that is the query but for a typo or a space by 4; so does one that is the query with its
//     accents and spaces, if up to ten titles are the query and some have others, again one with
//     its signs, too (perhaps among others), and again one with its case, unless the site prefers
//     others of them by a boost or its language
//   - the site's boost of the article multiplies the score, and an article in the main language of
//     the site gains a factor of 1.1
//   - a query of two words or more adds to the score of the articles that have it word for word,
//     small words too, as if that were a word that each has once (and more than one if there are
//     more than six), unless more than 300 articles have all of its words in the same forms: "what
//     is vue" is answered where this is written, and a sentence where it is from. So does its
//     correction, of those with a typo
//   - words of the query near each other in the text add to the score; this reorders only the first
//     10 hits
//
// Ties go to the newer article, then to the lower id.
//
// The average length and the document frequencies leave out deleted articles, so that scores do not
// depend on the history of the index: the same revision gives the same bytes everywhere. (Products
// are converted to float32 before they are added, because a processor that multiplies and adds in
// one step would round differently.)
//
// # The folder
//
// The folder belongs to one process. An update is one batch of the engine with the revision, the
// totals and the caller's state; the first fill takes several batches, and the last one has these.
// If the files are not what was written, the error is [ErrDamaged], and the caller builds the
// folder anew. Files that the disk could not read are first tried again a moment later.
//
// Reading all of a large index takes longer than a start should. So the folder keeps stamps of
// files that were read and found right: size, inode, device, modification time and change time
// (ctime). Programs cannot set the change time, so a file that still has its stamp was not written
// to since. Such a file is believed at the start, and read again slowly while the index is in use;
// [Index.Damage] returns what was found to have rotted nevertheless. Until all files have been read
// again, the folder has no stamps, because a rotten file may also crash the process: then the next
// start reads all files. Stamps hold until the machine restarts, because a loss of power may lose
// what was written last. A file is stamped only when its last change is long enough ago that
// another change would get another time; so a process that is killed may leave files without a
// stamp, which the next start reads. The catalog, which the engine writes at each start, is also
// stamped when the index is closed. If the system has no such times, or does not tell its starts
// apart, all files are read.
//
// # Source files
//
//	document, inversion, fieldterms, table       turn the words of an article into terms of fields
//	sequence, neighbours                         keep the order of the words, for phrases
//	segment, list, merge, update                 write articles as files of the engine
//	layout, terms, automaton, postings, bitmap   read files as sets of documents
//	snapshot, cache, scratch                     what a revision or a search keeps in memory
//	query, search, finder                        parse a query, and answer it clause by clause:
//	characters, spaces, site, phrase, title      which documents have a clause as typed
//	expand, typo                                 which have it in a looser form
//	suggest                                      what the query was meant to be
//	ladder, bm25, score, near                    which documents are hits, in which order
//	marker, marks, excerpt, explain              how a hit is shown, and why it was found
//	index, head                                  the folder, and what it keeps about its revision
//	engine, guard                                the engine's life, and faults in mapped files as errors
//	verify, stamp, keep, forget                  what may go wrong in the folder
package index
