package analysis

import "sort"

// Most characters of Chinese that were simplified have one form in China and Singapore, and another
// in Taiwan, Hong Kong and Macau: 国 and 國. Folding simplifies them, character by character. If one
// simplified character stands for several words (后 for 后, the empress, and 後, behind), all of these
// fold to it. So they do in Japanese and Korean texts, which do not mix them up: the characters
// beside them mostly tell which is meant, and the form as typed ranks higher. Characters that
// differ in Japanese only (発) stay as they are, and so do different words for one thing (软件, 軟體).
//
//go:generate sh -c "curl -fsSL https://raw.githubusercontent.com/BYVoid/OpenCC/ver.1.4.1/data/dictionary/TSCharacters.txt | go run generate_han.go"

const (
	firstHan, lastHan = 0x4E00, 0x9FFF
	hanBytes          = 3 // in UTF-8, of each of them
)

// appendSimplified appends a character from firstHan to lastHan in its simplified form.
func appendSimplified(b []byte, r rune) []byte {
	at := hanBytes * int(r-firstHan)
	return append(b, simplified[at:at+hanBytes]...)
}

// variants returns the other characters that fold to a folded one, each after a copy of that.
func variants(folded rune) string {
	if folded < firstHan || folded > lastHan {
		return ""
	}
	const pair = 2 * hanBytes
	one := simplified[hanBytes*(folded-firstHan):][:hanBytes]
	at := pair * sort.Search(len(written)/pair, func(i int) bool { return written[pair*i:][:hanBytes] >= one })
	end := at
	for end < len(written) && written[end:][:hanBytes] == one {
		end += pair
	}
	return written[at:end]
}

// Spellings returns the forms that fold to a folded one, in traditional and simplified Chinese: if
// none of its characters has variants, the folded form alone; else those forms whose characters, as
// far as they have variants, are used.
func Spellings(folded string, used func(character string) bool) []string {
	all := []string{folded}
	for at, r := range folded {
		others := variants(r)
		if others == "" {
			continue
		}
		found := len(all)
		for i := hanBytes; i < len(others); i += 2 * hanBytes {
			if character := others[i:][:hanBytes]; used(character) {
				for _, one := range all[:found] {
					all = append(all, one[:at]+character+one[at+hanBytes:])
				}
			}
		}
		if !used(string(r)) {
			all = all[found:]
		}
	}
	return all
}
