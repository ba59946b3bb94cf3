package script

import (
	"fmt"
	"strings"
	"testing"
)

// short writes a value for the tables below: a computed one as ? with the values that it is
// computed from.
func short(v Value) string {
	items := make([]string, len(v.Items))
	for i, item := range v.Items {
		items[i] = short(item)
	}
	of := strings.Join(items, " ")
	switch v.Kind {
	case Text:
		return fmt.Sprintf("%q", v.Text)
	case List:
		return "[" + of + "]"
	case Object:
		var fields []string
		for _, f := range v.Fields {
			fields = append(fields, f.Key+": "+short(f.Value))
		}
		if of != "" {
			fields = append(fields, "..."+of)
		}
		return "{" + strings.Join(fields, ", ") + "}"
	case Nothing:
		return "null"
	case Computed:
		for _, call := range v.Calls {
			of += "; " + short(call)
		}
		if of != "" {
			of = "(" + of + ")"
		}
		return "?" + v.Name + of
	}
	return v.Text
}

func TestValues(t *testing.T) {
	for _, test := range []struct{ source, want string }{
		// literals
		{`export default {a: 'b', "c-d": "e\n\u{1F600}", 1: [true, false, null, undefined, 1.50, -2, 1_000]}`, `{a: "b", c-d: "e\n😀", 1: [true false null null 1.5 -2 1000]}`},
		{"export default `a${1}b${'c'}`", `"a1bc"`},
		{"export default tag`a${b}`", "?tag(?b)"},
		{"export default `a${b}c`", `?("a" ?b)`},
		{`export default 'a' + "b" + 1`, `"ab1"`},
		{`export default [, 'a']`, `[? "a"]`},
		{`export default (c) => { if (d) { c.e('x') } else if (c.f()) c.g('y') }`, `?(; ?c.e(?c "x"); ?c.g(?c "y"))`},
		// constants
		{`const a = 'x', b = [a, 'y']; export default {a, b, c: [...b, 'z'], ...{d: 1, a: 2}}`, `{a: 2, b: ["x" "y"], c: ["x" "y" "z"], d: 1}`},
		{`const o = {a: {b: 'x'}}; const {a, c: d} = o; export default [o.a.b, o['a'].b, a.b, d]`, `["x" "x" "x" ?o.c]`},
		{`const a = b, b = a; export default a`, "?a"},
		{`let a = 'x'; var b; export default [a, b, c]`, `["x" ?b ?c]`},
		{`let a = 'x', b = a; if (b) { a = 'y' } export default [a, b]`, `[?a("x") ?a("x")]`},
		{`const a = ['x'], b = [], c = {}, d = {e: {}}; if (f) a.push('y'); Object.assign(c, g); d.e.h = 1; export default [a, b, c, d]`, `[?a(["x"]) [] ?c({}) ?d({e: {}})]`},
		{`let a = 1; const b = {c: ['x']}; a++; delete b.c; export default [a, b]`, `[?a(1) ?b({c: ["x"]})]`},
		{`enum A { b = 'x' } export default A.b`, `"x"`},
		// paths
		{`import p, {join} from "node:path"; export default [p.join("a", "../b"), join(__dirname, "c"), p.resolve("d", "e")]`, `["b" "/site/c" "d/e"]`},
		{`const path = require('path'), {resolve} = require('path'); export default [path.resolve('x', __dirname, '../docs'), resolve('a'), path.join(x)]`, `["/docs" "a" ?path.join(?require("path") ?x)]`},
		{`import * as path from 'path'; export default path.posix.join(import.meta.dirname, 'a') + path.join(process.cwd(), 'b')`, `"/site/ab"`},
		{`import {dirname} from 'path'; import {fileURLToPath as f} from 'node:url'; const __dirname = dirname(f(import.meta.url)); export default [__dirname + '/a', new URL('../b', import.meta.url), new URL('https://example.org')]`, `["/site/a" "/b" ?URL("https://example.org")]`},
		{`const resolve = (a) => other(a); export default resolve('a')`, `?other(?a)`},
		// dates
		{`export default [new Date('2020-01-02'), new Date(a), new Date(2020, 1), new Date()]`, `["2020-01-02" ?Date(?a) ?Date(2020 1) ?Date]`},
		// types
		{`import type {C} from 'x'; const a: string[] = ['x'] as const; const c = <C>{a}; export default c satisfies C`, `{a: ["x"]}`},
		{`const a = {b: 1}; export = a`, "{b: 1}"},
		// exports
		{`const config = {a: 1}; module.exports = config`, "{a: 1}"},
		{`module.exports = exports = {a: 1}`, "{a: 1}"},
		{`const c = {a: 1}; export { c as default }`, "{a: 1}"},
		{`export default defineConfig({a: 1})`, "?defineConfig({a: 1})"},
		{`export default withA(defineConfig({a: 1}), ...b)`, "?withA(?defineConfig({a: 1}) ?b)"},
		{``, "?"},
		// functions
		{`export default async function config() { const a = 'x'; return {a} }`, `?({a: "x"})`},
		{`module.exports = (api) => ({a: api.b})`, `?({a: ?api.b})`},
		{`export default () => { api.set('x'); if (a) { return 1 } return {b: 2} }`, `?({b: 2}; ?api.set(?api "x"))`},
		{`const f = () => ({a: 1}); function g() { return ['x'] } export default [f(), g(), (() => 'y')()]`, `[{a: 1} ["x"] "y"]`},
		{`function f(a) { if (a) { return 1 } return 2 } export default f(3)`, "?f(2 3)"},
		{`const a = 'x'; export default () => { for (;;) { var b = 1; const c = 2 } return [a, b] }`, `?(["x" ?b])`},
		{`const a = 'x', f = (a) => [a], g = ({b: a, ...c}, [d], e = 1) => [a, c, d, e]; export default [f('y'), g(a)]`, `[[?a] [?a ?c ?d ?e]]`},
		{`export default await f({a: 1})`, "?f({a: 1})"},
		// what is computed
		{`export default a ? ['x'] : b && ['y']`, `?(["x"] ?(?b ["y"]))`},
		{`export default [...a, ...(b ? ['x'] : [])]`, `[?(?a) ?(?(["x"] []))]`},
		{`export default {...a, b: c(), ...(d && {e: 1}), [f]: 2, g() {}}`, `{b: ?c, g: ?, ...?a ?(?d {e: 1}) 2}`},
		{`export default ['a', b].filter(Boolean)`, `?filter(["a" ?b] ?Boolean)`},
		{`export default !a + new URL('a', b)`, `?(?(?a) ?URL("a" ?b))`},
	} {
		p, err := Parse("site/a.config.ts", []byte(test.source))
		if err != nil {
			t.Errorf("%s: %v", test.source, err)
			continue
		}
		if got := short(p.Default()); got != test.want {
			t.Errorf("%s\n got %s\nwant %s", test.source, got, test.want)
		}
	}
}

// Values have the place where the author wrote them, in characters, however esbuild has changed the
// program.
func TestPlaces(t *testing.T) {
	const source = "// é\r\nimport type {A} from 'a';\nconst list: string[] = ['x'];\n" +
		"export default defineConfig({\n\té: '😀', a: f(), // b\n\tb: list, c: [1,\n ...d], e: x ? 'y' : {},\n\t'f': await g.h(),\n} satisfies A)"
	p, err := Parse("a.ts", []byte(source))
	if err != nil {
		t.Fatal(err)
	}
	config := p.Default().Items[0]
	var places []string
	for _, f := range config.Fields {
		place := fmt.Sprintf("%d:%d %s %d:%d", f.Line, f.Column, f.Key, f.Value.Line, f.Value.Column)
		for _, item := range f.Value.Items {
			place += fmt.Sprintf(" %d:%d", item.Line, item.Column)
		}
		places = append(places, place)
	}
	if got, want := strings.Join(places, ", "), "5:2 é 5:5, 5:10 a 5:13, 6:2 b 6:5 3:25, 6:11 c 6:14 6:15 7:5, 7:9 e 7:12 7:16 7:22, 8:2 f 8:7 8:13"; got != want || config.Line != 4 || config.Column != 29 {
		t.Errorf("%d:%d %s\nwant 4:29 %s", config.Line, config.Column, got, want)
	}
}

// A mistake has its place, and a program that is too long, or has too many commas, is refused.
func TestMistakes(t *testing.T) {
	for source, want := range map[string]string{
		"const a = {\n\té: ;\n}":                 `2:5: Unexpected ";"`,
		"export default <%= a %>":                `1:17: `,
		"await = 1; export {}":                   `1:7: `,
		strings.Repeat("!", MaxBytes+1):          "1:1: it is longer than 64 kB",
		"[" + strings.Repeat("0,", 10_001) + "]": "1:1: it has more than 10000 commas",
	} {
		p, err := Parse("a.ts", []byte(source))
		if err == nil || !strings.HasPrefix(fmt.Sprintf("%d:%d: %s", err.Line, err.Column, err.What), want) {
			t.Errorf("%.40q: %v, want %s", source, err, want)
		}
		if v := p.Default(); v.Kind != Computed || p.Declarations() != nil {
			t.Errorf("%.40q says %v", source, v)
		}
	}
}

// Programs that nest as deep as they can, or use their constants again and again, take a bounded
// time: with long names the arrows took a minute, and 250 kB of ! crashed the process.
func TestHostilePrograms(t *testing.T) {
	for name, source := range map[string]string{
		"not":     "export default " + strings.Repeat("!", 64_000) + "1",
		"arrows":  "export default " + strings.Repeat("a=>", 10_000) + "1",
		"lists":   "export default " + strings.Repeat("[", 32_000) + strings.Repeat("]", 32_000),
		"objects": "export default " + strings.Repeat("{a:", 15_000) + "1" + strings.Repeat("}", 15_000),
		"members": "export default a" + strings.Repeat(".a", 30_000),
		"blocks":  strings.Repeat("{let a;", 8_000) + strings.Repeat("}", 8_000),
		"ifs":     strings.Repeat("if(1)", 12_000) + "1",
		"names":   "const a = b.c, b = a.d; export default a",
		"commas":  "export default (1" + strings.Repeat(",a", 9_000) + ")",
		"calls":   "const f = () => g(f(), f()), g = () => f(f(), g()); export default f()",
		"texts":   "const a = '" + strings.Repeat("x", 50_000) + "'" + doubled(60, "%s + %s") + "; export default a59",
		"spreads": "const a = [1, 1]" + doubled(60, "[...%s, ...%s]") + "; export default a59",
	} {
		t.Run(name, func(t *testing.T) {
			p, err := Parse("a.ts", []byte(source))
			if err != nil {
				t.Fatal(err)
			}
			count, bytes := 0, 0
			for part := range p.Default().Parts() {
				count++
				bytes += len(part.Text)
			}
			if count > 2*mostParts || bytes > 100*mostParts {
				t.Errorf("it has %d parts, and %d bytes of text", count, bytes)
			}
		})
	}
}

// doubled returns constants each of which has the one before twice.
func doubled(count int, twice string) (source string) {
	before := "a"
	for i := range count {
		source += fmt.Sprintf(", a%d = "+twice, i, before, before)
		before = fmt.Sprintf("a%d", i)
	}
	return source
}

// Imports and exports end at an empty line, but not at one within brackets; brackets in quotes,
// templates and comments do not count.
func TestStatements(t *testing.T) {
	for _, c := range []struct{ statements, rest string }{
		{"import a from 'b'\n", "\nText (a"},
		{"export const a = {\n\nb: [\n\n]}\n", " \nText"},
		{"export const a = ':(', b = \"{\", c = `\n\n(`\n", "\nText"},
		{"export const a = 1 // don't (\n", "\nText"},
		{"export const a = /* {\n\n */ 1\n", "\nText"},
		{"export const A = () => <p>don't {b}</p>\n", "\nText"},
		{"export const a = /[(]/\n", "\nexport const b = 1\n\nText"}, // brackets that seem not to close
		{"export const a = '/*'\n", "\nText"},
		{"export const a = 1", ""},
		{"export const a = 1 // (", ""},
		{"export const a = 'don\n", "\nit's"},
		{"export const a = /`/, b = /* {\n\n */ 1\n", "\nText"},
	} {
		if length, _ := Statements(c.statements + c.rest); length != len(c.statements) {
			t.Errorf("%q is left of %q, want %q", (c.statements + c.rest)[length:], c.statements+c.rest, c.rest)
		}
	}
}

// Whatever a program holds, it is parsed or has a mistake on one of its lines, and its values are
// on its lines.
func FuzzParse(f *testing.F) {
	for _, source := range []string{
		"export default defineConfig({a: ['b', `c${1}`], ...d, e: () => ({f: 1})} satisfies A)",
		"const {a, b: [c]} = require('path'); module.exports = async function (x) { x.y('z'); return a.join(__dirname, 'w') }",
		"import p, {join as j} from 'node:path'; export const q = j('a', p.resolve('b')), r = 1 + 'c'; export { q as default }",
		"enum A { b = 1 } namespace C { export const d = A.b } export = {C}", "export default class {}", "export default function () {}", "let a; export { a as b }; export * from 'c'",
		"// a\u2028const a = 1\u2028", "#!/usr/bin/env node\n'use strict'", "for await (const a of b) {}; [a, ...b] = c; ({a, ...b} = c)",
	} {
		f.Add([]byte(source))
	}
	f.Fuzz(func(t *testing.T, source []byte) {
		if len(source) > 10_000 {
			t.Skip()
		}
		lines := 1 + strings.Count(string(source), "\n")
		p, err := Parse("a/b.ts", source)
		if err != nil {
			if err.Line < 1 || err.Line > lines || err.Column < 1 || err.What == "" {
				t.Errorf("%+v", err)
			}
			return
		}
		values := []Value{p.Default(), p.Export("a")}
		for _, d := range p.Declarations() {
			values = append(values, d.Value)
		}
		for _, v := range values {
			for part := range v.Parts() {
				if part.Line < 0 || part.Line > lines || part.Column < 0 {
					t.Errorf("%+v is in none of %d lines", part, lines)
				}
			}
			v.Get("a")
			v.Texts()
		}
	})
}
