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
		target := strings.TrimPrefix(name, source.PageFolder+"/")
		fit, what, hint := mayPublish(target, e)
		if what != "" {
			refuse(name, what, hint)
		}
		switch {
		case !fit && e.IsDir():
			return fs.SkipDir
		case !fit || e.IsDir():
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
		for part := name; part != source.PageFolder; part = path.Dir(part) {
			if err := source.InPlace(content, part); err != nil {
				return err
			}
		}
		files = append(files, page.File{Path: target, Data: data})
		return nil
	})
	switch {
	case errors.Is(err, fs.ErrNotExist): // any more
		return nil, nil, source.ChangedError{Path: source.PageFolder}
	case err != nil:
		return nil, nil, fmt.Errorf("read the site's own files: %w", err)
	}
	return files, problems, nil
}

// mayPublish reports whether a file or folder of the site's own may be published at a path. If its
// owner would not expect that it may not, what says why, and hint what to do.
func mayPublish(target string, e fs.DirEntry) (ok bool, what, hint string) {
	switch base := path.Base(target); {
	case !publication.ValidPath(target) && strings.ContainsAny(base, `:\`):
		return false, "not every system reads a name with : or \\ alike, so it is not published", "give it another name"
	case !publication.ValidPath(target): // source.Scan tells what is wrong with the name
		return false, "", ""
	case strings.HasPrefix(base, ".") && target != ".well-known", strings.HasSuffix(base, "~"): // another program's
		return false, "", ""
	case e.IsDir():
		return true, "", ""
	case article.Reserved(strings.ToLower(target)): // in whatever case: some hosts do not tell cases apart
		return false, "the API is the builder's alone, so this file is not published", "remove it, or give it another name"
	case !e.Type().IsRegular():
		return false, "it is not a regular file, so it is not published", "put the file itself here"
	}
	return true, "", ""
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
