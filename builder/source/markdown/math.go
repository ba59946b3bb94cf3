package markdown

import (
	"bytes"
	"slices"
	"unicode"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	goldmarktext "github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// Formula has the delimiters of a TeX formula, such as $$ and $$. Between $ and $, a formula
// neither begins nor ends with a space: sums of money are not formulas.
type Formula struct {
	Open, Close string
	TeX         bool // whether only text with a command, or with an index in braces, is a formula: the site may have no formulas at all
}

// has reports whether the text between the delimiters is a formula.
func (f Formula) has(inner []byte) bool {
	return !f.TeX || bytes.Contains(inner, []byte("_{")) || bytes.Contains(inner, []byte("^{")) ||
		slices.ContainsFunc(bytes.Split(inner, []byte(`\`))[1:], func(after []byte) bool {
			return len(after) > 0 && unicode.IsLetter(rune(after[0]))
		})
}

// math is a parser that leaves formulas as they are: backslashes, underscores and asterisks in them
// are TeX's own. Its longer delimiters come before shorter ones that begin alike.
type math []Formula

// Trigger implements parser.InlineParser.
func (m math) Trigger() (triggers []byte) {
	for _, f := range m {
		if bytes.IndexByte(triggers, f.Open[0]) < 0 {
			triggers = append(triggers, f.Open[0])
		}
	}
	return triggers
}

// index returns where in a text the first formula may begin, or the length of the text.
func (m math) index(text []byte) int {
	for _, f := range m {
		if at := bytes.Index(text, []byte(f.Open)); at >= 0 {
			text = text[:at]
		}
	}
	return len(text)
}

// at returns the delimiters of the formula that a text begins with.
func (m math) at(text []byte) (f Formula, ok bool) {
	for _, f := range m {
		if bytes.HasPrefix(text, []byte(f.Open)) {
			return f, true
		}
	}
	return Formula{}, false
}

// Parse implements parser.InlineParser.
func (m math) Parse(parent ast.Node, block goldmarktext.Reader, context parser.Context) ast.Node {
	line, segment := block.PeekLine()
	f, ok := m.at(line)
	open := stateOf(context).unclosedIn(parent)
	if !ok || slices.Contains(open.formulas, f) || f.Open == "$" && util.IsSpace(line[min(1, len(line)-1)]) {
		return nil
	}
	number, position := block.Position()
	var lines []ast.Node // the lines of the formula so far
	isFormula := false
	for from := len(f.Open); line != nil; from = 0 {
		if end := bytes.Index(line[from:], []byte(f.Close)); end >= 0 {
			end += from
			isFormula = isFormula || f.has(line[from:end])
			if !isFormula || f.Open == "$" && (end == 0 || util.IsSpace(line[end-1]) || line[end-1] == '\\') {
				break
			}
			end += len(f.Close)
			segment = segment.WithStop(segment.Start + end)
			for _, n := range append(lines, ast.NewRawTextSegment(segment)) {
				parent.AppendChild(parent, n)
			}
			block.Advance(end)
			return ast.NewTextSegment(goldmarktext.NewSegment(segment.Stop, segment.Stop)) // goldmark appends the text that follows to it
		}
		isFormula = isFormula || f.has(line[from:])
		lines = append(lines, ast.NewRawTextSegment(segment))
		block.AdvanceLine()
		line, segment = block.PeekLine()
	}
	if line == nil {
		open.formulas = append(open.formulas, f)
	}
	block.SetPosition(number, position)
	return nil
}

// unclosed has the delimiters that were found to have no end in a block, so that the end is not
// looked for again: a block may have very many of them.
type unclosed struct {
	block    ast.Node
	formulas []Formula
	ticks    []int // numbers of backquotes; see fewSpans
}

// unclosedIn returns the unclosed delimiters of the block that is being parsed.
func (s *state) unclosedIn(block ast.Node) *unclosed {
	if s.unclosed.block != block {
		s.unclosed = unclosed{block: block}
	}
	return &s.unclosed
}

// mathBlock is a parser of formulas on lines of their own, some of which may begin like a list
// item. Formulas become paragraphs. If the opening delimiter is alone on its line, the formula may
// have blank lines.
type mathBlock struct{ math }

// mostOfFormula is how many bytes are searched for the end of such a formula.
const mostOfFormula = 8 << 10

// Open implements parser.BlockParser.
func (m mathBlock) Open(_ ast.Node, reader goldmarktext.Reader, context parser.Context) (ast.Node, parser.State) {
	line, segment := reader.PeekLine()
	f, ok := m.at(bytes.TrimLeft(line, " \t"))
	if !ok || f.Open == "$" {
		return nil, parser.NoChildren
	}
	following := reader.Source()[segment.Start:]
	following = bytes.TrimLeft(following[:min(len(following), mostOfFormula)], " \t")[len(f.Open):]
	inner, after, closed := bytes.Cut(following, []byte(f.Close))
	if rest, _, _ := bytes.Cut(after, []byte("\n")); !closed || !util.IsBlank(rest) || !f.has(inner) {
		return nil, parser.NoChildren
	}
	lines := bytes.Split(inner, []byte("\n"))
	alone := util.IsBlank(lines[0])
	lines = lines[1:]
	hasBlank := len(lines) > 0 && slices.ContainsFunc(lines[:len(lines)-1], util.IsBlank)
	if len(lines) == 0 || hasBlank && !alone {
		return nil, parser.NoChildren
	}
	if above := context.LastOpenedBlock().Node; ast.IsParagraph(above) {
		mayGoOn := !hasBlank && !slices.ContainsFunc(lines, mayBeginBlock)
		if mayGoOn || f.isOpenIn(above.Lines(), reader.Source()) { // the formula may continue that paragraph, or this line ends a formula in it
			return nil, parser.NoChildren
		}
	}
	n := ast.NewTextBlock() // within a paragraph, goldmark would look for lists
	n.Lines().Append(segment)
	reader.AdvanceToEOL()
	return n, parser.NoChildren
}

// isOpenIn reports whether a formula that begins one of these lines has no end in them. Only if
// both delimiters are the same may the end of a formula look like the beginning of another.
func (f Formula) isOpenIn(lines *goldmarktext.Segments, source []byte) (open bool) {
	for _, segment := range lines.Sliced(0, lines.Len()) {
		line := bytes.TrimLeft(segment.Value(source), " \t")
		if open || bytes.HasPrefix(line, []byte(f.Open)) {
			open = open != (bytes.Count(line, []byte(f.Close))%2 == 1)
		}
	}
	return open
}

// mayBeginBlock reports whether a line may end the paragraph that it stands in.
func mayBeginBlock(line []byte) bool {
	line = bytes.TrimLeft(line, " ")
	return len(line) > 0 && bytes.IndexByte([]byte("+-*#>="), line[0]) >= 0
}

// Continue implements parser.BlockParser.
func (m mathBlock) Continue(n ast.Node, reader goldmarktext.Reader, _ parser.Context) parser.State {
	lines := n.Lines()
	first := lines.At(0)
	begin := bytes.TrimLeft(first.Value(reader.Source()), " \t")
	f, _ := m.at(begin)
	line, segment := reader.PeekLine()
	alone := util.IsBlank(begin[len(f.Open):])
	if m.isClosed(lines, reader.Source()) || util.IsBlank(line) && !alone {
		return parser.Close
	}
	lines.Append(segment)
	reader.AdvanceToEOL()
	return parser.Continue | parser.NoChildren
}

// isClosed reports whether the last of some lines ends the formula that begins on the first.
func (m mathBlock) isClosed(lines *goldmarktext.Segments, source []byte) bool {
	first, last := lines.At(0), lines.At(lines.Len()-1)
	f, _ := m.at(bytes.TrimLeft(first.Value(source), " \t"))
	return lines.Len() > 1 && bytes.Contains(last.Value(source), []byte(f.Close))
}

// Close implements parser.BlockParser.
func (m mathBlock) Close(n ast.Node, reader goldmarktext.Reader, context parser.Context) {
	paragraph := ast.NewParagraph()
	lines := n.Lines()
	if !m.isClosed(lines, reader.Source()) { // as when a quote ends before it does: then it is text, which has no blank lines
		lines = goldmarktext.NewSegments()
		for _, line := range n.Lines().Sliced(0, n.Lines().Len()) {
			if !util.IsBlank(line.Value(reader.Source())) {
				lines.Append(line)
			}
		}
	}
	paragraph.SetLines(lines)
	paragraph.SetBlankPreviousLines(n.HasBlankPreviousLines())
	n.Parent().ReplaceChild(n.Parent(), n, paragraph)
	parser.NewParagraphParser().Close(paragraph, reader, context)
}

// CanInterruptParagraph implements parser.BlockParser.
func (mathBlock) CanInterruptParagraph() bool { return true }

// CanAcceptIndentedLine implements parser.BlockParser.
func (mathBlock) CanAcceptIndentedLine() bool { return false }
