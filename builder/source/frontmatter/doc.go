// Package frontmatter parses front matter, which authors write above their articles: YAML between
// lines ---, TOML between +++, JSON in braces, constants of JavaScript, as Eleventy has them, a
// head of keys without fences, as Pelican, MkDocs, Nikola and JBake have it, or what MDX exports,
// as for Next.js. All become a [Value]. Each value keeps its place, for messages about it. What the
// keys mean is not known here.
//
// Fences are whatever Hugo, Jekyll, Zola, Eleventy or Astro read as such: behind a byte order mark
// or empty lines, with the first key on the same line, ended by "..." in YAML, or by six dashes.
// Where these and the specifications differ, it is better to hide an article than to read its draft
// key as text.
//
// YAML is parsed by go.yaml.in/yaml/v3, TOML by go-toml, JSON by the standard library, JavaScript
// by package script; plain.go is a fast path for most YAML that gives what the YAML package gives,
// or gives up. All are bounded: see [MaxBytes].
package frontmatter
