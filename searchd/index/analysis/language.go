package analysis

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/blevesearch/bleve/v2/analysis"
	"github.com/blevesearch/bleve/v2/registry"
	"github.com/blevesearch/snowballstem/tamil"
	"golang.org/x/text/language"

	// Each import registers the filters and the stop words of one language.
	_ "github.com/blevesearch/bleve/v2/analysis/lang/ar"
	_ "github.com/blevesearch/bleve/v2/analysis/lang/bg"
	_ "github.com/blevesearch/bleve/v2/analysis/lang/ca"
	_ "github.com/blevesearch/bleve/v2/analysis/lang/ckb"
	_ "github.com/blevesearch/bleve/v2/analysis/lang/cs"
	_ "github.com/blevesearch/bleve/v2/analysis/lang/da"
	_ "github.com/blevesearch/bleve/v2/analysis/lang/de"
	_ "github.com/blevesearch/bleve/v2/analysis/lang/el"
	_ "github.com/blevesearch/bleve/v2/analysis/lang/en"
	_ "github.com/blevesearch/bleve/v2/analysis/lang/es"
	_ "github.com/blevesearch/bleve/v2/analysis/lang/eu"
	_ "github.com/blevesearch/bleve/v2/analysis/lang/fa"
	_ "github.com/blevesearch/bleve/v2/analysis/lang/fi"
	_ "github.com/blevesearch/bleve/v2/analysis/lang/fr"
	_ "github.com/blevesearch/bleve/v2/analysis/lang/ga"
	_ "github.com/blevesearch/bleve/v2/analysis/lang/gl"
	_ "github.com/blevesearch/bleve/v2/analysis/lang/hi"
	_ "github.com/blevesearch/bleve/v2/analysis/lang/hr"
	_ "github.com/blevesearch/bleve/v2/analysis/lang/hu"
	_ "github.com/blevesearch/bleve/v2/analysis/lang/hy"
	_ "github.com/blevesearch/bleve/v2/analysis/lang/id"
	_ "github.com/blevesearch/bleve/v2/analysis/lang/in"
	_ "github.com/blevesearch/bleve/v2/analysis/lang/it"
	_ "github.com/blevesearch/bleve/v2/analysis/lang/nl"
	_ "github.com/blevesearch/bleve/v2/analysis/lang/no"
	_ "github.com/blevesearch/bleve/v2/analysis/lang/pl"
	_ "github.com/blevesearch/bleve/v2/analysis/lang/pt"
	_ "github.com/blevesearch/bleve/v2/analysis/lang/ro"
	_ "github.com/blevesearch/bleve/v2/analysis/lang/ru"
	_ "github.com/blevesearch/bleve/v2/analysis/lang/sv"
	_ "github.com/blevesearch/bleve/v2/analysis/lang/tr"
)

// rules say how the words of a language get their stems.
type rules struct {
	ordinals []string // the endings of ordinals, such as that of 14th; see ordinal
	filters  []string // the names of Bleve's filters that turn a word in lower case into its stem, as in Bleve's own analyzers
	stem     stemmer  // nil in a language without stems
	prefixed bool     // whether stems lack prefixes of their words; not set for Arabic and Hebrew, which their scripts tell (see BeginsOtherwise)
}

// stemmer returns the folded stem of a word, given in lower case and folded.
type stemmer func(l *Language, lowered []byte, word string) string

// ofWord returns the stemmer that needs only the folded word, and ofLowered the one that needs only
// the word in lower case.
func ofWord(stem func(word string) string) stemmer {
	return func(_ *Language, _ []byte, word string) string { return stem(word) }
}

func ofLowered(stem func(lowered string) string) stemmer {
	return func(_ *Language, lowered []byte, _ string) string { return stem(string(lowered)) }
}

// rulesOf returns the rules of a language (ISO 639). In Spanish and Italian the filter is
// Snowball's, which, unlike the light one, removes the endings of verbs, which questions often
// have. (nDCG@10 on xquad-es 0.967, with the light one 0.961; on an Italian collection of 2,007
// articles 0.862 and 0.846; in French both are alike.)
func rulesOf(code string) rules {
	switch code {
	case "am":
		return rules{prefixed: true, stem: ofWord(amharicStem)}
	case "ar":
		return rules{stem: ofLowered(arabicStem)}
	case "as", "bn", "gu", "kn", "ml", "mr", "or", "pa", "si", "te":
		return rules{stem: ofWord(indicStem)}
	case "az", "ba", "eu", "kk", "ky", "mn", "tk", "tt", "ug", "ur", "uz":
		return rules{stem: ofWord(func(word string) string { return beginningOf(word, truncatedShort) })}
	case "be", "bg", "cs", "el", "eo", "et", "fo", "ga", "hy", "is", "ka", "la", "lt", "lv", "mk", "sk", "sl", "sq", "uk":
		return rules{stem: ofWord(func(word string) string { return beginningOf(word, truncated) })}
	case "ca", "gl": // without the s of plurals (nDCG@10 on a Catalan manual of 2,543 pages 0.620, with it 0.592)
		return rules{stem: ofWord(func(word string) string { return beginningOf(withoutEnding(word, leastLetters, "s"), truncated) })}
	case "ckb":
		return rules{filters: []string{"normalize_ckb", "stemmer_ckb"}, stem: (*Language).filtered}
	case "da", "fi", "hu", "no", "sv":
		return rules{filters: []string{"stemmer_" + code + "_snowball"}, stem: (*Language).filtered}
	case "de":
		return rules{filters: []string{"normalize_de", "stemmer_de_light"}, stem: (*Language).filtered}
	case "en":
		return rules{ordinals: []string{"st", "nd", "rd", "th"}, filters: []string{"stemmer_en_snowball"}, stem: englishStem}
	case "es":
		return rules{ordinals: []string{"o", "a"}, filters: []string{"stemmer_es_snowball"}, stem: spanishStem}
	case "fa":
		return rules{filters: []string{"normalize_ar", "normalize_fa"}, stem: func(l *Language, lowered []byte, word string) string {
			return persianStem(l.filtered(lowered, word))
		}}
	case "fr":
		return rules{
			ordinals: []string{"er", "ere", "re", "e", "eme", "nd", "nde"},
			filters:  []string{"stemmer_fr_light"},
			stem:     frenchStem,
		}
	case "he":
		return rules{stem: ofWord(hebrewStem)}
	case "hi":
		return rules{filters: []string{"normalize_in", "normalize_hi", "stemmer_hi"}, stem: (*Language).filtered}
	case "hr":
		return rules{filters: []string{"hr_suffix_transformation_filter", "stemmer_hr"}, stem: (*Language).filtered}
	case "id", "ms":
		return rules{prefixed: true, stem: ofWord(indonesianStem)}
	case "it":
		return rules{ordinals: []string{"o", "a"}, filters: []string{"stemmer_it_snowball"}, stem: (*Language).filtered}
	case "ne":
		return rules{stem: ofWord(func(word string) string { return indicStem(nepaliNoun(word)) })}
	case "nl":
		return rules{ordinals: []string{"e", "de", "ste"}, filters: []string{"stemmer_nl_snowball"}, stem: dutchStem}
	case "pl":
		return rules{filters: []string{"stemmer_pl"}, stem: polishStem}
	case "pt":
		return rules{ordinals: []string{"o", "a"}, stem: ofLowered(portugueseStem)}
	case "ro":
		return rules{filters: []string{"stemmer_ro_snowball"}, stem: romanianStem}
	case "ru":
		return rules{filters: []string{"stemmer_ru_snowball"}, stem: russianStem}
	case "sr":
		return rules{stem: func(_ *Language, lowered []byte, word string) string {
			return beginningOf(serbianInLatin(string(lowered), word), truncated)
		}}
	case "ta":
		return rules{stem: ofWord(func(word string) string { return cmp.Or(snowball(tamil.Stem, word), word) })} // the stemmer leaves nothing of pronouns
	case "tr":
		return rules{filters: []string{"stemmer_tr_snowball"}, stem: turkishStem}
	}
	return rules{}
}

// Language stems the words of one language. It is safe for concurrent use.
type Language struct {
	Code     string
	all      *Languages // for words in other scripts
	mostUsed string     // the code of the language that uses the script of this one most; "" if that has no stems
	rules    rules
	filters  []analysis.TokenFilter // the filters that rules names
	stop     analysis.TokenMap      // stop words without accents; those of questions, such as nào in Vietnamese, also with them

	mu    sync.RWMutex
	stems map[string]string // of words in lower case; at most maxStems
}

// Bounds of the stems that a language keeps: some 10 MB of ordinary words, and twice as much at
// most.
const (
	maxStems = 100_000 // more words than a language has in common use
	// maxStemmedBytes is the longest word whose stem is kept. Longer ones are rare, but a query may
	// have one of 17 kB in NFKC, and another query the next.
	maxStemmedBytes = 64
)

// Languages keeps the languages that were met so far. It is safe for concurrent use.
type Languages struct {
	cache   *registry.Cache
	scripts []script
	mu      sync.Mutex
	known   map[string]*Language
}

func NewLanguages() *Languages {
	scripts := []script{
		{"Latn", unicode.Latin, "en"}, {"Cyrl", unicode.Cyrillic, "ru"}, {"Arab", unicode.Arabic, "ar"}, {"Hebr", unicode.Hebrew, "he"},
		{"Deva", unicode.Devanagari, "hi"}, {"Grek", unicode.Greek, "el"}, {"Armn", unicode.Armenian, "hy"}, {"Geor", unicode.Georgian, "ka"},
		{"Taml", unicode.Tamil, "ta"},
	}
	return &Languages{cache: registry.NewCache(), scripts: scripts, known: map[string]*Language{}}
}

// Of returns the language of a BCP 47 tag: English for en-GB. In a language without a stemmer,
// words have no stems.
func (l *Languages) Of(tag string) *Language {
	code, _, _ := strings.Cut(strings.ToLower(tag), "-")
	code, _, _ = strings.Cut(code, "_")
	switch code {
	case "nb", "nn":
		code = "no"
	case "bs": // Bosnian inflects as Croatian
		code = "hr"
	case "iw": // the code of Hebrew until 1989
		code = "he"
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if lang := l.known[code]; lang != nil {
		return lang
	}
	lang := &Language{Code: code, all: l, mostUsed: l.mostUsed(code), rules: rulesOf(code), stop: analysis.NewTokenMap(), stems: map[string]string{}}
	for _, name := range lang.rules.filters {
		if f, err := l.cache.TokenFilterNamed(name); err == nil {
			lang.filters = append(lang.filters, f)
		}
	}
	if words, err := l.cache.TokenMapNamed("stop_" + code); err == nil {
		for w := range words {
			form := Lower(w, nil)
			lang.stop.AddToken(string(Fold(form, nil)))
			// Some people leave out the apostrophe: dont is a stop word as don't is. But shell is
			// not she'll, and id not I'd.
			if !bytes.HasSuffix(form, []byte("'ll")) && !bytes.HasSuffix(form, []byte("'d")) {
				lang.stop.AddToken(string(Fold(joined(form, nil), nil)))
			}
		}
	}
	for w := range strings.FieldsSeq(asking(code)) {
		form := Lower(w, nil)
		lang.stop.AddToken(string(form)) // with its accents, for IsStop
		lang.stop.AddToken(string(Fold(form, nil)))
	}
	l.known[code] = lang
	return lang
}

// Stem returns the folded stem of a word in lower case, which may be the whole word; "" in a
// language without stems. A stop word, or a word that ends with a digit, is its own stem. A stem
// that is a stop word with which a longer word begins gets a hyphen, which no word has: overheid,
// the government, does not find over.
func (l *Language) Stem(lowered []byte) string {
	if len(lowered) > maxStemmedBytes {
		return l.findStem(lowered)
	}
	l.mu.RLock()
	stem, ok := l.stems[string(lowered)]
	l.mu.RUnlock()
	if ok {
		return stem
	}
	stem = l.findStem(lowered)
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.stems) >= maxStems {
		clear(l.stems)
	}
	l.stems[string(lowered)] = stem
	return stem
}

// twoScripts reports whether the language is written in two scripts, so that a stem may be in
// another one than its word: Serbian is.
func (l *Language) twoScripts() bool { return l.Code == "sr" }

// BeginsOtherwise reports whether words of the language may begin with another letter than their
// stems: in another script, or with a prefix. Words in the scripts of Arabic and Hebrew may do so
// in any language.
func (l *Language) BeginsOtherwise() bool { return l.rules.prefixed || l.twoScripts() }

// Stemmed reports whether words of the language have stems.
func (l *Language) Stemmed() bool { return l.rules.stem != nil }

func (l *Language) findStem(lowered []byte) string {
	if other := l.OfScript(lowered); other != l {
		return other.findStem(lowered)
	}
	if !l.Stemmed() {
		return ""
	}
	word := string(Fold(lowered, nil))
	if l.stop[word] {
		return word
	}
	stem := ordinal(word, l.rules.ordinals...)
	if stem == "" {
		stem = l.rules.stem(l, lowered, word)
	}
	if end := lastDigits(word); end != "" && end != lastDigits(stem) { // to Finnish, 200 is a form of 20
		return word
	}
	if rest, begins := strings.CutPrefix(word, stem); begins && rest != "" && l.stop[stem] {
		return stem + "-"
	}
	return stem
}

// lastDigits returns the digits that a folded word ends with.
func lastDigits(word string) string { return word[len(strings.TrimRight(word, "0123456789")):] }

// filtered returns the folded stem that Bleve's filters make of a word in lower case and folded.
func (l *Language) filtered(lowered []byte, word string) string {
	stream := analysis.TokenStream{{Term: bytes.Clone(lowered), Type: analysis.AlphaNumeric, Position: 1, End: len(lowered)}}
	for _, f := range l.filters {
		stream = f.Filter(stream)
	}
	if len(stream) == 0 || len(stream[0].Term) == 0 {
		return word
	}
	return string(Fold(stream[0].Term, nil))
}

func englishStem(l *Language, lowered []byte, word string) string {
	if one, _ := Irregular(word); one != "" {
		lowered = []byte(one)
	}
	return l.filtered(lowered, word)
}

func spanishStem(l *Language, lowered []byte, word string) string {
	if rest, ok := bytes.CutSuffix(lowered, []byte("ion")); ok { // many people leave out the accent, by which the stemmer recognises the ending
		lowered = append(bytes.Clone(rest), "ión"...)
	}
	stem := l.filtered(lowered, word)
	if rest, ok := strings.CutSuffix(stem, "z"); ok && stem == word { // luz has the stem of luces, but plaza not that of placa
		return rest + "c"
	}
	return stem
}

// frenchStem keeps two of a letter where the stemmer leaves one, but for the end of the stem, where
// an ending may have doubled it, as in appelle. Else any word with a letter typed twice would be a
// form of the right one and no typo, in articles of French alone.
func frenchStem(l *Language, lowered []byte, word string) string {
	stem, at := l.filtered(lowered, word), 0
	var kept strings.Builder
	for i := range len(stem) {
		if at == len(word) || word[at] != stem[i] {
			return kept.String() + stem[i:]
		}
		kept.WriteByte(stem[i])
		at++
		for at < len(word) && word[at] == stem[i] && i+1 < len(stem) && stem[i+1] != stem[i] {
			kept.WriteByte(stem[i])
			at++
		}
	}
	return kept.String()
}

// dutchStem ends a stem as the end of a word is spelled: that of huizen as in huis, that of brieven
// as in brief.
func dutchStem(l *Language, lowered []byte, word string) string {
	stem := dutchVerb(l.filtered(lowered, word))
	if rest, ok := strings.CutSuffix(stem, "z"); ok {
		return rest + "s"
	}
	if rest, ok := strings.CutSuffix(stem, "v"); ok {
		return rest + "f"
	}
	return stem
}

// dutchVerb takes from the stem of a verb what the stemmer leaves: the endings of maakt, gemaakt,
// publiceert and gepubliceerd. It knows verbs by the two vowels before a consonant; with an r, as
// in maart, or a d, as in beeld, many nouns have these, too. Nor is verkeerd a form of verkeer.
func dutchVerb(stem string) string {
	end := len(stem) - 1
	if end < 4 || stem[end] != 't' && stem[end] != 'd' {
		return stem
	}
	root, vowels := stem[:end], stem[end-3:end-1]
	long := vowels[0] == vowels[1]
	switch vowels {
	case "aa", "ee", "oo", "uu", "eu", "ie", "ij", "oe", "ou", "ui":
	default:
		return stem
	}
	foreign := strings.HasSuffix(root, "eer") && root != "verkeer"
	if !foreign && strings.IndexByte("fgklmpw", root[end-1]) < 0 {
		return stem
	}
	rest, isPrefixed := strings.CutPrefix(root, "ge")
	own := []string{"gebruik", "gedoog", "gedraag", "gehoorzaam", "gelijk", "geloof", "geraam", "getuig"}
	switch {
	case slices.Contains(own, root), strings.HasPrefix(root, "gener"): // their ge- is no prefix
	case isPrefixed && len(rest) > 3:
		root = rest
	case stem[end] == 'd' && !foreign:
		return stem
	}
	if long {
		root = root[:len(root)-2] + root[len(root)-1:]
	}
	return root
}

// polishStem returns the stem of Stempel if it is plausible, else the word. Stempel learnt its
// rules from a list of words, and makes nonsense of others, "c" of "python", "nac" of "links".
func polishStem(l *Language, lowered []byte, word string) string {
	stem := l.filtered(lowered, word)
	first, _ := utf8.DecodeRuneInString(word)
	letters, most := utf8.RuneCountInString(stem), utf8.RuneCountInString(word)+1
	if strings.HasPrefix(stem, string(first)) && 2*letters >= most-1 && letters <= most {
		return stem
	}
	return word
}

// romanianStem stems a word with ş and ţ in place of ș and ț. Texts from before Unicode had the
// latter have the former, and the stemmer knows only these.
func romanianStem(l *Language, lowered []byte, word string) string {
	lowered = bytes.ReplaceAll(lowered, []byte("ș"), []byte("ş"))
	return l.filtered(bytes.ReplaceAll(lowered, []byte("ț"), []byte("ţ")), word)
}

// russianStem stems a word with е in place of ё. The stemmer does not take ё for a vowel, and would
// leave endings after it.
func russianStem(l *Language, lowered []byte, word string) string {
	return l.filtered(bytes.ReplaceAll(lowered, []byte("ё"), []byte("е")), word)
}

func turkishStem(l *Language, lowered []byte, word string) string {
	stem := l.filtered(lowered, word)
	if utf8.RuneCountInString(stem) < 2 { // the stemmer leaves c of cümle, a sentence, and g of günü, the day
		return word
	}
	if stem != word {
		return stem
	}
	// Perhaps only because it was typed with i for ı; the stemmer knows no such endings.
	const least = 5 // letters must be left: cihazı is typed as cihazi, but analiz, vali and cami have their i from other languages
	if rest := l.filtered([]byte(withDotlessI(string(lowered))), word); utf8.RuneCountInString(rest) >= least {
		return rest
	}
	return stem
}

// Versions returns the numbers by which a version is found, the longest last: 1.70 and 1.70.0 find
// v1.70.0. It returns nil for other words.
func Versions(lowered string) (found []string) {
	if !strings.Contains(lowered, ".") {
		return nil
	}
	number := strings.Map(european, strings.TrimPrefix(lowered, "v"))
	if !asciiDigit(number[0]) {
		return nil
	}
	for i := strings.IndexByte(number, '.') + 1; i < len(number); i++ {
		if number[i] == '.' {
			found = append(found, number[:i])
		}
	}
	return append(found, number)
}

// IsStop reports whether a word in lower case is a stop word of this language, or of that of its
// script. In a language without stems, accents alone may tell words apart; so there the word must
// have those of the stop word, or none. In Vietnamese nào is which, but não the brain.
func (l *Language) IsStop(lowered string) bool {
	in, folded := l.OfScript([]byte(lowered)), string(Fold([]byte(lowered), nil))
	return in.stop[folded] && (in.Stemmed() || lowered == folded || in.stop[lowered])
}

// OfScript returns the language in which a word is stemmed: if its script is not that of l, the
// language that uses the script most. So English words of a Russian or Japanese article have stems,
// and so have the articles of an Arabic site that says it is in another language.
func (l *Language) OfScript(word []byte) *Language {
	if l.twoScripts() {
		return l
	}
	first, _ := utf8.DecodeRune(word)
	code := ""
	for _, one := range l.all.scripts {
		if unicode.Is(one.letters, first) {
			code = one.language
			break
		}
	}
	if code == "" || code == l.mostUsed {
		return l
	}
	return l.all.Of(code)
}

// mostUsed returns the language that uses the script of a language most, as far as Unicode's CLDR
// knows that script; "" if that language has no stems.
func (l *Languages) mostUsed(code string) string {
	tag, err := language.Parse(code)
	if err != nil { // such as an unregistered one
		return "en"
	}
	own, _ := tag.Script()
	for _, one := range l.scripts {
		if one.name == own.String() {
			return one.language
		}
	}
	return ""
}

// script is a script, and the language with stems that uses it most.
type script struct {
	name     string // in CLDR
	letters  *unicode.RangeTable
	language string
}
