// Package dialect makes of a text, as its author wrote it for one program, Markdown that all
// programs read alike. What a reader would see of the program's own marks stays; where only the
// whole site tells what that is, nothing stays. It knows neither files nor sites.
//
// # Template languages (template.go)
//
// What stands between tags is text and stays. Blocks and spans of code stay byte for byte, but
// for the escapes of the program itself: there it would show them otherwise, too.
//
//	Hugo     {{< x >}} {{% x %}}; {{</* x */>}} shows {{< x >}}, in code as well; highlight
//	         becomes a fenced block, figure a picture, ref and relref the path of a file; comment and
//	         x.inline go with what they hold
//	Jekyll   {% x %} {{ x }} {: x} {::comment} x {:/}; what is between raw and endraw stays, comments go,
//	         highlight becomes a fenced block, link and post_url the path of a file, and
//	         {{ "text" | relative_url }} its text, {{ page.title }} that of the front matter;
//	         tags of raw go from code as well
//	Zola     {{ x() }} {% x() %} … {% end %} {# x #}; {{/* x() */}} and {%/* x() */%} show
//	         themselves without the slashes and stars, in code as well
//	others   all of these and {/* x */}
//
// # Other marks
//
//	boxes.go    boxes, attributes and abbreviations: > [!NOTE], ::: note, !!! note, {.class #id}, *[HTML]: meaning
//	tables.go   tables of kramdown
//	notes.go    [[links]], %% comments %% and ==marks== of programs for notes
//	mdx.go      imports, {expressions}, <Components> and HTML of MDX
//	words.go    <Components title="with words">
//	tabs.go     the labels of <Tabs>
//
// All are read line by line, by what a line is (lines.go, html.go) and without parsing the
// Markdown. What begins on one line may end on a later one, up to 64 kB behind it; reading is
// linear in the length of the text, whatever is in it.
package dialect
