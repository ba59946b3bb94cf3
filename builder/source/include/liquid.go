package include

import (
	"cmp"
	"path"
	"regexp"
	"slices"
	"strings"
)

// fragment is a file that Jekyll includes with parameters.
type fragment struct {
	parameters map[string]string
	known      bool // whether all parameters are
	isMarkdown bool
	out        strings.Builder
	shown      bool // whether a parameter was
	blocks     []block
}

// maxBlocks bounds the blocks that are open at once: each is looked at for each tag.
const maxBlocks = 100

// block is an open block of Liquid.
type block struct {
	name  string
	shows bool // whether what is in it now is shown
	done  bool // whether no other branch is
}

// liquid reads a tag that includes a file.
func (r reader) liquid(groups []string) (mark, bool) {
	name := groups[2]
	parameters, known := r.parametersOf(groups[3])
	isMarkdown := slices.Contains([]string{".md", ".markdown"}, path.Ext(name))
	if ext := path.Ext(name); !isMarkdown && (ext != "" && ext != ".html" && !strings.Contains(ext, "}") || len(parameters) == 0) {
		return mark{}, false // a file without parameters, if not Markdown, is a piece of the page around the article
	}
	return mark{beside: groups[1] == "_relative", files: []file{{name: name, part: func(text string) (string, bool) {
		f := fragment{parameters: parameters, known: known, isMarkdown: isMarkdown}
		ok := f.read(text)
		return f.out.String(), ok && (isMarkdown || f.shown)
	}}}}, true
}

// read writes what a text shows with the parameters. It reports whether these alone decide that,
// not in a loop or where a text is given to a variable. Of Markdown the loops are left out, because
// the rest matters more.
func (f *fragment) read(text string) bool {
	for {
		at := strings.IndexByte(text, '{')
		for at >= 0 && !strings.HasPrefix(text[at:], "{{") && !strings.HasPrefix(text[at:], "{%") {
			next := strings.IndexByte(text[at+1:], '{')
			if next < 0 {
				at = -1
				break
			}
			at += 1 + next
		}
		if at < 0 {
			f.write(text)
			return len(f.blocks) == 0
		}
		f.write(text[:at])
		end := "}}"
		if text[at+1] == '%' {
			end = "%}"
		}
		inner, after, closed := strings.Cut(text[at+2:], end)
		if !closed {
			return false
		}
		whole := text[at : at+len(inner)+4]
		text = after
		inner = strings.TrimSpace(strings.Trim(inner, "-"))
		read := f.tag
		if end == "}}" {
			read = f.value
		}
		if !read(whole, inner) {
			return false
		}
	}
}

// isShown reports whether text is shown in all blocks that are open.
func (f *fragment) isShown() bool {
	return !slices.ContainsFunc(f.blocks, func(b block) bool { return !b.shows })
}

func (f *fragment) write(text string) {
	if f.isShown() {
		f.out.WriteString(text)
	}
}

// value writes a value: a parameter, or the tag as it is. It reports whether that is what is shown,
// and not what data hold under a parameter.
func (f *fragment) value(whole, inner string) bool {
	name, filters, _ := strings.Cut(inner, "|")
	name, isParameter := strings.CutPrefix(strings.TrimSpace(name), "include.")
	if !isParameter {
		f.write(whole)
		return f.isMarkdown || !strings.Contains(inner, "[include.")
	}
	text := f.parameters[name]
	if f.out.Len()+len(text) > maxBytes {
		return true
	}
	f.shown = f.shown || text != "" && f.isShown()
	if strings.Contains(filters, "markdownify") && strings.ContainsAny(text, "*_[`") && !f.isMarkdown {
		text = "\n\n" + text + "\n\n" // between blank lines it is Markdown, even in HTML
	}
	f.write(text)
	return true
}

// tag reads a tag. It reports whether the parameters alone decide what is shown.
func (f *fragment) tag(whole, inner string) bool {
	word, rest, _ := strings.Cut(strings.ReplaceAll(inner, "\n", " "), " ")
	last := len(f.blocks) - 1
	if last+1 == maxBlocks {
		return false
	}
	if last >= 0 && (f.blocks[last].name == "comment" || f.blocks[last].name == "for") { // whatever is in it
		switch word {
		case f.blocks[last].name:
			f.blocks = append(f.blocks, f.blocks[last])
		case "end" + f.blocks[last].name:
			f.blocks = f.blocks[:last]
		}
		return true
	}
	switch word {
	case "comment":
		f.blocks = append(f.blocks, block{name: word})
	case "for":
		f.blocks = append(f.blocks, block{name: word})
		return f.isMarkdown
	case "if", "unless":
		is, ok := f.holds(rest)
		is = is == (word == "if")
		f.blocks = append(f.blocks, block{name: word, shows: is, done: is})
		return ok && f.known
	case "elsif", "else":
		is, ok := word == "else", true
		if word == "elsif" {
			is, ok = f.holds(rest)
		}
		if last < 0 {
			return false
		}
		b := &f.blocks[last]
		b.shows = is && !b.done
		b.done = b.done || is
		return ok
	case "endif", "endunless":
		if last < 0 {
			return false
		}
		f.blocks = f.blocks[:last]
	case "case", "capture", "assign":
		return f.isMarkdown && word == "assign"
	default:
		f.write(whole)
	}
	return true
}

// holds reports whether a condition about parameters holds; ok is whether it is about nothing else.
func (f *fragment) holds(condition string) (is, ok bool) {
	pattern := regexp.MustCompile(`^\s*(?:\{\{\s*)?include\.([\w-]+)(?:\s*\}\})?\s*(?:(==|!=|contains)\s*(?:"([^"]*)"|'([^']*)'|(\w+))\s*)?$`)
	for either := range strings.SplitSeq(condition, " or ") {
		all := true
		for one := range strings.SplitSeq(either, " and ") {
			m := pattern.FindStringSubmatch(one)
			if m == nil {
				return false, false
			}
			given, has := f.parameters[m[1]]
			text := cmp.Or(m[3], m[4], m[5])
			same := given == text
			switch text {
			case "nil", "null", "false":
				same = !has || given == "false"
			case "blank", "empty":
				same = given == ""
			}
			switch m[2] {
			case "":
				all = all && has && given != "false"
			case "==":
				all = all && same
			case "!=":
				all = all && !same
			default:
				all = all && strings.Contains(given, text)
			}
		}
		is = is || all
	}
	return is, true
}
