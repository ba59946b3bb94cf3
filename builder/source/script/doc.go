// Package script reads programs in JavaScript or TypeScript without running them: configurations of site generators, and
// front matter. What is written out in one has a known [Value]; all else is [Computed], of which only the place is known,
// and the values that it is computed of.
//
// Written out are texts, numbers, true and false, lists and objects of them; the variables of the same file that they name,
// where they do not change, and what is spread into them from there; templates, sums and paths of texts (path.join and
// path.resolve, from __dirname, too), and dates of a text (new Date); and what a function of the file returns that does nothing else.
//
// The steps, as k6 has them:
//
//  1. esbuild turns the program into plain JavaScript, which takes its types away. It shortens names, since to keep them
//     takes the cube of how deep functions nest; the names that the author gave are in its source map.
//  2. The parser of sobek makes a syntax tree of that (program.go).
//  3. What is asked for is read from the tree (value.go), with the place that the source map knows.
//
// Where imports and exports end that stand in a text of MDX, [Statements] tells without any of these.
//
// Neither library bounds how deep a program nests, so a program is bounded: see [MaxBytes].
package script
