package builder

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"newsstand/builder/article"
	"newsstand/builder/page"
	"newsstand/builder/publication"
	"newsstand/builder/source"
)

// Bounds of the site's own files: a page with its pictures, and no second site. All of
// them are in memory at once.
const (
	maxOwnFiles = 1000
	maxOwnBytes = 32 << 20
)

// ownFiles reads the files that the site puts in place of the builder's page and around
// it, from the folder source.PageFolder; and a warning for each that cannot be published.
func ownFiles(content fs.FS) (files []page.File, problems []source.Problem, err error) {
	refuse := func(name, what, hint string) {
		problems = append(problems, source.Problem{Path: name, Severity: source.Warning, What: what, Hint: hint})
	}
	var size int64
	err = fs.WalkDir(content, source.PageFolder, func(name string, e fs.DirEntry, err error) error {
		switch {
		case name == source.PageFolder && errors.Is(err, fs.ErrNotExist):
			return nil
		case err != nil:
			return err
		}
		var pass error // over what is not published, and all in it
		if e.IsDir() {
			pass = fs.SkipDir
		}
		target := strings.TrimPrefix(name, source.PageFolder+"/")
		base := path.Base(name)
		if !publication.ValidPath(target) {
			if strings.ContainsAny(base, `:\`) { // what else is wrong with names, source.Scan tells
				refuse(name, "not every system reads a name with : or \\ alike, so it is not published", "give it another name")
			}
			return pass
		}
		if strings.HasPrefix(base, ".") && target != ".well-known" || strings.HasSuffix(base, "~") { // another program's
			return pass
		}
		if e.IsDir() {
			return nil
		}
		if article.Reserved(strings.ToLower(target)) { // in whatever case: some hosts know none
			refuse(name, "the API is the builder's alone, so this file is not published", "remove it, or give it another name")
			return nil
		}
		if !e.Type().IsRegular() {
			refuse(name, "it is no regular file, so it is not published", "put the file itself here")
			return nil
		}
		info, err := fs.Stat(content, name) // which is noted, as what the entry knows is not
		if err != nil {
			return err
		}
		if size += info.Size(); len(files) == maxOwnFiles || size > maxOwnBytes {
			refuse(source.PageFolder, fmt.Sprintf("it has more than %d files or %d MB, so some are not published", maxOwnFiles, maxOwnBytes>>20),
				"let another host serve them")
			return fs.SkipAll
		}
		data, err := fs.ReadFile(content, name)
		if err != nil {
			return err
		}
		files = append(files, page.File{Path: target, Data: data})
		return nil
	})
	if err != nil {
		return nil, nil, fmt.Errorf("read the site's own files: %w", err)
	}
	return files, problems, nil
}

// fitting leaves out those of the site's own files that cannot lie beside the builder's (made), or
// beside each other, with a warning for each. Such a file needs a folder where there is a file, or
// lies where there is a folder, or its name differs from another one by its case alone, so that
// some file systems and hosts take the two for one.
func fitting(own []page.File, made []string) (fit []page.File, problems []source.Problem) {
	taken := map[string]string{} // by the name in lower case; of a folder with a slash at its end
	take := func(name string) {
		taken[strings.ToLower(name)] = name
		for folder := path.Dir(name); folder != "."; folder = path.Dir(folder) {
			taken[strings.ToLower(folder)] = folder + "/"
		}
	}
	for _, name := range made {
		take(name)
	}
	for _, f := range own {
		inTheWay := taken[strings.ToLower(f.Path)]
		if inTheWay == f.Path {
			inTheWay = "" // it takes the place of the builder's
		}
		for folder := path.Dir(f.Path); folder != "."; folder = path.Dir(folder) {
			if name := taken[strings.ToLower(folder)]; name != "" && !strings.HasSuffix(name, "/") {
				inTheWay = name
			}
		}
		if inTheWay == "" {
			take(f.Path)
			fit = append(fit, f)
			continue
		}
		problems = append(problems, source.Problem{
			Path: source.PageFolder + "/" + f.Path, Severity: source.Warning,
			What: "the builder publishes " + inTheWay + ", so this file is not published",
			Hint: "give it, or its folder, another name",
		})
	}
	return fit, problems
}
