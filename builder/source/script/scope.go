package script

import (
	"github.com/grafana/sobek/ast"
	"github.com/grafana/sobek/token"
)

// A scope has what the statements of a function, or of the whole program, declare.
type scope struct {
	around       *scope
	declarations []declaration
	others       []ast.Statement // that declare nothing
}

// A declaration gives a name its value, or the first that it has.
type declaration struct {
	name     *ast.Identifier
	value    ast.Expression // nil where it is not known
	constant bool
}

// declare notes what a statement declares, and returns it.
func (s *scope) declare(statement ast.Statement) []declaration {
	known := len(s.declarations)
	switch d := statement.(type) {
	case *ast.LexicalDeclaration:
		s.bindAll(d.List, d.Token == token.CONST)
	case *ast.VariableStatement:
		s.bindAll(d.List, false)
	case *ast.FunctionDeclaration:
		s.bind(d.Function.Name, d.Function, true)
	case *ast.ClassDeclaration:
		s.bind(d.Class.Name, nil, true)
	default:
		s.others = append(s.others, statement)
	}
	return s.declarations[known:]
}

func (s *scope) bindAll(list []*ast.Binding, constant bool) {
	for _, b := range list {
		s.bind(b.Target, b.Initializer, constant)
	}
}

// bind gives the names of a target their values: {a, b: c} of x has x.a and x.b.
func (s *scope) bind(target, value ast.Expression, constant bool) {
	switch t := target.(type) {
	case *ast.Identifier:
		if t != nil { // else it is a class without a name
			s.declarations = append(s.declarations, declaration{t, value, constant})
		}
	case *ast.AssignExpression: // where it has none
		s.bind(t.Left, nil, false)
	case *ast.ArrayPattern:
		for _, element := range append(t.Elements, t.Rest) {
			s.bind(element, nil, false)
		}
	case *ast.ObjectPattern:
		for _, property := range t.Properties {
			switch one := property.(type) {
			case *ast.PropertyShort:
				s.bind(&one.Name, nil, false)
			case *ast.PropertyKeyed:
				key, ok := one.Key.(*ast.StringLiteral)
				if ok && value != nil {
					s.bind(one.Value, &ast.DotExpression{Left: value, Identifier: ast.Identifier{Name: key.Value, Idx: key.Idx}}, constant)
				} else {
					s.bind(one.Value, nil, false)
				}
			}
		}
		s.bind(t.Rest, nil, false)
	}
}

// functionScope has what a function declares: its parameters, and what its statements do, within blocks, too.
func functionScope(around *scope, parameters *ast.ParameterList, statements []ast.Statement, hoisted []*ast.VariableDeclaration) *scope {
	s := &scope{around: around}
	for _, b := range parameters.List {
		s.bind(b.Target, nil, false)
	}
	s.bind(parameters.Rest, nil, false)
	for _, statement := range statements {
		s.declare(statement)
	}
	for _, v := range hoisted {
		for _, b := range v.List {
			s.bind(b.Target, nil, false)
		}
	}
	return s
}

// find returns what declares a name, and where.
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
