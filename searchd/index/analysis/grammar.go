package analysis

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// SaysLittle reports whether a pair of an unspaced run, given by its first character, says so
// little beside the pairs around it that it need not be found. Such a pair is grammar, like "とは" in
// "フックとは", or has one character of grammar and one of a word that is in another pair, like "クと". A
// run of one character may be grammar, too.
func (t *Tokenizer) SaysLittle(pair int) bool {
	telling := func(i int) bool { return 0 <= i && i < len(t.Parts) && !t.grammatical(i) }
	if len(t.Parts) == 1 { // the 란 of "React란"
		return !telling(pair)
	}
	switch first, second := telling(pair), telling(pair+1); {
	case first && second:
		return false
	case first:
		return telling(pair - 1)
	case second:
		return telling(pair+2) && !isLong(t.letter(pair)) // サーバー証明書 is one word
	}
	return true
}

// letter returns the first letter of a part.
func (t *Tokenizer) letter(part int) rune {
	r, _ := utf8.DecodeRuneInString(t.Text[t.Parts[part].Start:])
	return r
}

// grammatical reports whether a character is grammar: of what languages without spaces put after
// words, or of a word that asks.
func (t *Tokenizer) grammatical(part int) bool {
	switch r := t.letter(part); {
	case isLong(r):
		return t.longAtEnd(part)
	case isEnding(r):
		return t.followsWord(part)
	case firstSyllable <= r && r <= lastSyllable:
		return t.particle(part)
	default:
		return t.asks(part)
	}
}

// longAtEnd reports whether the sign for a long vowel ends a word of Katakana of at least four
// letters: there some authors leave it out (サーバー is also サーバ, but エラー is never エラ).
func (t *Tokenizer) longAtEnd(part int) bool {
	if part+1 < len(t.Parts) && isKatakana(t.letter(part+1)) {
		return false
	}
	letters := 0
	for letters <= part && isKatakana(t.letter(part-letters)) {
		letters++
	}
	return letters >= 4
}

// isEnding reports whether r is a letter of Hiragana, in which Japanese writes particles and
// endings, or of 何, the word for what.
func isEnding(r rune) bool { return 0x3041 <= r && r <= 0x3096 || r == '何' }

// followsWord reports whether a word with other letters is before the endings up to a character:
// くだもの alone is a word itself.
func (t *Tokenizer) followsWord(part int) bool {
	for ; part >= 0; part-- {
		if !isEnding(t.letter(part)) {
			return true
		}
	}
	return t.touches()
}

// touches reports whether the run directly follows a word of another script, or a closing bracket
// or quotation mark. The word may be <progress>, C++ or C#.
func (t *Tokenizer) touches() bool {
	text := strings.TrimRight(t.Text[:t.Start], ">+#")
	before, _ := utf8.DecodeLastRuneInString(text)
	return text != "" && (ClassOf(before) == Spaced || unicode.In(before, unicode.Pe, unicode.Pf))
}

// particle reports whether a syllable of Hangul belongs to a particle at the end of its word, or to
// a word that asks.
func (t *Tokenizer) particle(part int) bool {
	first, last := part, part
	for hangul := func(i int) bool {
		return 0 <= i && i < len(t.Parts) && firstSyllable <= t.letter(i) && t.letter(i) <= lastSyllable
	}; ; {
		switch {
		case hangul(first - 1):
			first--
			continue
		case hangul(last + 1):
			last++
			continue
		}
		break
	}
	word := t.Text[t.Parts[first].Start:t.Parts[last].End]
	switch word {
	case "무엇", "무엇인가", "무엇인가요", "어떻게", "하나요", "인가요":
		return true
	}
	least := 2 // syllables of a word before its particle
	if first == 0 && t.touches() {
		least = 0
	}
	for _, p := range [...]string{"이라는", "이란", "인가요", "하나요", "되나요", "할까요", "합니까", "하려면", "에서", "으로", "하기", "하는", "란", "은", "는", "이", "가", "을", "를", "의", "에", "로", "와", "과", "도"} {
		if n := utf8.RuneCountInString(p); strings.HasSuffix(word, p) && last-first+1-n >= least {
			return part > last-n
		}
	}
	return false
}

// asking returns words with which a language asks what something is, or how, why or when, if Bleve
// has no list of its stop words, or one without them. Whoever asks "Điện toán đám mây là gì" looks
// for "điện toán đám mây", cloud computing.
func asking(code string) string {
	switch code {
	case "am":
		return "ምን ነው ምንድን እንዴት ለምን መቼ የት ማን"
	case "ar":
		return "ماذا لماذا كيف متى أين ماهو ماهي كم هل"
	case "as":
		return "কি কেনেকৈ কিয়"
	case "az":
		return "nədir"
	case "be":
		return "што такое як чаму"
	case "bn":
		return "কি কী কিভাবে কীভাবে কেন"
	case "ckb":
		return "چی چییە چۆن بۆچی"
	case "cs":
		return "kdy kolik"
	case "da":
		return "hvordan hvorfor hvornår hvilken hvilket hvilke hvem"
	case "de":
		return "warum wann wieso weshalb wer"
	case "el":
		return "τι πώς γιατί πότε ποιος ποια ποιο πόσο πόσα"
	case "es":
		return "cuáles cuánto cuántos cuánta cuántas"
	case "et":
		return "mis on kuidas miks"
	case "fa":
		return "چیست چگونه چطور ی" // the last follows a word, and means "of"
	case "fi":
		return "miten milloin kuinka"
	case "fr":
		return "comment pourquoi quoi quand combien"
	case "ga":
		return "conas cén cathain" // not cad, what: sites in Irish write of CAD in English, too
	case "gl":
		return "como onde cal quen"
	case "gu":
		return "શું છે કેવી રીતે કેમ"
	case "he":
		return "מה מהו מהי זה איך כיצד למה מדוע"
	case "hi":
		return "क्या कैसे क्यों कब कहाँ"
	case "hr":
		return "kako što šta je zašto kada gdje tko"
	case "hu":
		return "hol melyik"
	case "hy":
		return "ինչ ինչպես ինչու երբ որտեղ"
	case "id":
		return "cara gimana dimana"
	case "is":
		return "hvað er hvernig"
	case "it":
		return "cosa quando quali"
	case "ka":
		return "რა არის როგორ რატომ"
	case "kk":
		return "деген не қалай неге"
	case "kn":
		return "ಏನು ಎಂದರೇನು ಹೇಗೆ ಏಕೆ"
	case "ky":
		return "деген эмне кантип"
	case "lt":
		return "kas yra kaip kodėl"
	case "lv":
		return "kas ir kā kāpēc"
	case "mk":
		return "што е како зошто"
	case "ml":
		return "എന്താണ് എന്ത് എങ്ങനെ എന്തുകൊണ്ട്"
	case "mr":
		return "काय आहे कसे कसा कशी का"
	case "ms":
		return "apa itu bagaimana mengapa"
	case "ne":
		return "के हो कुन को कसरी किन कहाँ कहिले"
	case "nl":
		return "waarom wanneer waar welke hoeveel"
	case "or":
		return "କଣ କିପରି କାହିଁକି"
	case "pa":
		return "ਕੀ ਹੈ ਕਿਵੇਂ ਕਿਉਂ"
	case "pl":
		return "czym"
	case "pt":
		return "onde quais quanto quantos"
	case "ru":
		return "такое почему какие сколько"
	case "si":
		return "කුමක්ද මොකක්ද කෙසේද කොහොමද ඇයි"
	case "sk":
		return "čo to je ako prečo"
	case "sl":
		return "kaj je kako zakaj"
	case "sq":
		return "çfarë është si pse"
	case "sr":
		return "шта што је како зашто šta što je kako zašto"
	case "ta":
		return "என்ன என்றால் எப்படி ஏன்"
	case "te":
		return "ఏమిటి అంటే ఎలా ఎందుకు"
	case "tr":
		return "nedir nelerdir"
	case "uk":
		return "що таке як чому коли де який яка які скільки хто"
	case "ur":
		return "کیا ہے کیسے کیوں"
	case "uz":
		return "nima qanday nega"
	case "vi":
		return "là gì nào"
	}
	return ""
}

// AsksFirst reports whether a word in lower case is a question word only at the start of a query:
// how, in French, which elsewhere is mostly the comment of English and of programs.
func AsksFirst(lowered string) bool { return lowered == "comment" }

// Joins reports whether a word in lower case is "and" or "or" in a language that then writes a
// hyphen for what two compounds share: "Sprachverarbeitung und -erkennung".
func Joins(lowered string) bool {
	switch lowered {
	case "und", "oder", "sowie", "bzw", // German
		"en", "of", // Dutch
		"og", "eller", "och", "samt", // Danish, Norwegian, Swedish
		"ja", "tai", "sekä", "või", "ning", // Finnish, Estonian
		"és", "vagy": // Hungarian
		return true
	}
	return false
}

// asks reports whether a character belongs to a question word of Chinese or Thai, or is a particle
// of Chinese.
func (t *Tokenizer) asks(part int) bool {
	for _, word := range [...]string{"是什么", "是什麼", "什么是", "什麼是", "什么", "什麼", "为什么", "為什麼", "怎么", "怎麼", "怎样", "怎樣", "如何", "的", "吗", "嗎", "คืออะไร", "อะไร", "อย่างไร", "ยังไง", "ทำไม", "ใคร", "ไหน", "ใด", "เมื่อไร", "เมื่อไหร่", "เท่าไร", "เท่าไหร่", "หรือไม่"} {
		at := 0
		for _, r := range word {
			if ClassOf(r) == Diacritic { // of the part before
				continue
			}
			if start := part - at; r == t.letter(part) && start >= 0 && strings.HasPrefix(t.Text[t.Parts[start].Start:t.End], word) {
				return true
			}
			at++
		}
	}
	return false
}
