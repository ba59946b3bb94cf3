package source

import (
	"io/fs"
	"regexp"
	"strings"
)

// logseq reads the configuration of Logseq, if the folder is a graph of its pages, or lies in one. Of a graph, only the pages are published that
// say public:: true, unless all of them are public but those that say public:: false. Below logseq lie the configuration,
// earlier versions of pages, and pages that are gone.
func (r *siteReader) logseq(content, around fs.FS) error {
	const name = "logseq/config.edn"
	data, err := readOptional(content, name)
	if data == nil && err == nil {
		data, err = readOptional(around, name)
	}
	if data == nil || err != nil {
		return err
	}
	hashFile(r.key, name, data)
	u := &r.site.rules
	u.logseq, u.breaks = true, true
	text := regexp.MustCompile(`("(?:\\.|[^"\\])*")|;[^\n]*`).ReplaceAllString(string(data), "$1") // without comments
	if !regexp.MustCompile(`:(?:publishing/)?all-pages-public\?\s+true\b`).MatchString(text) {
		u.explicit = "public"
	}
	u.ignoreLines = append(u.ignoreLines, ignoreLinesOf("/logseq/"))
	if hidden := regexp.MustCompile(`:hidden\s*\[([^\]]*)\]`).FindStringSubmatch(text); hidden != nil {
		for _, quoted := range regexp.MustCompile(`"([^"]+)"`).FindAllStringSubmatch(hidden[1], -1) {
			u.ignoreLines = append(u.ignoreLines, ignoreLinesOf("/"+globOf(strings.Trim(quoted[1], "/"))))
		}
	}
	return nil
}
