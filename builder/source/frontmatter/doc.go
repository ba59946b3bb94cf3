// Package frontmatter parses front matter, which authors write above their articles: YAML between
// --- lines, TOML between +++ lines, JSON in braces, JavaScript constants, as in Eleventy, a head
// of keys without fences, as in Pelican, MkDocs, Nikola, Pandoc and JBake, the exports of MDX, as
// for Next.js, or the properties of Logseq. All become a [Value], in which each value keeps its
// line and column, for messages about it. The package does not know what the keys mean.
//
// A fence is whatever Hugo, Jekyll, Zola, Eleventy or Astro reads as one: it may follow a byte
// order mark or empty lines, have the first key on its line, be six dashes long, or be "..." at the
// end of YAML. The package accepts more than the specifications do, because it is better to hide an
// article than to read its draft key as text.
//
// YAML is parsed by go.yaml.in/yaml/v3, TOML by go-toml, JSON by the standard library, JavaScript
// by package script; plain.go is a fast path for most YAML, which either returns what the YAML
// package would return or gives up. All are bounded: see [MaxBytes].
package frontmatter
