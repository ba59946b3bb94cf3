package dialect

import "strings"

// vPre is what of a text stands in the reach of v-pre, with which Vue leaves braces alone: in a
// container ::: v-pre of VuePress or VitePress, or in an element such as <span v-pre>.
type vPre struct {
	containers int    // how many containers are open, with ::: v-pre; 0 outside of it
	element    string // the name of the element; "" outside of it
	elements   int    // how many elements of that name are open
}

func (v *vPre) isOpen() bool { return v.containers > 0 || v.element != "" }

// begins is called with a line that begins a container, of which so many are open then.
func (v *vPre) begins(line string, containers int) {
	if kind, _, _ := strings.Cut(strings.TrimLeft(line, ": "), " "); kind == "v-pre" && v.containers == 0 {
		v.containers = containers
	}
}

// ends is called where a container ends, after which so many are open.
func (v *vPre) ends(containers int) {
	if containers < v.containers {
		v.containers = 0
	}
}

// add is called with each tag. An element without an end tag is no such element.
func (v *vPre) add(e *element, hasEnd func() bool) {
	switch {
	case e.name == v.element && e.closes:
		if v.elements--; v.elements == 0 {
			v.element = ""
		}
	case e.name == v.element && !e.closed:
		v.elements++
	case v.element == "" && !e.closes && !e.closed && hasWord(strings.TrimSuffix(e.kept, ">"), "v-pre") && hasEnd():
		v.element, v.elements = e.name, 1
	}
}
