// Package analysis turns text into words, and words into stems; articles are indexed and found by
// both. The same code reads articles, queries and excerpts.
//
// A word is a run of letters, digits and marks, in any script. Case, width, compatibility forms
// (NFKC) and accents are ignored. But a word with the same accents ranks higher, and much higher in
// languages without a stemmer, such as Vietnamese, where accents alone tell many words apart. The
// parts of a compound are words, and so is the compound without its joiners: "wi-fi" is found by
// wifi, wi-fi and wi fi. So is a name with dots that a hyphen joins to another word: "Node.js-App"
// is found by nodejs. "C++", ".NET", "4.0" and "node.js" are words of their own. Short parts beside
// an apostrophe are not words ("l'école", "don't"), except after an elided article ("or" in "l'or")
// and before 's ("go" in "Go's"). In a Cyrillic or Hebrew word an apostrophe is dropped: "об'єкт"
// is обєкт. So is the dot between two l of Catalan: "col·legi" is collegi.
//
// Invisible characters, such as the soft hyphen, are ignored, and so are the kinds of apostrophes
// and hyphens, the script of digits, the skin tone of an emoji, and the separator of thousands. So
// 10000 finds "10,000", "10.000", "10 000" with a no-break space, "10'000", "10_000", "10.000-fach"
// and "10,000.50", and 10000.50 finds the last. But 10000 does not find "10.0000", 3141 not
// "3.141", and 100200 not "4,100,200,3000", which is a list. "1920×1080" is 1920x1080, and "½" is
// 1/2. Ordinal indicators are not letters: "1º" is 1, and "350ºF" is 350 F, like "350°F".
//
// Chinese, Japanese, Korean, Thai, Lao, Khmer and Burmese, which write no spaces between words
// (Korean: none before particles), are indexed by pairs of characters.
//
// Words have stems, which depend on the language of their article:
//
//   - in languages for which Bleve's analyzer has a stemmer: by that one; but in Spanish, Italian
//     and Portuguese by Snowball's
//   - in English: also, an irregular plural such as mice has the stem of its singular
//   - in Portuguese, Spanish and Dutch: also, funções has the stem of função, luces that of luz,
//     huizen that of huis, and configuracion that of configuración
//   - in French: also, a letter that is doubled stays so, except at the end of the stem
//   - in Dutch: also, bouwt and gebouwd have the stem of bouwen, if it is plain that they are verbs
//   - in Arabic: by Snowball's stemmer, without the article and the endings of regular plurals
//   - in Tamil: by Snowball's stemmer
//   - in Persian: the word in its usual spelling, without plural endings
//   - in 33 languages that inflect and have no stemmer here, such as Czech: the first 6 letters, or
//     in those with short roots, such as Kazakh, the first 5, without the vowels at their end, and
//     in Catalan and Galician without the s of plurals
//   - in 11 languages in scripts of India, such as Bengali: the first 3 consonants (in Nepali of
//     the word without postpositions)
//   - in Serbian, one of the 33: in Latin letters, whichever script the word is written in
//   - in Hebrew, Amharic, Indonesian and Malay: the word without common prefixes and endings
//   - in all other languages: none
//   - if a word is in another script than its language: by the language that uses the script most
//   - if a word ends with digits: one that ends with the same digits, or the word itself
//   - in every language, a version has the numbers it begins with, at least two: v1.70.0 has 1.70
//     and 1.70.0
//
// A word is indexed and compared in its folded form: [Lower] returns the word in lower case, with
// its accents, and [Fold] makes the folded form of that. Folded Chinese is simplified. Pairs of
// characters are indexed as they are written, and searched in all their [Spellings].
//
// Of Bleve, this package uses only the stemmers and stop words of some thirty languages.
//
// # Source files
//
//	tokenizer, class, number    cut a text into words
//	forms                       the forms in which a word is indexed
//	fold, han, generate         the folded form; traditional Chinese, and what writes its table
//	language                    the stemmer and stop words of each language
//	endings, irregular          stemmers of our own
//	grammar                     which pairs of characters say little
//	kana, keyboard, hangul      what a query may also mean, as its keys were typed
//	beginnings                  which words of a text can be skipped when some are sought
package analysis
