package markdown

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	extensionast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	goldmarktext "github.com/yuin/goldmark/text"
)

// Bounds on what takes goldmark quadratic time or memory, far beyond what authors write. Markdown
// that goes beyond them is rendered as text.
const (
	// deepest is how deep blocks, such as quotations, lists, list items and footnotes, may be
	// nested.
	deepest = 100
	// mostMarks is how many emphasis delimiters a block may have, together with closing brackets
	// that close no link.
	mostMarks = 2000
	// mostTicks is how many backquotes a code span may begin with.
	mostTicks = 100
	// mostDefinitions is how many lines a paragraph may have that begins with link definitions.
	mostDefinitions = 10_000
	// mostEmptyCells is how many cells the rows of all tables may leave out: goldmark makes a cell
	// in each row for each column of the table.
	mostEmptyCells = 100_000
	// mostComparisons is how many comparisons of a footnote with a reference there may be: goldmark
	// compares each with each.
	mostComparisons = 100_000_000
)

// bounds returns options that set these bounds for a parser of Markdown. They must come after the
// other options, because they wrap the parsers that are there.
func bounds() []parser.Option {
	return []parser.Option{
		instead(extension.NewFootnoteParser(), fewNotes{extension.NewFootnoteParser()}),
		instead(parser.NewCodeSpanParser(), fewSpans{parser.NewCodeSpanParser()}),
		instead(parser.LinkReferenceParagraphTransformer, fewLines{parser.LinkReferenceParagraphTransformer}),
		instead(extension.NewTableParagraphTransformer(), fewCells{extension.NewTableParagraphTransformer()}),
		change(func(c *parser.Config) {
			for i, p := range c.BlockParsers {
				c.BlockParsers[i].Value = shallowBlocks{p.Value.(parser.BlockParser)}
			}
			for i, p := range c.InlineParsers {
				inline := p.Value.(parser.InlineParser)
				if _, addresses := inline.(linkify); !addresses && bytes.ContainsAny(inline.Trigger(), "*~^+=]") { // addresses may begin after marks, too
					c.InlineParsers[i].Value = fewMarks{inline}
				}
			}
		}),
	}
}

// Cut says what a text has too much of, so that the rest of it is rendered as text. It is zero if
// there is not too much of anything.
type Cut struct {
	What, Hint string
	Line       int // of the text, from 1
}

// metaCut is the key under which the metadata of a document has the first Cut that these bounds
// made.
const metaCut = "cut"

// cut notes what a document has too much of, and where in its text, unless it has a Cut already.
func cut(n ast.Node, source []byte, at int, hint, what string, most ...any) {
	if document := n.OwnerDocument(); cutOf(document) == (Cut{}) {
		document.AddMeta(metaCut, Cut{fmt.Sprintf(what, most...), hint, bytes.Count(source[:at], []byte("\n")) + 1})
	}
}

// cutOf returns the first cut that these bounds made in a document.
func cutOf(document ast.Node) Cut {
	first, _ := document.OwnerDocument().Meta()[metaCut].(Cut)
	return first
}

// shallowBlocks is a block parser that opens no block nested too deep.
type shallowBlocks struct{ parser.BlockParser }

// SetOption implements parser.SetOptioner.
func (s shallowBlocks) SetOption(name parser.OptionName, value any) {
	if of, ok := s.BlockParser.(parser.SetOptioner); ok {
		of.SetOption(name, value)
	}
}

// Open implements parser.BlockParser.
func (s shallowBlocks) Open(parent ast.Node, reader goldmarktext.Reader, context parser.Context) (ast.Node, parser.State) {
	if s.Trigger() != nil && isDeep(parent) { // without triggers, it is the parser of paragraphs or indented code
		_, at := reader.Position()
		cut(parent, reader.Source(), at.Start, "nest fewer of them",
			"quotations, lists and notes are more than %d deep within each other; what is deeper is text", deepest)
		return nil, parser.NoChildren
	}
	n, state := s.BlockParser.Open(parent, reader, context)
	if _, ok := n.(*extensionast.Footnote); ok {
		stateOf(context).notes++
	}
	return n, state
}

// isDeep reports whether a block is nested so deep that only text may be in it.
func isDeep(n ast.Node) bool {
	switch n.(type) {
	case *ast.List, *extensionast.DefinitionList: // their items have to be in them
		return false
	}
	depth := 0
	for ; n != nil && depth <= deepest; n = n.Parent() {
		depth++
	}
	return depth > deepest
}

// fewMarks is an inline parser that parses no more than mostMarks in a block.
type fewMarks struct{ parser.InlineParser }

// markCount counts the marks of the block that is being parsed.
type markCount struct {
	block ast.Node
	n     int
}

// Parse implements parser.InlineParser.
func (f fewMarks) Parse(block ast.Node, reader goldmarktext.Reader, context parser.Context) ast.Node {
	m := &stateOf(context).marks
	if m.block != block {
		*m = markCount{block: block}
	}
	if m.n == mostMarks {
		cut(block, reader.Source(), block.Lines().At(0).Start, "make several paragraphs of it",
			"this paragraph has more than %d marks of emphasis and brackets; what is more is text", mostMarks)
		return nil
	}
	n := f.InlineParser.Parse(block, reader, context)
	if d, ok := n.(*parser.Delimiter); n == nil || ok && (d.CanOpen || d.CanClose) { // not the _ in some_name
		m.n++
	}
	return n
}

// CloseBlock implements parser.CloseBlocker.
func (f fewMarks) CloseBlock(block ast.Node, reader goldmarktext.Reader, context parser.Context) {
	if of, ok := f.InlineParser.(parser.CloseBlocker); ok {
		of.CloseBlock(block, reader, context)
	}
}

// fewNotes is the parser of references to footnotes. It lets goldmark make no more than
// mostComparisons comparisons.
type fewNotes struct{ parser.InlineParser }

// Parse implements parser.InlineParser.
func (f fewNotes) Parse(block ast.Node, reader goldmarktext.Reader, context parser.Context) ast.Node {
	s := stateOf(context)
	if line, _ := reader.PeekLine(); bytes.HasPrefix(line, []byte("[^")) || bytes.HasPrefix(line, []byte("![^")) {
		if s.compared += s.notes; s.compared > mostComparisons {
			_, at := reader.Position()
			cut(block, reader.Source(), at.Start, "make several articles of this one, or write fewer footnotes",
				"there are too many footnotes; the references to them from here on are text")
			return nil
		}
	}
	return f.InlineParser.Parse(block, reader, context)
}

// fewSpans is the parser of code spans. Once it has found no end in a block for some number of
// backquotes, it looks for none again for that number, because there is none further on, either.
type fewSpans struct{ parser.InlineParser }

// Parse implements parser.InlineParser.
func (f fewSpans) Parse(block ast.Node, reader goldmarktext.Reader, context parser.Context) ast.Node {
	open := stateOf(context).unclosedIn(block)
	line, segment := reader.PeekLine()
	ticks := len(line) - len(bytes.TrimLeft(line, "`"))
	if ticks > mostTicks {
		cut(block, reader.Source(), segment.Start, "begin code with fewer of them",
			"there are more than %d backquotes in a row; they are text", mostTicks)
	}
	if ticks > mostTicks || slices.Contains(open.ticks, ticks) {
		reader.Advance(ticks)
		return ast.NewTextSegment(segment.WithStop(segment.Start + ticks))
	}
	n := f.InlineParser.Parse(block, reader, context)
	if _, closed := n.(*ast.CodeSpan); !closed {
		open.ticks = append(open.ticks, ticks)
	}
	return n
}

// fewLines takes link definitions from paragraphs of no more than mostDefinitions lines.
type fewLines struct{ parser.ParagraphTransformer }

// Transform implements parser.ParagraphTransformer.
func (f fewLines) Transform(paragraph *ast.Paragraph, reader goldmarktext.Reader, context parser.Context) {
	lines := paragraph.Lines()
	first := lines.At(0)
	switch begins := bytes.HasPrefix(bytes.TrimLeft(first.Value(reader.Source()), " \t\n\v\f\r"), []byte("[")); {
	case !begins: // goldmark would make a reader of the paragraph to find that out
	case lines.Len() > mostDefinitions:
		cut(paragraph, reader.Source(), first.Start, "make several paragraphs of it, by blank lines",
			"this paragraph of link definitions has more than %d lines; they are text", mostDefinitions)
	default:
		f.ParagraphTransformer.Transform(paragraph, reader, context)
	}
}

// fewCells turns paragraphs into tables, as long as their rows leave out no more than
// mostEmptyCells cells.
type fewCells struct{ parser.ParagraphTransformer }

// Transform implements parser.ParagraphTransformer.
func (f fewCells) Transform(paragraph *ast.Paragraph, reader goldmarktext.Reader, context parser.Context) {
	s, lines := stateOf(context), paragraph.Lines()
	empty := emptyCells(lines, reader.Source())
	if s.emptyCells+empty > mostEmptyCells {
		cut(paragraph, reader.Source(), lines.At(0).Start, "give its rows all their cells, or the table fewer columns",
			"the rows of tables leave out more than %d cells; this table is text", mostEmptyCells)
		return
	}
	s.emptyCells += empty
	f.ParagraphTransformer.Transform(paragraph, reader, context)
}

// emptyCells returns about how many cells the rows of a table leave out; 0 if the lines are no
// table.
func emptyCells(lines *goldmarktext.Segments, source []byte) (n int) {
	columns := 0 // of the longest line so far that may be the one below the head; 0 before that
	for i := range lines.Len() {
		segment := lines.At(i)
		line := segment.Value(source)
		has := bytes.Count(line, []byte("|")) + 1
		n += max(0, columns-has)
		if i > 0 && len(bytes.TrimLeft(line, "|-: \t\r\n")) == 0 {
			columns = max(columns, has)
		}
	}
	return n
}
