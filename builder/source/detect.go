package source

import (
	"path"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"newsstand/builder/cache"
	"newsstand/builder/source/dialect"
	"newsstand/builder/source/frontmatter"
)

// functionWords are the most frequent words of each language, except those that are as frequent in
// related languages. Each line has one language: its tag, then its words.
const functionWords = `
en the and of to that with for this are was you have from which
fr les des est une dans pour qui pas sur avec vous cette sont aux
de der die und das ist nicht mit den auf eine dem für von sich
es los las una por con para del que más como está pero sus
pt os uma não com para dos das são você mais ao pela isso
it il di che per non della sono gli più anche nel delle è
nl het een van niet zijn voor dat op ook aan wordt naar je
sv och att det som är för inte på av till ett den jag de har från med
da og det er ikke til af på med som jeg blev også hun mod efter fra sig kun
nb og det er ikke til av på med som jeg ble også hun mot etter fra seg bare
is og að er það ekki sem við til hann eru hefur var
fi ja on ei että oli hän mutta kun ovat myös joka sen heidän hänen tai niin se
et ja on ei et oli kui mis oma ning see ta aga selle või nende
hu és hogy nem egy az meg csak volt mint vagy ezt ha
pl się nie jest na do że jak jego oraz dla przez od i w z są który
cs se na že je jsem jak byl který jako nebo ve jeho a v jsou pro mají
sk sa na že je som ako bol ktorý alebo vo jeho pri a v sú pre majú
sl je in da na se ki pa ne tudi bil ter kot
hr je da se na su za što koji biti ili nije od i u kao ali
ro și în nu pe din mai sunt care că fost lui sau prin
tr ve bir bu için da de ile çok olarak daha gibi ama
vi và của là có cho không được trong một các người với
id yang dan di dengan untuk ini dari tidak dalam pada itu adalah
ca i els les amb per una dels més aquest és són també pel
eu eta da ez bat du dira ere hau baina izan dute zuen
gl unha non para máis dos os como pola tamén foi polo ao
lt ir yra kad su iš tai bet buvo kaip į nuo dėl
lv un ir ka ar no par uz tas bet arī kas pie
sq dhe të në për një është me që nga si por janë
sw ya wa kwa ni katika kama hii kuwa lakini hiyo wao cha
cy yn yr ar bod mae ei wedi gan hefyd fel oedd rhai
ga agus an na ar le go bhí tá sé leis atá chun
ru и в не на что с по это как для из от
uk і в не на що з та це як для від є
be і ў не на што з гэта як для ад што па
bg и на да не за се от са че като по с
mk и на да не за се од во што е со ќе
sr и је да у се на су за не што од као
ar في من على أن إلى التي هذا عن مع كان هذه الذي
fa در به از که این را است با برای آن می های
ur کے میں کی ہے سے کا اور نے کو پر یہ ہیں
hi है के में की और का से को पर हैं ने यह
mr आहे आणि या च्या हे ते असे आहेत मध्ये होते व तर
ne छ र को मा ले हो पनि यो छन् भएको तथा गर्न
`

// The language of a site is guessed from the first sampleBytes of the text of sampleFiles files.
const (
	sampleFiles = 16
	sampleBytes = 4 << 10
)

// guessLanguage guesses the language of a site whose settings name none: the language of more than
// half of a sample of its files, not counting files that name their language or lie in a folder
// that does, with a.md instead of a.fr.md.
func (s *scanner) guessLanguage(paths []string) {
	site := &s.Site
	u := &site.rules
	if u.languages != nil {
		return
	}
	var articles []string
	for _, p := range paths {
		if s.isText(p) && !isHTML(p) && s.special[p] == 0 && u.whyIgnored(p) == "" {
			if at, _ := u.folderOf(p); at.language == "" {
				articles = append(articles, p)
			}
		}
	}
	words, files := languagesOfWords(), map[string]int{}
	n := min(sampleFiles, len(articles))
	asked := 0
	for i := range n {
		p := articles[i*len(articles)/n]
		if original := withoutLanguage(p) + path.Ext(p); isAmong(articles, original) {
			p = original
		}
		if s.namesLanguage(p) {
			continue
		}
		asked++
		if found := s.detected(p, words); found != "" {
			files[found]++
		}
	}
	if best := most(files); 2*files[best] > asked {
		if best != baseOf(site.Language) {
			site.Language, u.defaultLanguage = best, best
		}
		site.say("language", "the articles")
	}
}

// namesLanguage reports whether a file names its language, or the settings do for it.
func (s *scanner) namesLanguage(p string) bool {
	said, err := s.reading(p)
	if err != nil || said.broken != nil {
		return false // read reports it when it comes to this file
	}
	site := &s.Site
	site.takeUnfenced(&said.doc)
	site.fillIn(p, site.rules.name(p), &said.doc)
	r := metaReader{path: p, site: site}
	return r.read(said.doc).language.Text != ""
}

// detections is the kind of the cache entries that hold the language of a file's text, by the
// file's path.
const detections cache.Kind = 't'

// detected returns the language of the beginning of a file, from the cache if it is there, or "" if
// the language cannot be told.
func (s *scanner) detected(p string, words map[string][]string) string {
	if known, ok := s.cache.Get(detections, p); ok && s.isUnchanged(p, known.Stamp) {
		return known.Value
	}
	data, stamp, err := readFile(s.content, p, nil)
	if err != nil {
		return ""
	}
	doc, _ := frontmatter.Parse(data)
	found := detectLanguage(string(doc.Body[:min(len(doc.Body), sampleBytes)]), words)
	s.cache.Put(detections, p, cache.Entry{Stamp: stamp.Settled(s.began), Value: found})
	return found
}

// languagesOfWords returns the languages of each function word.
func languagesOfWords() map[string][]string {
	words := map[string][]string{}
	for line := range strings.Lines(functionWords) {
		if fields := strings.Fields(line); len(fields) > 0 {
			for _, w := range fields[1:] {
				words[w] = append(words[w], fields[0])
			}
		}
	}
	return words
}

// detectLanguage returns the language of a Markdown text: the one with the most words, counted by
// their script or as function words. It returns "" if there are so few that they may be there by
// chance, such as "com" in a link or "I" in a diary.
func detectLanguage(text string, words map[string][]string) string {
	all, found, different := countWords(text, words)
	if found["ja"] > 0 && 5*found["ja"] > found["zh"] { // Japanese is written in Han characters, too
		found["ja"] += found["zh"]
	}
	best := most(found)
	if different[best] < 3 || 20*found[best] < all || best != "en" && found[best] <= 2*found["en"] {
		return ""
	}
	return best
}

// countWords counts the words of a Markdown text: all of them, and those that tell of a language,
// by language; different counts each of these once, unless its script tells.
func countWords(text string, words map[string][]string) (all int, found, different map[string]int) {
	found, different = map[string]int{}, map[string]int{}
	seen := map[string]bool{}
	foreign := regexp.MustCompile("`[^`]*`|<[^>]*>|[!-~]*(?:[/@=_\\\\]|\\.\\w)[!-~]*") // code, tags, addresses and file names
	isBetween := func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsMark(r) }
	for line, isCode := range dialect.Lines(text) {
		if isCode {
			continue
		}
		for word := range strings.FieldsFuncSeq(foreign.ReplaceAllString(line, " "), isBetween) {
			all++
			if language := ofScript(word); language != "" {
				found[language]++
				different[language]++
				continue
			}
			word = strings.ToLower(word)
			for _, language := range words[word] {
				found[language]++
				if !seen[word] {
					different[language]++
				}
			}
			seen[word] = true
		}
	}
	return all, found, different
}

// most returns the name with the largest number; of several, the first in alphabetical order.
func most(found map[string]int) (best string) {
	for name, n := range found {
		if n > found[best] || n == found[best] && name < best {
			best = name
		}
	}
	return best
}

// ofScript returns the language of a word in a script that only, or mostly, one language uses; else
// "".
func ofScript(word string) string {
	if strings.ContainsFunc(word, func(r rune) bool { return unicode.In(r, unicode.Hiragana, unicode.Katakana) }) {
		return "ja"
	}
	r, size := utf8.DecodeRuneInString(word)
	if r < 0x370 || size == len(word) { // Latin, or a single letter, such as π
		return ""
	}
	for _, of := range [...]struct {
		language string
		script   *unicode.RangeTable
	}{
		{"el", unicode.Greek}, {"he", unicode.Hebrew}, {"th", unicode.Thai}, {"lo", unicode.Lao}, {"km", unicode.Khmer}, {"my", unicode.Myanmar},
		{"ka", unicode.Georgian}, {"hy", unicode.Armenian}, {"bn", unicode.Bengali}, {"ta", unicode.Tamil}, {"te", unicode.Telugu},
		{"kn", unicode.Kannada}, {"ml", unicode.Malayalam}, {"gu", unicode.Gujarati}, {"pa", unicode.Gurmukhi}, {"si", unicode.Sinhala},
		{"am", unicode.Ethiopic}, {"ko", unicode.Hangul}, {"zh", unicode.Han},
	} {
		if unicode.Is(of.script, r) {
			return of.language
		}
	}
	return ""
}
