package source

import (
	"fmt"
	"strings"
)

// clashes refuses an id that several files have. None of the published ones stays published,
// because which of them got the id would depend on the others. A draft, or an article with a later
// date, only gets a warning: once it appears, neither it nor the other article would be published.
func (f *Folder) clashes() {
	byID := make(map[string][]*File, len(f.Files))
	for i := range f.Files {
		switch file := &f.Files[i]; file.Status {
		case Published, Draft, Future:
			byID[file.ID] = append(byID[file.ID], file)
		}
	}
	for _, files := range byID {
		if len(files) > 1 {
			f.clash(files)
		}
	}
}

// sharedAddresses warns of published articles that share an address: readers of at least one of
// them come to the wrong page.
func (f *Folder) sharedAddresses() {
	first := make(map[string]*File, len(f.Files))
	for i := range f.Files {
		file := &f.Files[i]
		if file.Status != Published || file.URL == "" {
			continue
		}
		switch other, found := first[file.URL]; {
		case !found:
			first[file.URL] = file
		case other != nil:
			first[file.URL] = nil // reported: once is enough if a template gives all articles one address
			f.Problems = append(f.Problems, Problem{Path: file.Path, Severity: Warning,
				What: fmt.Sprintf("its address %s is also that of %s", file.URL, other.Path), Hint: "give one of them another slug: or url: in its front matter"})
		}
	}
}

// manyShare is how many files may share an id and each get an error. Of more, such as the issues of
// a newsletter, whose names differ in their dates alone, only the first gets one.
const manyShare = 20

// clash handles the files that share an id. If several of them would be published, it refuses
// these. It warns of the others.
func (f *Folder) clash(files []*File) {
	var published []*File
	dates := map[day]bool{} // of their names
	for _, file := range files {
		if file.Status == Published {
			published = append(published, file)
			dates[f.Site.rules.name(file.Path).date] = true
			continue
		}
		f.Problems = append(f.Problems, Problem{file.Path, file.idLine, file.idColumn, Warning, sharesID(file, files),
			"give it an id: of its own in its front matter before it is published"})
	}
	if len(published) < 2 {
		return
	}
	for i, file := range published {
		file.Status = Invalid
		file.Reason = fmt.Sprintf("its id %q is given twice", file.ID)
		what, hint := sharesID(file, published), "give one of them another id: in its front matter; neither can be published as long as both have it"
		if len(published) > manyShare {
			what, hint = what+", which builder list names", "give each of them an id: of its own in its front matter; none can be published before"
		}
		if file.idLine == 0 && !f.Site.DatesInIDs && len(dates) == len(published) && !f.Site.rules.name(file.Path).date.isZero() {
			hint += "; or keep the dates of all files' names in their ids, with dates_in_ids: true in " + SiteFile
		}
		if i == 0 || len(published) <= manyShare {
			f.Problems = append(f.Problems, Problem{file.Path, file.idLine, file.idColumn, Error, what, hint})
		}
	}
}

// sharesID says which other files have the id of a file.
func sharesID(file *File, files []*File) string {
	return fmt.Sprintf("the id %q is also that of %s", file.ID, namesBut(file, files))
}

// namesBut lists the paths of all files but one. If there are many, it names three and counts the
// rest.
func namesBut(one *File, files []*File) string {
	const most = 3
	var names []string
	for _, file := range files {
		if file == one {
			continue
		}
		if len(names) == most {
			names = append(names, fmt.Sprintf("%d more", len(files)-1-most))
			break
		}
		names = append(names, file.Path)
	}
	return strings.Join(names, " and ")
}
