// Package script reads programs in JavaScript or TypeScript without running them: configurations of
// site generators, and front matter. An expression that is written out has a known [Value]. Any
// other is [Computed]: only its place and the values that it is computed from are known.
//
// These count as written out: strings, numbers, booleans, lists and objects of them; variables of
// the same file that do not change, by name or spread; template literals, concatenated strings and
// paths made of them (path.join and path.resolve, also from __dirname); dates made from a string
// (new Date); comparisons of process.env with "production" or "development", as in a build for
// readers; and calls of a function of the file that does nothing but return one of these.
//
// The steps are those of k6:
//
//  1. esbuild turns the program into plain JavaScript without types. It shortens names, because
//     keeping them takes a time cubic in the nesting of functions; the source map has the names
//     that the author gave.
//  2. The parser of sobek parses that into a syntax tree (program.go).
//  3. The values asked for are read from the tree (read.go), with their places from the source map.
//
// [Statements] finds the end of imports and exports in a text of MDX without any of these steps.
//
// Neither library bounds how deep a program nests, so a program is bounded: see [MaxBytes].
package script
