package dialect

import "strings"

// vPre keeps track of whether a text is within v-pre, where Vue leaves braces alone: a container
// ::: v-pre of VuePress or VitePress, or an element such as <span v-pre>.
type vPre struct {
	containers int    // how many containers were open when ::: v-pre began, itself included; 0 outside of it
	element    string // the name of the element; "" outside of it
	elements   int    // how many elements of that name are open
}

func (v *vPre) isOpen() bool { return v.containers > 0 || v.element != "" }

// begins is called with a line that begins a container, and with how many are open then.
func (v *vPre) begins(line string, containers int) {
	if kind, _, _ := strings.Cut(strings.TrimLeft(line, ": "), " "); kind == "v-pre" && v.containers == 0 {
		v.containers = containers
	}
}

// ends is called when a container ends, with how many are still open.
func (v *vPre) ends(containers int) {
	if containers < v.containers {
		v.containers = 0
	}
}

// add is called with each tag. v-pre has no effect on an element without an end tag.
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
