// Package analysis turns text into words, and words into stems: what is indexed, and by what it is
// found. Articles, queries and excerpts are read by the same code.
//
// A word is a run of letters, digits and marks, in any script. Case, width, compatibility forms
// (NFKC) and accents do not count; a word with the same accents ranks higher, and much higher where
// no stemmer knows it, as in Vietnamese, where accents are all that tells many words apart. The
// parts of a compound are words, and so is the compound without its joiners: "wi-fi" is found by
// wifi, wi-fi and wi fi; "C++", ".NET", "4.0" and "node.js" are names of their own. Short parts
// beside an apostrophe are no words ("l'école", "don't"), but "or" in "l'or" and "go" in "Go's"
// are. In a word of Cyrillic or Hebrew an apostrophe is left out: "об'єкт" is обєкт.
//
// Invisible signs, such as the soft hyphen, do not count, nor does which apostrophe or hyphen joins
// parts, which script digits are of, which skin an emoji has, or what sets the thousands of a
// number apart. So 10000 finds "10,000", "10.000", "10 000" with a no-break space, "10'000",
// "10_000", "10.000-fach" and "10,000.50", and 10000.50 finds the last. But 10000 does not find
// "10.0000", nor 3141 "3.141", nor 100200 "4,100,200,3000", a list. "1920×1080" is 1920x1080, and
// "½" 1/2. The signs of ordinals are no letters: "1º" is 1, and "350ºF" 350 F, as is "350°F".
//
// Chinese, Japanese, Korean, Thai, Lao, Khmer and Burmese, which write no spaces (or
// put particles behind words without one), are indexed by pairs of characters.
//
// Words have stems, by the language of their article:
//
//   - where Bleve's analyzer of the language has a stemmer: by that; but in Spanish, Italian and
//     Portuguese by Snowball's
//   - in English: likewise, and an irregular plural such as mice has the stem of its singular
//   - in Portuguese, Spanish and Dutch: likewise, and funções has the stem of função, luces that of
//     luz, huizen that of huis, and configuracion that of configuración
//   - in Arabic: by Snowball's stemmer, without the article and the endings of regular plurals
//   - in Tamil: by Snowball's stemmer
//   - in Persian: the word as it is spelled mostly, without the ending of plurals
//   - in 33 languages that inflect and have no stemmer here, such as Czech: the first 6 letters, in
//     those with short roots, such as Kazakh, the first 5, without the vowels at their end; in 11
//     in scripts of India, such as Bengali, likewise the first 3 consonants (in Nepali of the word
//     without postpositions)
//   - in Serbian, one of these: in Latin letters, whichever the word is written in
//   - in Hebrew, Amharic, Indonesian and Malay: the word without common prefixes and endings
//   - in all other languages: none
//   - in another script than the language's: the stem in the language that uses the script most
//   - in every language, a word that ends with a digit is its own
//   - a version has, in every language, the numbers it begins with, up to each of its dots and
//     without a "v" before them
//
// A word is known by its folded form: [Lower] makes the form in lower case, with accents, and
// [Fold] the folded form of that. Folded Chinese is simplified; pairs of characters are indexed as
// they are written, and looked for in all their [Spellings].
//
// Of Bleve, only its stemmers and stop words of some thirty languages are used here.
package analysis
