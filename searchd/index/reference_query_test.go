package index

import (
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"newsstand/searchd/index/analysis"
)

// refClause is a word of a query.
type refClause struct {
	start, end       int // in the text of the query
	lowered, folded  string
	whole            string
	han, single      bool
	quoted, optional bool
	times            float64               // how often it is in the query
	again            []*refClause          // the same word, further on
	ways             []map[*refDoc]float64 // by form: the impact in each article that has it
	apart            map[*refDoc]bool      // see gather
	titled           map[*refDoc]bool      // see respacedTitles
}

// telling returns those of some clauses that are not optional.
func telling(clauses []*refClause) []*refClause {
	return slices.DeleteFunc(slices.Clone(clauses), func(c *refClause) bool { return c.optional })
}

func (c *refClause) stems() bool { return !c.han && !c.quoted }

// has reports whether an article has the clause in some form.
func (c *refClause) has(d *refDoc) bool {
	return c.titled[d] || !c.apart[d] && slices.ContainsFunc(c.ways, func(way map[*refDoc]float64) bool { _, ok := way[d]; return ok })
}

// parse reads the words of a query; phrases are in quotation marks, and exclusions follow a minus,
// unless the query is a question, or some article has all of a longer query word for word, or
// several of the first that have a short one have it with its signs.
func (s *refSearch) parse() (not []string) {
	pasted := len(strings.Fields(s.text)) > 6 && len(s.saying(s.text)) > 0
	said := slices.DeleteFunc(slices.Clone(s.docs), func(d *refDoc) bool { return !d.says(s.text) })
	usual := slices.DeleteFunc(said[:min(len(said), 40)], func(d *refDoc) bool {
		return !strings.Contains(strings.ToLower(d.article.ContentText), strings.ToLower(s.text))
	})
	pasted = pasted || len(usual) > 3
	if not = s.read(!pasted && !strings.HasSuffix(s.text, "?")); len(s.clauses) == 0 && len(not) > 0 {
		return s.read(false)
	}
	return not
}

// read is parse; excluding says whether a minus may exclude.
func (s *refSearch) read(excluding bool) (not []string) {
	text := s.text
	for text = strings.TrimLeft(text, " "); text != ""; text = strings.TrimLeft(text, " ") {
		negative := false
		if excluding && text[0] == '-' {
			negative, text = true, text[1:]
		}
		var piece string
		quoted := text[0] == '"'
		if quoted {
			text = text[1:]
		}
		offset := len(s.text) - len(text)
		if quoted {
			piece, text, _ = strings.Cut(text, `"`)
		} else {
			piece, text, _ = strings.Cut(text, " ")
		}
		if negative {
			not = append(not, piece)
			continue
		}
		if quoted && len(refUnits(piece)) > 1 {
			s.phrases = append(s.phrases, piece)
		}
		for _, t := range refTokens(piece) {
			for i, p := range t.parts {
				c := &refClause{start: offset + p.start, end: offset + p.end, lowered: p.lowered, folded: p.folded, whole: t.whole, han: t.han, quoted: quoted}
				if t.han {
					if i+1 == len(t.parts) && i > 0 {
						continue
					}
					c.single = len(t.parts) == 1
					if !c.single {
						c.lowered += t.parts[i+1].lowered
						c.folded += t.parts[i+1].folded
					}
				}
				s.clauses = append(s.clauses, c)
			}
			s.typing = !t.han && !quoted
		}
		if strings.HasSuffix(piece, "?") {
			s.typing = false
		}
	}
	s.clauses = s.distinct()
	return not
}

// distinct returns each clause once, and decides which need not be found: small words, unless all
// are.
func (s *refSearch) distinct() (kept []*refClause) {
	telling := false
	for i, c := range s.clauses {
		initial := s.isInitial(i)
		if at := slices.IndexFunc(kept, func(k *refClause) bool { return k.lowered == c.lowered && k.quoted == c.quoted }); at >= 0 {
			if initial {
				kept[at].optional, telling = false, true
			}
			kept[at].times++
			kept[at].again = append(kept[at].again, c)
			if i == len(s.clauses)-1 {
				s.typing = false
			}
			continue
		}
		c.optional = c.stems() && !initial && (i == 0 || c.lowered != "comment") && s.isSmall(c)
		telling = telling || !c.optional
		c.times = 1
		kept = append(kept, c)
	}
	if !telling {
		for _, c := range kept {
			c.optional = false
		}
	}
	return kept
}

// isInitial reports whether clause i is one of the two words of a compound of which one is a single
// letter, as in v-for.
func (s *refSearch) isInitial(i int) bool {
	whole := s.clauses[i].whole
	has := func(at int) bool { return 0 <= at && at < len(s.clauses) && s.clauses[at].whole == whole }
	letter := func(at int) bool { return utf8.RuneCountInString(s.clauses[at].folded) == 1 }
	switch {
	case whole == "":
		return false
	case !has(i-1) && has(i+1) && !has(i+2):
		return letter(i)
	}
	return !has(i-2) && has(i-1) && !has(i+1) && letter(i-1)
}

// isSmall reports whether a word is a stop word, in the script of its language or beside no word
// of a language of the site.
func (s *refSearch) isSmall(c *refClause) bool {
	own := func(l *analysis.Language, word string) bool { return l.OfScript([]byte(word)) == l }
	says := func(other *refClause) bool {
		return regexp.MustCompile(`^\pL`).MatchString(other.folded) && slices.ContainsFunc(s.langs, func(l *analysis.Language) bool { return own(l, other.folded) })
	}
	return slices.ContainsFunc(s.langs, func(l *analysis.Language) bool {
		return l.IsStop(c.lowered) && (own(l, c.folded) || !slices.ContainsFunc(s.clauses, says))
	})
}

// beginning returns how words begin that the clause may become: with a dot after a single digit; ""
// for any other single character.
func (c *refClause) beginning() string {
	switch {
	case utf8.RuneCountInString(c.folded) > 1:
		return c.folded
	case isDigit(c.folded[0]):
		return c.folded + "."
	}
	return ""
}
