package dialect

import (
	"cmp"
	"strings"
)

// tabs are the open elements <Tabs>, the innermost last. The labels of their tabs may be written in
// their attributes:
//
//	<Tabs items={['npm', 'yarn']}>                        <Tab> <Tabs.Tab>       Nextra, Fumadocs: in this order
//	<Tabs values={[{label: 'A label', value: 'name'}]}>   <TabItem value="name"> Docusaurus, which shows the value if there is no label
//
// Computed lists give no labels.
type tabs []tabList

// tabList is what one <Tabs> says about its tabs.
type tabList struct {
	items    []string          // in their order
	labels   map[string]string // by value; an item is its own value
	computed bool              // whether the list is computed
	next     int               // how many tabs were read, and so which item is next
}

// add is called with each element.
func (t *tabs) add(e *element) {
	switch {
	case e.name != "Tabs" || e.closed:
	case !e.closes:
		var list tabList
		for _, a := range e.lists {
			list.read(a)
		}
		*t = append(*t, list)
	case len(*t) > 0:
		*t = (*t)[:len(*t)-1]
	}
}

// read reads the list in an attribute, of strings or of objects with strings.
func (l *tabList) read(a attribute) {
	if a.name != "items" && a.name != "values" {
		return
	}
	l.labels = map[string]string{}
	key, value, label, depth := "", "", "", 0
	for rest := a.text; rest != ""; {
		c := rest[0]
		n := 1
		switch {
		case c == '"' || c == '\'' || c == '`':
			n = quoted(rest) + 1
			switch text := stringIn(rest[:n]); {
			case depth == 0 && key == "":
				l.add(text, text)
			case depth == 1 && key == "label":
				label = text
			case depth == 1 && key == "value":
				value = text
			}
		case strings.IndexByte(nameLetters, c) >= 0:
			key = leading(rest, nameLetters)
			n = len(key)
		case c == '{':
			depth++
		case c == '}':
			if depth--; depth == 0 {
				l.add(value, cmp.Or(label, value))
				key, value, label = "", "", ""
			}
		case strings.IndexByte("[], :\t\r\n", c) < 0:
			l.computed = true
			return
		}
		rest = rest[n:]
	}
	l.computed = l.computed || key != "" // a name outside of objects is a variable
}

// add adds a tab.
func (l *tabList) add(value, label string) {
	l.items = append(l.items, label)
	if value != "" {
		l.labels[value] = label
	}
}

// label returns the label that <Tabs> gives to a tab without one of its own, or the value of a
// <TabItem>; "" for any other element, and if the list is computed.
func (t tabs) label(e *element) string {
	isItem := e.name == "TabItem"
	if e.closes || !isItem && !e.is("Tab", "Tabs.Tab") || len(t) == 0 {
		return ""
	}
	list, at := t.nextTab()
	value := e.text("value")
	label, known := list.labels[value]
	switch {
	case list.computed || e.text("label") != "" || e.text("title") != "":
		return ""
	case known:
		return asMarkdown(label)
	case isItem:
		return value
	case at < len(list.items):
		return asMarkdown(list.items[at])
	}
	return ""
}

// item returns the label of the next tab of the innermost list; "" if it has none.
func (t tabs) item() string {
	if len(t) == 0 {
		return ""
	}
	if list, at := t.nextTab(); at < len(list.items) {
		return strings.TrimSpace(list.items[at])
	}
	return ""
}

// nextTab returns the innermost list, and which of its tabs begins now, which it counts.
func (t tabs) nextTab() (list *tabList, at int) {
	list = &t[len(t)-1]
	list.next++
	return list, list.next - 1
}
