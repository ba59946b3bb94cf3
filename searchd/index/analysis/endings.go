package analysis

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/blevesearch/snowballstem"
	"github.com/blevesearch/snowballstem/arabic"
	"github.com/blevesearch/snowballstem/portuguese"
)

const (
	// truncated is the number of letters that stand for a word if its language inflects and no
	// stemmer is at hand: almost as good as a stemmer (McNamee and Mayfield 2004, "Character n-gram
	// tokenization for European language text retrieval").
	truncated = 6
	// truncatedShort is that number in Turkic languages, Basque and others with short roots and
	// many endings in a row. (nDCG@10 on a Kazakh collection of 697 articles 0.711, by 6 letters
	// 0.693, without stems 0.630; on a Basque manual of 2,543 pages 0.645 and 0.612.)
	truncatedShort = 5
	// truncatedConsonants is that number in scripts of India. Their vowels do not count: unless
	// they begin a word or a syllable, they are marks. (Mean nDCG@10 on 13 collections of eleven
	// languages 0.753, by 4 letters 0.736, by 5 letters or marks 0.749, without stems 0.710.)
	truncatedConsonants = 3
	// leastLetters is how many letters of a word are left at least, whatever is removed from its
	// ends.
	leastLetters = 3
)

// beginningOf returns the first letters of a folded word, at most so many, with the marks between
// them and without the vowels at their end, which are the ending of short words, as in книга and
// книги. (nDCG@10 on the Greek xquad 0.963, with the whole six letters 0.956; on the Russian one,
// taken for Ukrainian, 0.959 and 0.950, and 0.961 with Snowball's stemmer of Russian.)
func beginningOf(word string, most int) string {
	if lastDigits(word) != "" { // it has no ending
		return word
	}
	end, letters, marks := 0, 0, 0
	for end < len(word) {
		r, size := utf8.DecodeRuneInString(word[end:])
		if unicode.IsMark(r) {
			marks++
		} else if letters++; letters > most {
			letters--
			break
		}
		end += size
	}
	for left := letters + marks; left > leastLetters; left-- {
		last, size := utf8.DecodeLastRuneInString(word[:end])
		if !unicode.IsMark(last) && !strings.ContainsRune(softEndings, last) {
			break
		}
		end -= size
	}
	return word[:end]
}

// softEndings are the folded vowels of the languages whose words are truncated; also the letters of
// Cyrillic that only soften or harden the one before them, й and ј, the s at the end of many Greek
// words, and the h and the nasal n at the end of many Urdu words.
const softEndings = "aeiouy" + "αεηιουωσ" + "аеиоуыэюяєіѣъьйјәөүұ" + "աեէըիոօւ" + "აეიოუ" + "اويےهں"

// indicStem truncates a folded word of a language in a script of India. Of two spellings it takes
// the one that needs fewer keys: without the dot below letters for foreign sounds, with one sign
// for all nasals, and with short vowels; so बाज़ार is बाजार, हँसी हंसी, हिन्दी हिंदी, and जमीन is
// as in जमिनीवर. (So do Lucene's normalisers of Hindi and Bengali.) Unicode arranges these scripts
// alike, except Sinhala: of its letters only ෂ becomes ශ, which sounds like it, and ව always
// becomes the same code point, which is no letter.
func indicStem(word string) string {
	const candrabindu, anusvara, nukta, longI, longU, virama, ofScript = 0x01, 0x02, 0x3C, 0x40, 0x42, 0x4D, 0x7F
	letters := []rune(strings.TrimLeft(word, "0123456789"))
	if len(letters) == 0 || letters[0] < 0x0900 || letters[0] > 0x0DFF {
		return word
	}
	if number := len(word) - len(string(letters)); number > 0 { // endings directly follow a number: १९९०च्या
		return word[:number]
	}
	var spelled strings.Builder
	for i := 0; i < len(letters); i++ {
		switch r := letters[i]; r & ofScript {
		case nukta:
		case candrabindu:
			spelled.WriteRune(r + 1)
		case longI, longU:
			spelled.WriteRune(r - 1)
		case 0x19, 0x1E, 0x23, 0x28, 0x2E: // a nasal; in Unicode it follows the four consonants of its place of articulation
			if i+2 < len(letters) && letters[i+1]&ofScript == virama && r-4 <= letters[i+2] && letters[i+2] < r {
				r, i = r&^ofScript|anusvara, i+1
			}
			spelled.WriteRune(r)
		default:
			spelled.WriteRune(r)
		}
	}
	return beginningOf(spelled.String(), truncatedConsonants)
}

// nepaliNoun removes from a folded word of Nepali the postposition at its end, and the ending of a
// plural. Truncation would leave these on words with few letters, as in देशको, of the country.
func nepaliNoun(word string) string {
	const least = leastLetters - 1 // as of घर, a house
	word = withoutEnding(word, least, "को", "का", "की", "ले", "लाई", "मा", "बाट", "सँग", "देखि")
	return withoutEnding(word, least, "हरू", "हरु")
}

// persianStem removes the ending of a plural from a normalised word of Persian, if it is written
// without the usual zero width non-joiner before it: کتابها is کتاب‌ها, and found by کتاب.
func persianStem(word string) string {
	return withoutEnding(word, leastLetters, "هايي", "هاي", "ها")
}

// withoutEnding removes from a word the first of some endings that it has, if at least so many
// letters are left.
func withoutEnding(word string, least int, endings ...string) string {
	for _, ending := range endings {
		if rest, ok := strings.CutSuffix(word, ending); ok && utf8.RuneCountInString(rest) >= least {
			return rest
		}
	}
	return word
}

// withDotlessI writes ı for each i after a back vowel in a word of Turkish, where vowel harmony has
// it: cihazi is cihazı, typed on another keyboard or read from CIHAZI.
func withDotlessI(lowered string) string {
	back := false
	return strings.Map(func(r rune) rune {
		switch r {
		case 'a', 'ı', 'o', 'u', 'â', 'û':
			back = true
		case 'e', 'ö', 'ü':
			back = false
		case 'i':
			if back {
				return 'ı'
			}
		}
		return r
	}, lowered)
}

// serbianInLatin returns a folded word of Serbian in Latin letters without accents, as many people
// type it whichever script an article is in: праћење, praćenje and pracenje are one word. Lowered
// is the word before folding. (So does Lucene's SerbianNormalizationFilter.)
func serbianInLatin(lowered, folded string) string {
	if strings.ContainsRune(lowered, 'đ') { // folding makes it d, which is no other way to write it
		folded = string(Fold([]byte(strings.ReplaceAll(lowered, "đ", "dj")), nil))
	}
	// each letter in its folded form, followed by the Latin letter that stands for it; й and ў are
	// of other languages
	const letters = "аaбbвvгgдdеeжzзzиiјjкkлlмmнnоoпpрrсsтtћcуuфfхhцcчcшs"
	var latin []byte
	for _, r := range folded {
		switch at := strings.IndexRune(letters, r); {
		case r == 'ђ':
			latin = append(latin, "dj"...)
		case r == 'љ':
			latin = append(latin, "lj"...)
		case r == 'њ':
			latin = append(latin, "nj"...)
		case r == 'џ':
			latin = append(latin, "dz"...)
		case r >= utf8.RuneSelf && at >= 0:
			latin = append(latin, letters[at+utf8.RuneLen(r)])
		default:
			latin = utf8.AppendRune(latin, r)
		}
	}
	return string(latin)
}

// hebrewStem removes from a folded word of Hebrew the prefixes that are words of their own in other
// languages (the, and, in, to, from, that, as), as long as enough letters are left, and then one
// ending: הפרויקטים, ובפרויקט and פרויקט are one word. It also removes such letters of the word
// itself, but does so in all its forms (nDCG@10 on a Hebrew collection of 477 articles 0.852,
// without 0.797).
func hebrewStem(word string) string {
	letters := utf8.RuneCountInString(word)
	for letters > leastLetters {
		first, size := utf8.DecodeRuneInString(word)
		if !strings.ContainsRune("הובלמשכ", first) {
			break
		}
		word, letters = word[size:], letters-1
	}
	word = withoutEnding(word, leastLetters, "ים", "ות", "ה", "ת", "י")
	switch last, size := utf8.DecodeLastRuneInString(word); last {
	case 'ך', 'ם', 'ן', 'ף', 'ץ': // forms that occur only at the end of words
		word = word[:len(word)-size] + string(last+1)
	}
	return word
}

// arabicStem removes from a word of Arabic the article and the ending of a regular plural, or of
// an indefinite accusative that is written with its vowel sign, and passes the rest to Snowball's
// stemmer. That alone takes a word for a noun only if it has the article, and finds another stem
// for a fifth of all words without it: تطبيقات had another than التطبيقات and تطبيق, "the
// applications" and "an application"; and it takes the end of سكانًا (inhabitants) for "our".
// (nDCG@10 on xquad-ar 0.9435, by Snowball's stemmer alone 0.9431, by a light one, which only
// removes beginnings and endings, 0.9391.)
func arabicStem(word string) string {
	word = withoutEnding(word, leastLetters, "ًا", "اً")
	word = strings.ReplaceAll(withoutArticle(word), "ى", "ي") // in Egypt the first is also typed for the second
	stem := snowball(arabic.Stem, withoutEnding(word, leastLetters, "ات", "ون", "ين"))
	return withoutEnding(stem, leastLetters, "ا") // of a plural with another ending: مكوناته
}

// amharicStem removes from a word of Amharic the preposition before it and, at its end, a
// conjunction, the endings of an object and of the definite form, and that of a plural, with the
// vowel before. It replaces letters that sound alike, which people type for each other, by one of
// them. (nDCG@10 on an Amharic collection of 374 articles 0.962, without stems 0.912.)
func amharicStem(word string) string {
	const least = 2 // letters must be left; they are syllables
	letters := []rune(word)
	for i, r := range letters {
		for _, alike := range [...]struct{ row, same rune }{{'ሐ', 'ሀ'}, {'ኀ', 'ሀ'}, {'ኸ', 'ሀ'}, {'ሠ', 'ሰ'}, {'ዐ', 'አ'}, {'ፀ', 'ጸ'}} {
			if alike.row <= r && r < alike.row+8 {
				letters[i] = r - alike.row + alike.same
			}
		}
	}
	if len(letters) > least && strings.ContainsRune("የበከለ", letters[0]) {
		letters = letters[1:]
	}
	for _, endings := range [...]string{"ናም", "ን", "ው", "ች"} {
		if len(letters) > least && strings.ContainsRune(endings, letters[len(letters)-1]) {
			letters = letters[:len(letters)-1]
		}
	}
	if last := len(letters) - 1; last > 0 && 0x1200 <= letters[last] && letters[last] <= 0x1357 {
		letters[last] = letters[last]&^7 | 5 // without its vowel
	}
	return string(letters)
}

// indonesianStem removes from a word of Indonesian or Malay, as long as enough letters are left, a
// particle and a pronoun at its end, a prefix, and a suffix. It restores a letter that the prefix
// replaces: menulis is of tulis. (nDCG@10 on an Indonesian collection of 2,000 articles 0.798,
// without stems 0.784; on another of 1,204 0.878 and 0.860.)
func indonesianStem(word string) string {
	const least = leastLetters + 1
	word = withoutEnding(withoutEnding(word, least, "lah", "kah", "pun"), least, "nya", "ku", "mu")
	for _, prefix := range [...]struct{ letters, before string }{
		{"meng", ""}, {"meny", "s"}, {"men", "t"}, {"mem", "p"}, {"me", ""},
		{"peng", ""}, {"peny", "s"}, {"pen", "t"}, {"pem", "p"}, {"per", ""}, {"pe", ""},
		{"di", ""}, {"ter", ""}, {"ber", ""}, {"ke", ""}, {"se", ""},
	} {
		if rest, ok := strings.CutPrefix(word, prefix.letters); ok && utf8.RuneCountInString(rest) >= least {
			if strings.IndexByte("aeiou", rest[0]) >= 0 {
				rest = prefix.before + rest
			}
			word = rest
			break
		}
	}
	return withoutEnding(word, least, "kan", "an", "i")
}

// portugueseStem returns Snowball's stem of the singular. Bleve has no filter for it, as it has for
// Spanish; see rulesOf. (nDCG@10 on a collection of Brazilian universities 0.928, with the light
// one 0.918.)
func portugueseStem(word string) string { return snowball(portuguese.Stem, portugueseSingular(word)) }

// portugueseSingular returns the singular of a word of Portuguese whose plural changes its end,
// because Snowball's stemmer takes função and funções for two words. It also restores the accents
// of -ção and -ções, which many people leave out.
func portugueseSingular(word string) string {
	const shortest = 5 // letters: mais, pais, leis and mães are other words
	if utf8.RuneCountInString(word) < shortest {
		return word
	}
	for _, one := range [...]struct{ ending, singular string }{
		{"cao", "ção"}, {"coes", "ção"}, {"oes", "ão"}, {"ões", "ão"}, {"ães", "ão"},
		{"ais", "al"}, {"éis", "el"}, {"veis", "vel"}, {"eis", "il"}, {"fis", "fil"}, {"heróis", "herói"}, {"óis", "ol"},
		{"dens", "dem"}, {"gens", "gem"}, {"mens", "mem"}, {"tens", "tem"}, {"vens", "vem"}, {"muns", "mum"},
		{"ns", "n"}, // from English: tokens, plugins
	} {
		if rest, ok := strings.CutSuffix(word, one.ending); ok {
			return rest + one.singular
		}
	}
	return word
}

// snowball returns the folded stem of a word in lower case.
func snowball(stem func(*snowballstem.Env) bool, word string) string {
	env := snowballstem.NewEnv(word)
	stem(env)
	return string(Fold([]byte(env.Current()), nil))
}

// withoutArticle removes the article from a word of Arabic, with an "and" and a preposition before
// it.
func withoutArticle(word string) string {
	rest := word
	if one, ok := strings.CutPrefix(word, "و"); ok {
		rest = one
	} else if one, ok := strings.CutPrefix(word, "ف"); ok {
		rest = one
	}
	for _, article := range [...]string{"ال", "بال", "كال", "لل"} {
		for _, text := range [...]string{word, rest} {
			if noun, ok := strings.CutPrefix(text, article); ok && utf8.RuneCountInString(noun) >= leastLetters {
				return noun
			}
		}
	}
	return word
}

// ordinal returns the digits of an ordinal with one of the endings, such as 14th, as dates are
// written: "March 14th" is March 14, "article 1er" article 1, and "artigo 1o", typed for 1º, artigo
// 1. It returns "" for other words.
func ordinal(word string, endings ...string) string {
	for _, ending := range endings {
		if number, ok := strings.CutSuffix(word, ending); ok && strings.Trim(number, "0123456789") == "" {
			return number
		}
	}
	return ""
}
