package script

import (
	"cmp"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/grafana/sobek/ast"
	"github.com/grafana/sobek/token"
)

const (
	// mostParts is how many expressions are read for one value: more than a program has, unless it
	// uses its constants again and again.
	mostParts = 100_000
	// mostDepth is how deep these expressions nest: far deeper than people write.
	mostDepth = 100
)

// Default returns the value that the program exports by export default or as module.exports.
func (p *Program) Default() Value { return p.Export("default") }

// Export returns the value that the program exports by a name; a Computed one if there is no such
// export.
func (p *Program) Export(name string) Value {
	e, ok := p.exports[name]
	if !ok {
		return Value{}
	}
	return (&reader{Program: p, left: mostParts}).value(e, p.top, 0)
}

// Declarations returns the names that the outermost statements of the program declare, with their
// first values, in order. A statement that does anything else is a field without a key.
func (p *Program) Declarations() (fields []Field) {
	if p.top == nil {
		return nil
	}
	r := reader{Program: p, left: mostParts}
	for _, d := range p.top.declarations {
		f := Field{Key: p.original(d.name), Value: r.value(d.value, p.top, 0)}
		f.Line, f.Column, _ = p.placeOf(d.name.Idx)
		fields = append(fields, f)
	}
	for _, other := range p.others {
		var f Field
		f.Line, f.Column, _ = p.placeOf(other)
		f.Value.Line, f.Value.Column = f.Line, f.Column
		fields = append(fields, f)
	}
	slices.SortStableFunc(fields, func(a, b Field) int { return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column)) })
	return fields
}

// A reader reads the expressions of one value.
type reader struct {
	*Program
	left int // how many more expressions it may read; see mostParts
}

// value reads an expression within a scope. The value of a name has the place of the name, not of
// its declaration.
func (r *reader) value(e ast.Expression, s *scope, depth int) Value {
	r.left--
	if e == nil || r.left < 0 || depth > mostDepth {
		return Value{}
	}
	v := r.placeless(e, s, depth+1)
	r.left -= len(v.Text) / 64  // otherwise a string that is appended to itself again and again fills the memory
	if at := e.Idx0(); at > 0 { // 0 for a name in a list of exports
		v.Line, v.Column, _ = r.placeOf(at)
	}
	return v
}

func (r *reader) placeless(e ast.Expression, s *scope, depth int) Value {
	switch e := e.(type) {
	case *ast.StringLiteral:
		return Value{Kind: Text, Text: e.Value.String()}
	case *ast.BooleanLiteral:
		return Value{Kind: Boolean, Text: strconv.FormatBool(e.Value)}
	case *ast.NumberLiteral:
		return Value{Kind: Number, Text: number(e)}
	case *ast.NullLiteral:
		return Value{Kind: Nothing}
	case *ast.TemplateLiteral:
		return r.template(e, s, depth)
	case *ast.ArrayLiteral:
		return r.list(e.Value, s, depth)
	case *ast.ObjectLiteral:
		return r.object(e.Value, s, depth)
	case *ast.Identifier:
		return r.named(e, s, depth)
	case *ast.DotExpression:
		return r.member(e, e.Left, e.Identifier.Name.String(), s, depth)
	case *ast.BracketExpression:
		return r.member(e, e.Left, r.value(e.Member, s, depth).Text, s, depth)
	case *ast.UnaryExpression:
		return r.unary(e, s, depth)
	case *ast.BinaryExpression:
		return r.binary(e, s, depth)
	case *ast.ConditionalExpression:
		return r.computed("", []ast.Expression{e.Consequent, e.Alternate}, s, depth)
	case *ast.CallExpression:
		return r.call(e, s, depth)
	case *ast.NewExpression:
		v := r.computed(r.nameOf(e.Callee, s, depth), e.ArgumentList, s, depth)
		if said, ok := pathOf(v); ok {
			return said
		}
		if v.Name == "Date" && len(v.Items) == 1 && v.Items[0].Kind == Text {
			return v.Items[0]
		}
		return v
	case *ast.AwaitExpression:
		return r.value(e.Argument, s, depth)
	case *ast.AssignExpression:
		return r.value(e.Right, s, depth)
	case *ast.FunctionLiteral, *ast.ArrowFunctionLiteral:
		v, _ := r.function(e, s, depth)
		return v
	}
	return Value{}
}

// computed returns the Computed value that a function of this name, or an operator, computes from
// expressions.
func (r *reader) computed(name string, of []ast.Expression, s *scope, depth int) Value {
	v := Value{Name: name}
	for _, e := range of {
		if spread, ok := e.(*ast.SpreadElement); ok {
			e = spread.Expression
		}
		v.Items = append(v.Items, r.value(e, s, depth))
	}
	return v
}

// number returns a number as JavaScript writes it, if it needs no exponent.
func number(e *ast.NumberLiteral) string {
	switch n := e.Value.(type) {
	case int64:
		return strconv.FormatInt(n, 10)
	case float64:
		return strconv.FormatFloat(n, 'f', -1, 64)
	}
	return e.Literal
}

func (r *reader) template(e *ast.TemplateLiteral, s *scope, depth int) Value {
	if e.Tag != nil {
		return r.computed(r.nameOf(e.Tag, s, depth), e.Expressions, s, depth)
	}
	v := Value{Kind: Text}
	for i, element := range e.Elements {
		if v.Kind == Text {
			v.Text += element.Parsed.String()
		}
		if i < len(e.Expressions) {
			v = join(v, r.value(e.Expressions[i], s, depth))
		}
	}
	return v
}

// join concatenates two texts, or a text and a number. The result of anything else is Computed.
func join(a, b Value) Value {
	known := func(v Value) bool { return v.Kind == Text || v.Kind == Number }
	if known(a) && known(b) && (a.Kind == Text || b.Kind == Text) {
		return Value{Kind: Text, Text: a.Text + b.Text}
	}
	return Value{Items: []Value{a, b}}
}

func (r *reader) unary(e *ast.UnaryExpression, s *scope, depth int) Value {
	v := r.value(e.Operand, s, depth)
	switch {
	case e.Operator == token.MINUS && v.Kind == Number:
		return Value{Kind: Number, Text: "-" + v.Text}
	case e.Operator == token.NOT && v.Kind == Boolean:
		return Value{Kind: Boolean, Text: strconv.FormatBool(v.Text == "false")}
	case e.Operator == token.VOID:
		return Value{Kind: Nothing}
	}
	return Value{Items: []Value{v}}
}

// binary returns the value of an expression with two operands. A variable of the environment that
// is compared with "production" or "development" has the value production, as in a build for
// readers.
func (r *reader) binary(e *ast.BinaryExpression, s *scope, depth int) Value {
	left, right := r.value(e.Left, s, depth), r.value(e.Right, s, depth)
	isNot := e.Operator == token.STRICT_NOT_EQUAL || e.Operator == token.NOT_EQUAL
	switch isEqual := e.Operator == token.STRICT_EQUAL || e.Operator == token.EQUAL; {
	case e.Operator == token.PLUS:
		return join(left, right)
	case (isEqual || isNot) && strings.HasPrefix(left.Name, "process.env.") && (right.Text == "production" || right.Text == "development"):
		return Value{Kind: Boolean, Text: strconv.FormatBool(isEqual == (right.Text == "production"))}
	}
	return Value{Items: []Value{left, right}}
}

func (r *reader) list(items []ast.Expression, s *scope, depth int) Value {
	v := Value{Kind: List}
	for _, e := range items {
		spread, ok := e.(*ast.SpreadElement)
		if !ok {
			v.Items = append(v.Items, r.value(e, s, depth))
			continue
		}
		if of := r.value(spread.Expression, s, depth); of.Kind == List {
			v.Items = append(v.Items, of.Items...)
			r.left -= len(of.Items)
		} else {
			v.Items = append(v.Items, Value{Items: []Value{of}, Line: of.Line, Column: of.Column})
		}
	}
	return v
}

func (r *reader) object(properties []ast.Property, s *scope, depth int) Value {
	v := Value{Kind: Object}
	at := map[string]int{}
	set := func(f Field) {
		i, again := at[f.Key]
		if !again {
			i, at[f.Key] = len(v.Fields), len(v.Fields)
			v.Fields = append(v.Fields, f)
		}
		v.Fields[i] = f
	}
	for _, property := range properties {
		f := Field{}
		f.Line, f.Column, _ = r.placeOf(property.Idx0())
		switch e := property.(type) {
		case *ast.PropertyShort:
			f.Key, f.Value = r.original(&e.Name), r.value(&e.Name, s, depth)
			set(f)
		case *ast.PropertyKeyed:
			key := r.value(e.Key, s, depth)
			f.Key, f.Value = key.Text, r.value(e.Value, s, depth)
			if key.Kind == Text || key.Kind == Number {
				set(f)
			} else {
				v.Items = append(v.Items, f.Value)
			}
		case *ast.SpreadElement:
			of := r.value(e.Expression, s, depth)
			for _, f := range of.Fields {
				set(f)
			}
			r.left -= len(of.Fields)
			if of.Kind == Object {
				v.Items = append(v.Items, of.Items...)
			} else {
				v.Items = append(v.Items, of)
			}
		}
	}
	return v
}

// named returns the value that a name stands for.
func (r *reader) named(name *ast.Identifier, s *scope, depth int) Value {
	if d, where, ok := s.find(name); ok {
		return r.declared(d, where, depth)
	}
	switch name.Name {
	case "undefined":
		return Value{Kind: Nothing}
	case "__dirname":
		return Value{Kind: Text, Text: path.Dir(r.file)}
	}
	return Value{Name: r.nameOf(name, s, depth)}
}

// declared returns the value that a declaration gives to its name. If the value changes later, the
// result is Computed from the first one.
func (r *reader) declared(d declaration, s *scope, depth int) Value {
	v := r.value(d.value, s, depth)
	if d.value != nil && r.changed[d.name.Name] {
		v = Value{Items: []Value{v}, Line: v.Line, Column: v.Column}
	}
	if v.Kind == Computed && v.Name == "" {
		v.Name = r.original(d.name)
	}
	return v
}

func (r *reader) member(e, of ast.Expression, key string, s *scope, depth int) Value {
	name := r.nameOf(e, s, depth)
	switch name {
	case "import.meta.dirname":
		return Value{Kind: Text, Text: path.Dir(r.file)}
	case "import.meta.url", "import.meta.filename":
		return Value{Kind: Text, Text: r.file}
	}
	if v := r.value(of, s, depth); v.Kind == Object {
		if said, ok := v.Get(key); ok {
			return said
		}
	}
	return Value{Name: name}
}

func (r *reader) call(e *ast.CallExpression, s *scope, depth int) Value {
	name := r.nameOf(e.Callee, s, depth)
	v := r.computed(name, e.ArgumentList, s, depth)
	if said, ok := pathOf(v); ok {
		return said
	}
	switch callee := e.Callee.(type) {
	case *ast.Identifier:
		if d, where, ok := s.find(callee); ok && !r.changed[d.name.Name] {
			return r.returned(d.value, v, where, depth)
		}
	case *ast.DotExpression: // as in [a, b].filter(Boolean)
		v.Items = append([]Value{r.value(callee.Left, s, depth)}, v.Items...)
	default:
		return r.returned(callee, v, s, depth)
	}
	return v
}

// pathOf returns the path that a call makes of its arguments, if it makes one. The path of the
// program itself begins at the root of its project.
func pathOf(call Value) (Value, bool) {
	texts, known := Value{Kind: List, Items: call.Items}.Texts()
	said := ""
	switch name := strings.Replace(call.Name, "path.posix.", "path.", 1); {
	case !known:
		return Value{}, false
	case name == "process.cwd":
		said = "."
	case name == "path.join":
		said = path.Join(texts...)
	case name == "path.resolve":
		for len(texts) > 1 && slices.ContainsFunc(texts[1:], path.IsAbs) {
			texts = texts[1:]
		}
		said = path.Join(texts...)
	case name == "path.dirname" && len(texts) == 1:
		said = path.Dir(texts[0])
	case strings.HasSuffix(name, "fileURLToPath") && len(texts) == 1:
		said = texts[0]
	case name == "URL" && len(texts) == 2 && path.IsAbs(texts[1]):
		said = path.Join(path.Dir(texts[1]), texts[0])
	default:
		return Value{}, false
	}
	return Value{Kind: Text, Text: said}, true
}

// returned returns what a function of the program returns, if it does nothing else; otherwise v
// with all that the function returns and calls.
func (r *reader) returned(function ast.Expression, v Value, s *scope, depth int) Value {
	inner, only := r.function(function, s, depth)
	if only {
		return inner.Items[0]
	}
	v.Items, v.Calls = append(inner.Items, v.Items...), inner.Calls
	return v
}

// function reads what a function returns and calls; only is whether it does nothing but return one
// value.
func (r *reader) function(e ast.Expression, s *scope, depth int) (v Value, only bool) {
	var inner *scope
	switch e := e.(type) {
	case *ast.FunctionLiteral:
		inner = functionScope(s, e.ParameterList, e.Body.List, e.DeclarationList)
	case *ast.ArrowFunctionLiteral:
		switch body := e.Body.(type) {
		case *ast.ExpressionBody:
			inner = functionScope(s, e.ParameterList, nil, nil)
			return r.computed("", []ast.Expression{body.Expression}, inner, depth), true
		case *ast.BlockStatement:
			inner = functionScope(s, e.ParameterList, body.List, e.DeclarationList)
		}
	}
	if inner == nil {
		return Value{}, false
	}
	for _, statement := range inner.others {
		switch does := statement.(type) {
		case *ast.ReturnStatement:
			v.Items = append(v.Items, r.value(does.Argument, inner, depth))
			only = len(inner.others) == 1
		default:
			v.Calls = r.calls(v.Calls, statement, inner, depth)
		}
	}
	return v, only
}

// calls appends the values of expression statements, which are mostly calls, including those within
// blocks and in the branches of an if: in both if its condition is not known.
func (r *reader) calls(calls []Value, statement ast.Statement, s *scope, depth int) []Value {
	if depth++; depth > mostDepth {
		return calls
	}
	switch does := statement.(type) {
	case *ast.ExpressionStatement:
		calls = append(calls, r.value(does.Expression, s, depth))
	case *ast.IfStatement:
		test := r.value(does.Test, s, depth)
		if test.Kind != Boolean || test.Text == "true" {
			calls = r.calls(calls, does.Consequent, s, depth)
		}
		if test.Kind != Boolean || test.Text == "false" {
			calls = r.calls(calls, does.Alternate, s, depth)
		}
	case *ast.BlockStatement:
		for _, inner := range does.List {
			calls = r.calls(calls, inner, s, depth)
		}
	}
	return calls
}

// nameOf returns the name of a function or variable with its module or object: "path.join",
// whatever name path is imported by.
func (p *Program) nameOf(e ast.Expression, s *scope, depth int) string {
	if depth++; depth > mostDepth {
		return ""
	}
	switch e := e.(type) {
	case *ast.Identifier:
		d, where, declared := s.find(e)
		if imported, ok := p.imports[e.Name.String()]; ok && !declared {
			return imported
		}
		switch d.value.(type) {
		case *ast.CallExpression, *ast.DotExpression:
			if name := p.nameOf(d.value, where, depth); name != "" && !p.changed[d.name.Name] {
				return name
			}
		}
		return p.original(e)
	case *ast.DotExpression:
		return strings.TrimPrefix(p.nameOf(e.Left, s, depth)+"."+e.Identifier.Name.String(), ".")
	case *ast.MetaProperty:
		return "import.meta"
	case *ast.CallExpression:
		callee, _ := e.Callee.(*ast.Identifier)
		if callee != nil && callee.Name == "require" && len(e.ArgumentList) == 1 {
			if module, ok := e.ArgumentList[0].(*ast.StringLiteral); ok {
				return moduleName(module.Value.String())
			}
		}
	}
	return ""
}

// moduleName returns the name of a module of Node as nameOf writes it.
func moduleName(module string) string { return strings.TrimPrefix(module, "node:") }

// original returns a name as the author wrote it, before esbuild shortened it.
func (p *Program) original(name *ast.Identifier) string {
	if _, _, said := p.placeOf(name.Idx); said != "" {
		return said
	}
	return name.Name.String()
}
