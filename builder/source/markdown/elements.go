package markdown

import "golang.org/x/net/html/atom"

// BeginsLine reports whether an element begins a line of its own: a block, or a part of one.
func BeginsLine(name string) bool {
	a := atom.Lookup([]byte(name))
	return isBlock(a) || isLine(a)
}

func isBlock(a atom.Atom) bool {
	switch a {
	case atom.P, atom.Div, atom.Section, atom.Article, atom.Aside, atom.Header, atom.Footer, atom.Main, atom.Nav, atom.Blockquote, atom.Pre, atom.Ul, atom.Ol, atom.Dl,
		atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6, atom.Figure, atom.Figcaption, atom.Details, atom.Summary, atom.Table, atom.Hr, atom.Address, atom.Caption, atom.Center:
		return true
	}
	return false
}

// isLine reports whether an element begins a line within its block.
func isLine(a atom.Atom) bool {
	switch a {
	case atom.Li, atom.Tr, atom.Dt, atom.Dd:
		return true
	}
	return false
}

// IsVoid reports whether an HTML element is always empty, and so has no end tag.
func IsVoid(name string) bool {
	switch name {
	case "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr":
		return true
	}
	return false
}

// hasRawText reports whether HTML reads all within an element as text, up to its end tag.
func hasRawText(name string) bool {
	switch name {
	case "script", "style", "noscript", "iframe", "textarea", "title", "xmp", "noembed", "noframes":
		return true
	}
	return false
}

// setApart returns the elements that are not kept, but whose words must stay apart from those
// around them, such as the parts of a form.
func setApart() []string {
	return []string{"form", "fieldset", "legend", "label", "button", "select", "optgroup", "option", "output", "object", "dialog", "hgroup", "menu", "dir", "search"}
}
