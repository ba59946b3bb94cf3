package script

import (
	"bytes"
	"cmp"
	"fmt"
	"path"
	"sort"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/evanw/esbuild/pkg/api"
	"github.com/go-sourcemap/sourcemap"
	"github.com/grafana/sobek/ast"
	"github.com/grafana/sobek/file"
	"github.com/grafana/sobek/parser"
	"github.com/grafana/sobek/unistring"
)

const (
	// MaxBytes bounds a program: twice the longest configuration of 45 public sites. The parsers
	// recurse as deep as it nests: 64 kB of ! take them 500 MB, and 250 kB crash the process.
	MaxBytes = 64 << 10
	// maxCommas bounds the commas of a program, because a chain of them takes esbuild quadratic
	// time: 9 s for 32,000 of them, 1 s for this many.
	maxCommas = 10_000
)

// A Program is a program that was parsed. The zero Program declares and exports nothing.
type Program struct {
	columns [][]int // of each line of the source: see columnsOf
	lines   []int   // where each line of the plain program begins
	places  *sourcemap.Consumer
	file    string // its path from the root of the project: "/docs/.vitepress/config.ts"
	top     *scope
	changed map[unistring.String]bool // the names that do not keep their first value
	others  []file.Idx                // where the outermost statements that declare nothing begin
	exports map[string]ast.Expression // by name: "default" for export default and module.exports
	imports map[string]string         // by local name: the name in the module; "path" and "path.join" for that of Node
}

// An Error says why a program cannot be parsed, and where. Lines and columns count from 1, in
// characters.
type Error struct {
	Line, Column int
	What         string
}

// Parse parses a program. The name is the path of its file, from the root of its project. A program
// that cannot be parsed declares and exports nothing.
func Parse(name string, source []byte) (p *Program, err *Error) {
	switch {
	case len(source) > MaxBytes:
		return &Program{}, &Error{1, 1, fmt.Sprintf("it is longer than %d kB", MaxBytes>>10)}
	case bytes.Count(source, []byte(",")) > maxCommas:
		return &Program{}, &Error{1, 1, fmt.Sprintf("it has more than %d commas", maxCommas)}
	}
	defer func() {
		fault := recover()
		if fault != nil { // a panic of a library
			err = &Error{1, 1, fmt.Sprint(fault)}
		}
		if err != nil {
			p = &Program{}
		}
	}()
	p = &Program{file: path.Join("/", name), exports: map[string]ast.Expression{}, imports: map[string]string{}}
	for line := range bytes.SplitSeq(source, []byte("\n")) {
		p.columns = append(p.columns, columnsOf(line))
	}
	plain := transform(source, api.LoaderTS) // TypeScript contains JavaScript
	if len(plain.Errors) > 0 {
		if withElements := transform(source, api.LoaderTSX); len(withElements.Errors) == 0 { // with JSX, as MDX may have
			plain = withElements
		}
	}
	if len(plain.Errors) > 0 {
		return p, p.errorOf(plain.Errors[0])
	}
	p.lines = []int{0}
	for i, c := range plain.Code {
		if c == '\n' {
			p.lines = append(p.lines, i+1)
		}
	}
	p.places, _ = sourcemap.Parse("", plain.Map) // nil if nothing is left of the program, as of one with only types
	tree, fault := parser.ParseFile(nil, "", string(plain.Code), 0, parser.IsModule, parser.WithDisableSourceMaps)
	if fault != nil { // no program is known that esbuild reads but sobek does not
		return p, &Error{1, 1, fault.Error()}
	}
	p.top, p.changed = &scope{}, changed(tree.Body)
	for _, statement := range tree.Body {
		if p.declare(statement) == 0 {
			p.others = append(p.others, statement.Idx0())
		}
	}
	return p, nil
}

// transform turns a program into plain JavaScript.
func transform(source []byte, notation api.Loader) api.TransformResult {
	return api.Transform(string(source), api.TransformOptions{
		Loader: notation,
		Target: api.ES2018,
		Supported: map[string]bool{
			"top-level-await": true, "import-meta": true, "dynamic-import": true, // what sobek knows of later versions
			"for-await": false, "async-generator": false, // and what it does not know of this one
		},
		LegalComments:     api.LegalCommentsNone,
		MinifyWhitespace:  true, // indented, 64 kB of if(1) would be 300 MB
		MinifyIdentifiers: true,
		Sourcemap:         api.SourceMapExternal,
		SourcesContent:    api.SourcesContentExclude,
		Sourcefile:        "source",
		LogLimit:          1,
	})
}

// errorOf converts an error of esbuild, which counts columns from 0, in bytes.
func (p *Program) errorOf(m api.Message) *Error {
	e := &Error{1, 1, m.Text}
	if at := m.Location; at != nil {
		e.Line, e.Column = min(max(at.Line, 1), len(p.columns)), 1+utf8.RuneCountInString(at.LineText[:min(at.Column, len(at.LineText))])
	}
	return e
}

// placeOf returns the place in the source of a part of the plain program, and the original name if
// it is a shortened one.
func (p *Program) placeOf(at file.Idx) (line, column int, name string) {
	if p.places == nil {
		return 1, 1, ""
	}
	offset := max(int(at)-1, 0)
	n := sort.SearchInts(p.lines, offset+1) - 1
	_, name, line, units, ok := p.places.Source(n+1, offset-p.lines[n])
	if !ok {
		return 1, 1, ""
	}
	line = min(line, len(p.columns)) // source maps count U+2028 as the end of a line, editors do not
	columns := p.columns[line-1]
	return line, columns[min(units, len(columns)-1)], name
}

// columnsOf returns, for each column of a line in UTF-16 units from 0, in which source maps count,
// its column in characters from 1.
func columnsOf(line []byte) []int {
	columns := make([]int, 0, len(line)+1)
	column := 1
	for ; len(line) > 0; column++ {
		r, size := utf8.DecodeRune(line)
		for range utf16.RuneLen(r) {
			columns = append(columns, column)
		}
		line = line[size:]
	}
	return append(columns, column)
}

// declare notes what an outermost statement declares, exports or imports, and returns how many
// names it declares.
func (p *Program) declare(statement ast.Statement) int {
	known := len(p.top.declarations)
	switch s := statement.(type) {
	case *ast.ExpressionStatement:
		p.assign(s.Expression)
	case *ast.ImportDeclaration:
		p.declareImport(s)
	case *ast.ExportDeclaration:
		p.declareExport(s)
	default:
		p.top.declare(statement)
	}
	return len(p.top.declarations) - known
}

// assign notes what an expression assigns to module.exports or to a property of it.
func (p *Program) assign(e ast.Expression) {
	assigned, ok := e.(*ast.AssignExpression)
	if !ok {
		return
	}
	switch name := p.nameOf(assigned.Left, p.top, 0); {
	case name == "module.exports":
		p.exports["default"] = assigned.Right
	case strings.HasPrefix(name, "module.exports."), strings.HasPrefix(name, "exports."):
		p.exports[name[strings.LastIndexByte(name, '.')+1:]] = assigned.Right
	}
	p.assign(assigned.Right) // module.exports = exports = …
}

func (p *Program) declareImport(s *ast.ImportDeclaration) {
	if s.ImportClause == nil || s.FromClause == nil {
		return
	}
	from := moduleName(s.FromClause.ModuleSpecifier.String())
	within := ""
	if from == "path" {
		within = from + "."
		if name := s.ImportClause.ImportedDefaultBinding; name != nil {
			p.imports[name.Name.String()] = from
		}
		if all := s.ImportClause.NameSpaceImport; all != nil {
			p.imports[all.ImportedBinding.String()] = from
		}
	}
	if named := s.ImportClause.NamedImports; named != nil {
		for _, one := range named.ImportsList {
			p.imports[cmp.Or(one.Alias.String(), one.IdentifierName.String())] = within + one.IdentifierName.String()
		}
	}
}

func (p *Program) declareExport(s *ast.ExportDeclaration) {
	switch {
	case s.Variable != nil:
		p.export(p.top.declare(s.Variable))
	case s.LexicalDeclaration != nil:
		p.export(p.top.declare(s.LexicalDeclaration))
	case s.HoistableDeclaration != nil && s.HoistableDeclaration.FunctionDeclaration != nil:
		function := s.HoistableDeclaration.FunctionDeclaration
		if p.export(p.top.declare(function)); s.IsDefault {
			p.exports["default"] = function.Function
		}
	case s.IsDefault && s.AssignExpression != nil:
		p.exports["default"] = s.AssignExpression
	case s.NamedExports != nil && s.FromClause == nil:
		for _, one := range s.NamedExports.ExportsList {
			p.exports[cmp.Or(one.Alias.String(), one.IdentifierName.String())] = &ast.Identifier{Name: one.IdentifierName}
		}
	}
}

// export notes that declarations are exported by their names.
func (p *Program) export(declared []declaration) {
	for _, d := range declared {
		p.exports[p.original(d.name)] = d.name
	}
}
