package source

import (
	"fmt"
	"strings"
)

// clashes refuses ids that are given twice. None of the files is published, because
// whichever was would change with the others. A file that is not published clashes
// with none; it is warned, so that it does not take two articles down when its time
// comes.
func (f *Folder) clashes() {
	byID := make(map[string][]int, len(f.Files))
	for i := range f.Files {
		switch f.Files[i].Status {
		case Published, Draft, Future:
			byID[f.Files[i].ID] = append(byID[f.Files[i].ID], i)
		}
	}
	for id, files := range byID {
		if len(files) < 2 {
			continue
		}
		published := 0
		for _, i := range files {
			if f.Files[i].Status == Published {
				published++
			}
		}
		for _, i := range files {
			file := &f.Files[i]
			var others []string
			for _, j := range files {
				if j != i && (f.Files[j].Status == Published || file.Status != Published) {
					others = append(others, f.Files[j].Path)
				}
			}
			others = shorten(others)
			if len(others) == 0 {
				continue
			}
			p := Problem{Path: file.Path, Line: file.idLine, Column: file.idColumn, Severity: Warning,
				What: fmt.Sprintf("the id %q is that of %s, too", id, strings.Join(others, " and ")),
				Hint: "give one of them another id: in its front matter; neither can be published as long as both have it"}
			if file.Status != Published {
				p.Hint = "give it an id: of its own in its front matter before it is published"
			} else if published > 1 {
				p.Severity = Error
				if file.idLine == 0 && !f.Site.datesInIDs && f.Site.rules.name(file.Path).year > 0 {
					p.Hint += "; or keep the dates of all files' names in their ids, with dates_in_ids: true in " + SiteFile
				}
			} else {
				continue
			}
			f.Problems = append(f.Problems, p)
		}
		if published < 2 {
			continue
		}
		for _, i := range files {
			if file := &f.Files[i]; file.Status == Published {
				file.Status = Invalid
				file.Reason = fmt.Sprintf("its id %q is given twice", id)
			}
		}
	}
}

// shorten keeps a message readable where many files share an id.
func shorten(names []string) []string {
	const most = 3
	if len(names) <= most {
		return names
	}
	return append(names[:most:most], fmt.Sprintf("%d more", len(names)-most))
}
