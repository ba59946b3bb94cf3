// Package analysis turns text into words, and words into stems: what is indexed, and by what it is found. Articles,
// queries and excerpts are read by the same code.
//
// A word is a run of letters, digits and marks, in any script. Case, width, compatibility forms
// (NFKC) and accents do not count; a word with the same accents ranks higher, and much higher where
// no stemmer knows it, as in Vietnamese, where accents are all that tells many words apart. The parts
// of a compound are words, and so is the compound without its joiners: "wi-fi" is found by wifi, wi-fi
// and wi fi; "C++", ".NET", "4.0" and "node.js" are names of their own. Signs that are not seen, such
// as the soft hyphen, do not count, nor does it which apostrophe or hyphen joins parts, or of which
// script digits are, what skin an emoji has, nor by what the thousands of a number are set apart: 10000 finds "10,000", "10.000", "10 000"
// with a space that does not break, "10'000", "10_000", "10.000-fach" and "10,000.50", and 10000.50 the last; but it does not find "10.0000",
// nor 3141 "3.141", nor 100200 "4,100,200,3000", a list. "1920×1080" is 1920x1080. Short parts beside an
// apostrophe are no words ("l'école", "don't"), but "or" in "l'or" and "go" in "Go's" are. Chinese, Japanese, Korean, Thai, Lao, Khmer and Burmese, which write no spaces (or
// put particles behind words without one), are indexed by pairs of characters.
//
// Words have stems, by the language of their article:
//
//   - where Bleve's analyzer of the language has a stemmer: its stem
//   - in Arabic: that of Snowball's stemmer
//   - in 19 languages that inflect and have no stemmer here, such as Czech: the first 6 letters, without the vowels at their end
//   - in Hebrew: the word without the letters before and behind it that many have
//   - in all other languages: none
//   - in another script than the language's: that of the language which uses the script most
//   - a version has the numbers it begins with, at its dots and without a "v" before them
//
// A word is known by its folded form: [Fold] makes it of that in lower case, with accents, which [Lower] makes. Folded Chinese is
// simplified; pairs of characters are indexed as they are written, and looked for in all their [Spellings].
//
// Bleve has stemmers and stop words of some thirty languages; they are all of it that is used here.
package analysis
