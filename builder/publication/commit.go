package publication

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"newsstand/builder/article"
	"newsstand/builder/dir"
	"newsstand/builder/hinted"
)

// The lines of the list: "put <number> <path>" in the order of publication, then
// "remove <path>", then "end".
const (
	putLine    = "put "
	removeLine = "remove "
	endLine    = "end"
)

// maxListBytes bounds a list that is followed: that of a site of a million articles has two million
// lines.
const maxListBytes = 1 << 30

// publish is steps 1 to 5 of the package comment, from the end of the first.
func (d *disk) publish(put []stagedFile, remove []string) error {
	list, folders := d.plan(put, remove)
	for folder := range folders {
		if err := d.prepare(folder); err != nil {
			return err
		}
	}
	if _, err := d.write(listWritten, list); err != nil {
		return err
	}
	if err := d.sync(stagePath(wholeFolder), stageFolder, stateFolder, "."); err != nil {
		return err
	}
	d.before()
	if err := d.root.Rename(listWritten, commitList); err != nil {
		return err
	}
	err := d.sync(stateFolder)
	if err == nil {
		err = d.follow()
	}
	if err != nil {
		return fmt.Errorf("the new build is complete but could not be put in its place; the next build does that first: %w", err)
	}
	return nil
}

// plan returns the list of what is to be renamed and removed, and the folders in which that
// happens.
func (d *disk) plan(put []stagedFile, remove []string) (list []byte, folders map[string]bool) {
	var lines bytes.Buffer
	size := 0 // so that it does not grow: it has a line for each file of a large site
	for _, f := range put {
		if d.inWhole(f.fileName) {
			continue
		}
		size += len(putLine) + len("4294967295 \n") + max(len(article.Path("")), len(article.MarkdownPath(""))) + len(f.text)
	}
	lines.Grow(size)
	before, early := inTheWay(put, remove)
	folders = map[string]bool{}
	whole := false // whether the folder of all articles is in the list
	for _, f := range put {
		if d.inWhole(f.fileName) {
			if whole {
				continue
			}
			whole = true
			f = stagedFile{fileName: document(article.ArticleFolder), number: wholeFolder}
		}
		name := f.path()
		for _, gone := range before[name] {
			fmt.Fprintf(&lines, "%s%s\n", removeLine, gone)
		}
		fmt.Fprintf(&lines, "%s%d %s\n", putLine, f.number, name)
		folders[path.Dir(name)] = true
	}
	for _, name := range remove {
		if !early[name] {
			fmt.Fprintf(&lines, "%s%s\n", removeLine, name)
		}
		folders[path.Dir(name)] = true
	}
	fmt.Fprintln(&lines, endLine)
	maps.DeleteFunc(folders, func(folder string, _ bool) bool { // it is a file until it is put
		return early[folder] || slices.ContainsFunc(above(folder), func(folder string) bool { return early[folder] })
	})
	return lines.Bytes(), folders
}

// prepare makes a folder in which files will be renamed or removed, if it is missing. Whatever can
// be known to fail there must fail now, before the list is written.
func (d *disk) prepare(folder string) error {
	d.before()
	if err := d.root.MkdirAll(folder, 0o755); err != nil {
		return d.blamed(folder+"/file", err)
	}
	if err := d.writable(folder); err != nil {
		return fmt.Errorf("%s is not writable: %w", folder, err)
	}
	// The system looks at both folders before it looks for the file, which is not there.
	if err := d.root.Rename(stageFolder+"/none", folder+"/none"); errors.Is(err, syscall.EXDEV) {
		return hinted.Error(fmt.Errorf("%s is another file system than the folder that is published, so files cannot be moved there at once: %w", folder, err),
			"mount the whole folder in its place")
	}
	return nil
}

// inTheWay finds the files that must be removed before another is put in its place: a file where
// the new one needs a folder, or the files of a folder that the new one replaces. before lists them
// by the path of the file to put; early has all of them.
func inTheWay(put []stagedFile, remove []string) (before map[string][]string, early map[string]bool) {
	before, early = map[string][]string{}, map[string]bool{}
	goes, comes := map[string]bool{}, map[string]bool{}
	for _, name := range remove {
		goes[name] = true
	}
	first := func(gone, name string) {
		if !early[gone] {
			early[gone] = true
			before[name] = append(before[name], gone)
		}
	}
	for _, f := range put {
		if f.kind != documentFile {
			continue
		}
		comes[f.text] = true
		for _, folder := range above(f.text) {
			if goes[folder] {
				first(folder, f.text)
			}
		}
	}
	for _, name := range remove {
		for _, folder := range above(name) {
			if comes[folder] {
				first(name, folder)
			}
		}
	}
	return before, early
}

// writable reports why files in a folder cannot be renamed, where that can be told.
func (d *disk) writable(folder string) error {
	f, err := d.root.Open(folder)
	if err != nil {
		return err
	}
	defer f.Close()
	return mayWrite(f)
}

// recover completes the build that a killed writer left, or throws it away.
func (d *disk) recover() error {
	info, err := d.root.Lstat(stateFolder)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err == nil && !info.IsDir(): // no writer left that
		return d.clear()
	case err == nil:
		err = d.follow()
	}
	if errors.Is(err, errLost) { // somebody removed it: no build can be completed without, but the next one writes whatever is missing
		err = d.clear()
	}
	if err != nil {
		return fmt.Errorf("complete the build that was interrupted: %w", err)
	}
	return nil
}

// startAnew is what the user can do about a list that cannot be followed.
const startAnew = "remove the folder " + stateFolder + " in the published folder and build again"

// follow carries the list out and removes the writer's state. Each step may have
// been done before. Without a list there is nothing to carry out.
func (d *disk) follow() error {
	list, err := readAtMost(d.root.FS(), commitList, maxListBytes)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return d.clear()
	case dir.Transient(err): // it may be whole
		return err
	case err != nil:
		return hinted.Error(err, startAnew)
	case !bytes.HasSuffix(list, []byte("\n"+endLine+"\n")):
		return hinted.Error(fmt.Errorf("%s is not complete", commitList), startAnew)
	}
	if err := d.root.Forget(); err != nil { // where a folder was when it was staged for says nothing
		return err
	}
	if err := d.carryOut(list); err != nil {
		return err
	}
	return d.clear()
}

// carryOut does what each line of a list says.
func (d *disk) carryOut(list []byte) error {
	touched := map[string]bool{} // folders in which something came since the last flush
	flush := func() error {
		folders := slices.AppendSeq([]string{"."}, maps.Keys(touched))
		clear(touched)
		return d.sync(folders...)
	}
	for line := range bytes.Lines(list) {
		line := strings.TrimSuffix(string(line), "\n")
		if number, name, ok := parsePut(line); ok {
			if name == article.ManifestPath { // what it names is safe before it
				if err := flush(); err != nil {
					return err
				}
			}
			if err := d.put(number, name); err != nil {
				return err
			}
			for _, folder := range above(name) { // each may be new
				touched[folder] = true
			}
			continue
		}
		if len(touched) > 0 { // what comes before it is safe before anything goes, above all the manifest
			if err := flush(); err != nil {
				return err
			}
		}
		name, ok := strings.CutPrefix(line, removeLine)
		switch {
		case ok && ValidPath(name):
			if err := d.remove(name); err != nil {
				return err
			}
		case line != endLine:
			return hinted.Error(fmt.Errorf("%s has the line %q", commitList, line), startAnew)
		}
	}
	return nil
}

// parsePut reads a line that begins with putLine; ok is false if it is no such line.
func parsePut(line string) (number int, name string, ok bool) {
	text, isPut := strings.CutPrefix(line, putLine)
	digits, name, _ := strings.Cut(text, " ")
	number, err := strconv.Atoi(digits)
	return number, name, isPut && err == nil && ValidPath(name)
}

// errLost says that a file to be put in its place is neither staged nor there already.
var errLost = errors.New("was removed while the build ran")

// put renames a staged file to its place. One that is not in the stage is there already.
func (d *disk) put(number int, name string) error {
	d.before()
	err := d.root.Rename(stagePath(number), name)
	if number == wholeFolder && errors.Is(err, fs.ErrExist) { // another program made it meanwhile
		return d.putAll(stagePath(number), name)
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if _, there := d.root.Lstat(stagePath(number)); there == nil { // then the folder is missing
		d.before()
		if err := d.root.MkdirAll(path.Dir(name), 0o755); err != nil {
			return err
		}
		return d.root.Rename(stagePath(number), name)
	}
	_, err = d.root.Lstat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s %w", name, errLost)
	}
	return err
}

// putAll renames the files of a staged folder into a folder that already has others.
func (d *disk) putAll(staged, name string) error {
	var files []string // first, for a listing may skip files while others go
	if err := d.list(staged, func(file string) { files = append(files, file) }); err != nil {
		return err
	}
	for _, file := range files {
		d.before()
		if err := d.root.Rename(file, path.Join(name, path.Base(file))); err != nil {
			return err
		}
	}
	return nil
}

// remove removes a published file, and the folders that are empty without it. If that was done
// before, there may by now be a folder in place of the file, or a file in place of its folder.
func (d *disk) remove(name string) error {
	info, err := d.root.Lstat(name)
	if errors.Is(err, syscall.ENOTDIR) || err == nil && info.IsDir() {
		return nil
	}
	d.before()
	if err := d.root.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if article.Reserved(name) { // these folders stay
		return nil
	}
	for _, folder := range above(name) {
		d.before()
		if err := d.root.Remove(folder); err != nil && !errors.Is(err, fs.ErrNotExist) {
			break // it is not empty
		}
	}
	return nil
}

// discard throws the stage away, unless a list waits to be followed.
func (d *disk) discard() error {
	if _, err := d.root.Lstat(commitList); !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, syscall.ENOTDIR) {
		return err // nil where there is one; else there may be one
	}
	return d.clear()
}

// clear removes the writer's state.
func (d *disk) clear() error {
	if _, err := d.root.Lstat(stateFolder); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	d.before()
	return errors.Join(d.root.RemoveAll(stateFolder), d.root.Forget())
}
