package script

import (
	"reflect"
	"slices"

	"github.com/grafana/sobek/ast"
	"github.com/grafana/sobek/token"
	"github.com/grafana/sobek/unistring"
)

// A scope has the declarations in a function, or in the whole program.
type scope struct {
	around       *scope
	declarations []declaration
	others       []ast.Statement // the statements that declare nothing
}

// A declaration gives a name its first value.
type declaration struct {
	name  *ast.Identifier
	value ast.Expression // nil if it is not known
}

// declare notes what a statement declares, and returns it.
func (s *scope) declare(statement ast.Statement) []declaration {
	known := len(s.declarations)
	switch d := statement.(type) {
	case *ast.LexicalDeclaration:
		s.bindAll(d.List)
	case *ast.VariableStatement:
		s.bindAll(d.List)
	case *ast.FunctionDeclaration:
		s.bind(d.Function.Name, d.Function)
	case *ast.ClassDeclaration:
		s.bind(d.Class.Name, nil)
	default:
		s.others = append(s.others, statement)
	}
	return s.declarations[known:]
}

func (s *scope) bindAll(list []*ast.Binding) {
	for _, b := range list {
		s.bind(b.Target, b.Initializer)
	}
}

// bind declares the names of a binding pattern with their values: {a, b: c} of x gives a the value
// x.a, and c that of x.b.
func (s *scope) bind(target, value ast.Expression) {
	switch t := target.(type) {
	case *ast.Identifier:
		if t != nil { // nil for a class without a name
			s.declarations = append(s.declarations, declaration{t, value})
		}
	case *ast.AssignExpression: // with a default, so the value is not known
		s.bind(t.Left, nil)
	case *ast.ArrayPattern:
		for _, element := range append(t.Elements, t.Rest) {
			s.bind(element, nil)
		}
	case *ast.ObjectPattern:
		for _, property := range t.Properties {
			switch one := property.(type) {
			case *ast.PropertyShort:
				s.bind(&one.Name, nil)
			case *ast.PropertyKeyed:
				key, ok := one.Key.(*ast.StringLiteral)
				if ok && value != nil {
					s.bind(one.Value, &ast.DotExpression{Left: value, Identifier: ast.Identifier{Name: key.Value, Idx: key.Idx}})
				} else {
					s.bind(one.Value, nil)
				}
			}
		}
		s.bind(t.Rest, nil)
	}
}

// functionScope returns the scope of a function: its parameters, and the declarations of its
// statements, including the hoisted ones within blocks.
func functionScope(around *scope, parameters *ast.ParameterList, statements []ast.Statement, hoisted []*ast.VariableDeclaration) *scope {
	s := &scope{around: around}
	for _, b := range parameters.List {
		s.bind(b.Target, nil)
	}
	s.bind(parameters.Rest, nil)
	for _, statement := range statements {
		s.declare(statement)
	}
	for _, v := range hoisted {
		for _, b := range v.List {
			s.bind(b.Target, nil)
		}
	}
	return s
}

// find returns the declaration of a name, and the scope that it is in.
func (s *scope) find(name *ast.Identifier) (declaration, *scope, bool) {
	for ; s != nil; s = s.around {
		for _, d := range s.declarations {
			if d.name.Name == name.Name {
				return d, s, true
			}
		}
	}
	return declaration{}, nil, false
}

// changed returns the names that a program assigns another value, or whose value it changes: by an
// assignment to a part of it, by ++, -- or delete, by push and the like, or by Object.assign.
func changed(tree []ast.Statement) map[unistring.String]bool {
	names := map[unistring.String]bool{}
	change := func(e ast.Expression) {
		for {
			switch of := e.(type) {
			case *ast.DotExpression:
				e = of.Left
				continue
			case *ast.BracketExpression:
				e = of.Left
				continue
			case *ast.Identifier:
				names[of.Name] = true
			}
			return
		}
	}
	visit(reflect.ValueOf(tree), func(node any) {
		switch n := node.(type) {
		case *ast.AssignExpression:
			change(n.Left)
		case *ast.UnaryExpression:
			if n.Operator == token.INCREMENT || n.Operator == token.DECREMENT || n.Operator == token.DELETE {
				change(n.Operand)
			}
		case *ast.CallExpression:
			callee, ok := n.Callee.(*ast.DotExpression)
			switch {
			case !ok:
			case slices.Contains([]unistring.String{"push", "unshift", "splice", "pop", "shift"}, callee.Identifier.Name):
				change(callee.Left)
			case callee.Identifier.Name == "assign" && len(n.ArgumentList) > 0:
				change(n.ArgumentList[0])
			}
		}
	})
	return names
}

// visit calls each for each node of a tree, which no function of sobek does.
func visit(v reflect.Value, each func(node any)) {
	switch v.Kind() {
	case reflect.Interface:
		visit(v.Elem(), each)
	case reflect.Pointer:
		if !v.IsNil() {
			each(v.Interface())
			visit(v.Elem(), each)
		}
	case reflect.Slice:
		if v.Type() == reflect.TypeFor[[]*ast.VariableDeclaration]() {
			return // these declarations stand among the statements, too
		}
		for i := range v.Len() {
			visit(v.Index(i), each)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			visit(v.Field(i), each)
		}
	}
}
