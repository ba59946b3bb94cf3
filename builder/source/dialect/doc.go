// Package dialect turns a text written for one program, such as a site generator, into Markdown
// that all programs read alike. It replaces the program's own syntax with what a reader of the site
// would see, or drops it if only the whole site could tell what that is. It knows neither files nor
// sites.
//
// # Template languages (template.go, shortcodes.go, shown.go, zola.go)
//
// Text between tags is kept. Code blocks and code spans are kept byte for byte, except for what the
// program replaces in code as well: its escapes, shortcodes of Hugo and Zola, and Jekyll's raw
// tags.
//
//	Hugo     {{< x >}} {{% x %}}; {{</* x */>}} shows {{< x >}}, even in code; highlight
//	         becomes fenced code, figure a picture, ref and relref the path of a file, param a value of
//	         the front matter or the site; comment and x.inline are dropped with their contents
//	Jekyll   {% x %} {{ x }} {: x} {::comment} x {:/}; text between raw and endraw stays, comments are dropped,
//	         highlight becomes fenced code, link and post_url the path of a file,
//	         {{ "/x" | relative_url }} and {{ site.baseurl }}/x a path of the site, {{ page.title }} the title in the front matter,
//	         {{ site.x }} a value of the configuration, {{ x }} the text that {% assign x = "text" %} gave it,
//	         {% include x title="text" %} of a file that is not known what readers see of its parameters;
//	         a link that begins with any other value of site.data or site.github has no address;
//	         raw tags are dropped from code, too; Bridgetown also has the tag <% x %>
//	Zola     {{ x() }} {% x() %} … {% end %} {# x #}; {{/* x() */}} and {%/* x() */%} show
//	         themselves without the slashes and stars, even in code
//	others   all of these and {/* x */}; a block between set or capture and its end tag becomes fenced code if its variable
//	         goes to the filter highlight or has "code" in its name; so does the text between a tag such as codeblock and its end tag;
//	         a link that begins with {{ site.x }} has no address, unless x is like the site's own address by its name
//
// # Other syntax
//
//	boxes.go       boxes and abbreviations: > [!NOTE], !!! note, *[HTML]: meaning
//	               and marks that include files: --8<-- "file"
//	containers.go  ::: note, ::name and :name[text]
//	attributes.go  {.class #id} and {:.class}
//	headings.go    # Heading {#id} and # Heading [#id], and #Heading without a space
//	hexo.go        {% post_link file title %} of Hexo, {% label class@text %} of its themes
//	docfx.go       :::image source="a.png"::: and [!INCLUDE [name](a.md)] of DocFX
//	myst.go        ```{note} and {ref}`text <label>` of MyST, ```admonish of mdBook, ```warn of javascript.info,
//	               ```mdx-code-block of Docusaurus
//	keys.go        ++ctrl+c++
//	tables.go      tables of kramdown
//	notes.go       [[links]], %% comments %% and ==marks== of note-taking programs
//	logseq.go      properties:: and ((blocks)) of Logseq
//	mdx.go         imports, {expressions} and HTML of MDX
//	vue.go         v-pre of Vue
//	element.go     <Components>
//	words.go       <Components title="with words">
//	tabs.go        the labels of <Tabs>
//
// All of these are read line by line, without parsing the Markdown (reader.go): lines.go, code.go
// and html.go tell text from code and HTML. Syntax that begins on one line may end on a later one,
// up to 64 KiB after it. The time is linear in the length of the text, whatever it holds.
package dialect
