// Package markdown renders articles: it turns Markdown (CommonMark with GitHub's tables, footnotes
// and definition lists) or HTML into sanitised HTML and plain text. It knows neither files nor
// sites. Package dialect removes template code and other dialects of Markdown beforehand.
//
// goldmark parses Markdown, with bounds on what would take it quadratic time or memory. bluemonday
// sanitises HTML: it lets through what articles need and nothing that runs. Then the finisher makes
// addresses absolute and gathers the text, both in one pass.
//
// There are two fast paths: one parses text without marks, and one renders a parsed document
// without the sanitiser, which only the author's own HTML needs. Both give what goldmark and the
// sanitiser give, byte for byte; if they cannot be sure of that, they give up, and those two do the
// work.
//
// # Word counts
//
// A word is a run of letters and digits, perhaps with apostrophes, hyphens, dots or underscores in
// it. Chinese, Japanese, Thai, Lao, Khmer and Burmese have no spaces between words: there, two
// letters count as one word, because they take about as long to read.
//
// # Source files
//
//	markdown, bounds          how a text is rendered, and what would take too long
//	policy, sanitise, text    what HTML may have, and its finisher, which also makes the plain text
//	prose, direct             the fast paths
//	addresses, links          bare addresses, and names of links that are defined elsewhere
//	headings, ids, state      the ids of headings, as each generator makes them, and links to them
//	lenient, tildes, marks    where emphasis begins and ends, and marks as in H~2~O
//	math, languages           formulas, and the languages of code
//	tags, lineends            HTML within text, and line ends in Chinese and Japanese
//	elements, words           kinds of HTML elements, and the number of words
package markdown
