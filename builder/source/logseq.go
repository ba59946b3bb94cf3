package source

import (
	"cmp"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// logseqRules are the rules that only a graph of Logseq has.
type logseqRules struct {
	journals  string // the folder of the journal, which has a page for each day
	dayTitles string // the titles of these pages, as a layout of package time in which {do} stands for a day such as 1st
}

// logseq reads the configuration of Logseq, if the folder is a graph, which is Logseq's folder of
// pages, or lies in one. Only pages that say public:: true are published or, if the configuration
// makes all pages public, all except those that say public:: false. The folder logseq holds the
// configuration, earlier versions of pages, and deleted pages, so it is left out.
func (r *siteReader) logseq() {
	const name = "logseq/config.edn"
	data := r.file(r.content, name)
	if data == nil {
		data = r.file(r.around, name)
	}
	if data == nil {
		return
	}
	u := &r.site.rules
	u.dialect.Logseq, u.dialect.Fenced = true, true
	u.flavour.Breaks, u.flavour.Lenient, u.namesAreTitles = true, true, true
	text := regexp.MustCompile(`("(?:\\.|[^"\\])*")|;[^\n]*`).ReplaceAllString(string(data), "$1") // without comments
	if !regexp.MustCompile(`:(?:publishing/)?all-pages-public\?\s+true\b`).MatchString(text) {
		u.explicit = "public"
	}
	setting := func(key, usual string) string {
		if said := regexp.MustCompile(key + `\s+"([^"]+)"`).FindStringSubmatch(text); said != nil {
			return said[1]
		}
		return usual
	}
	u.logseq.journals = setting(":journals-directory", "journals")
	u.logseq.dayTitles = strings.NewReplacer("yyyy", "2006", "MMMM", "January", "MMM", "Jan", "MM", "01", "M", "1", "do", "{do}", "dd", "02", "d", "2",
		"EEEE", "Monday", "EEE", "Mon", "E", "Mon").
		Replace(setting(":journal/page-title-format", "MMM do, yyyy"))
	u.ignore(ignoreLinesOf("/logseq/"))
	if hidden := regexp.MustCompile(`:hidden\s*\[([^\]]*)\]`).FindStringSubmatch(text); hidden != nil {
		for _, quoted := range regexp.MustCompile(`"([^"]+)"`).FindAllStringSubmatch(hidden[1], -1) {
			u.ignore(ignoreLinesOf("/" + globOf(strings.Trim(quoted[1], "/"))))
		}
	}
}

// noteName returns the title of a note by the name of its file. In Logseq the name has ___ for a
// slash and %3A for a colon, and a page of the journal is named after its date. In a wiki the name
// has hyphens for spaces.
func (r *rules) noteName(name nameOfPath) string {
	switch {
	case r.wiki:
		return strings.ReplaceAll(name.stem, "-", " ")
	case !r.dialect.Logseq:
		return name.stem
	case !name.date.isZero() && strings.Join(name.folders, "/") == r.logseq.journals:
		ordinal := map[int]string{1: "st", 2: "nd", 3: "rd", 21: "st", 22: "nd", 23: "rd", 31: "st"}[name.date.day]
		day := strconv.Itoa(name.date.day) + cmp.Or(ordinal, "th")
		return strings.ReplaceAll(name.date.in(time.UTC).Format(r.logseq.dayTitles), "{do}", day)
	}
	plain, err := url.PathUnescape(strings.ReplaceAll(name.stem, "___", "/"))
	if err != nil {
		return name.stem
	}
	return plain
}
