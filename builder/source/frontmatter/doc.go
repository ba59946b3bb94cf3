// Package frontmatter reads what authors write above their articles: YAML between lines ---,
// TOML between +++, JSON in braces, or a head of keys without fences, as Pelican, MkDocs and Nikola
// have it, constants of JavaScript, as Eleventy has them, or what MDX exports, as for Next.js. All become one kind of [Value], and each value keeps its place, for
// messages about it. What the keys mean is not known here.
//
// Fences are those that Hugo, Jekyll, Zola, Eleventy and Astro read as such: behind a byte order
// mark or empty lines, with the first key on the same line, ended by "..." in YAML, or by six
// dashes. Where they and the specifications differ, an article stays hidden rather than that its
// draft key is read as text.
//
// YAML is that of go.yaml.in/yaml/v3, TOML that of go-toml, JSON that of the standard library, JavaScript that of package script;
// plain.go is a fast path for most YAML that gives what the YAML package gives, or gives up.
// All are bounded: see [MaxBytes].
package frontmatter
