package dialect

import "strings"

// table is the state of the table of kramdown or Python-Markdown that is being read.
type table struct {
	ruled   bool // whether the line below its head was read; only for kramdown
	columns int  // how many the line before has, if it may be the head; only for kramdown
	open    bool // whether the line is a row of it
}

// inTable reports whether a line of text is a row of a table. In a code span of a row, a bar is
// code to kramdown and Python-Markdown; in other Markdown it ends the cell, unless it is escaped.
func (t *reader) inTable(line string) bool {
	next, _, _ := strings.Cut(t.following, "\n")
	return strings.Contains(line, "|") && (t.table.open || t.table.ruled || isBelowHead(strings.TrimLeft(next, "> \t")))
}

// escapeBars escapes the bars in the code span of a row.
func escapeBars(span string) string {
	return strings.ReplaceAll(strings.ReplaceAll(span, `\|`, "|"), "|", `\|`)
}

// row returns a line of a kramdown table in the form that other Markdown needs: in kramdown, the
// rule below the head may have + between its columns, and rules may also begin the table and
// separate its rows.
func (t *reader) row(line string, begins bool) string {
	isRule := strings.Contains(line, "-") && strings.Trim(line, "|-:+ \t\r\n") == ""
	first, rest, _ := strings.Cut(t.following, "\n")
	columns := t.table.columns
	t.table.columns = 0
	switch {
	case isRule && columns > columnsOf(line): // with fewer columns, other Markdown sees no table
		t.table.ruled = true
		return indentOf(line) + "|" + strings.Repeat("--|", columns) + "\n"
	case !isRow(line):
		t.table.ruled = false
	case begins && isRule && isRow(first):
		t.head(first+"\n", rest)
		return ""
	case begins && !isRule:
		if t.head(line, t.following); !t.table.ruled {
			t.table.columns = columnsOf(line)
		}
	case t.table.ruled && isRule,
		t.table.ruled && strings.Trim(line, "|=:+ \t\r\n") == "" && strings.Contains(line, "="): // these separate the foot from the rows
		return ""
	case isRule:
		t.table.ruled = true
		return strings.ReplaceAll(line, "+", "|")
	}
	return line
}

// head writes an empty head before the first row of a table, unless the table has a head. Other
// Markdown has no tables without one.
func (t *reader) head(first, following string) {
	second, _, _ := strings.Cut(following, "\n")
	if t.table.ruled = !isBelowHead(first) && !isBelowHead(second); !t.table.ruled {
		return
	}
	columns := columnsOf(first) // the most of any row: other Markdown drops cells beyond the head
	for row := range strings.Lines(following) {
		if strings.TrimSpace(row) == "" {
			break
		}
		columns = max(columns, columnsOf(row))
	}
	indent := indentOf(first)
	t.out.WriteString(indent + "|" + strings.Repeat("  |", columns) + "\n" + indent + "|" + strings.Repeat("--|", columns) + "\n")
}

// isBelowHead reports whether a row of a table is the rule below its head.
func isBelowHead(row string) bool {
	row = strings.TrimSpace(row)
	return strings.ContainsAny(row, "|+") && strings.Contains(row, "-") && strings.Trim(row, "|-:+ \t") == ""
}

// columnsOf counts the cells of a row.
func columnsOf(row string) int {
	row = strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(row), "|"), "|")
	columns := 1
	for at := 0; at < len(row); at++ {
		switch row[at] {
		case '\\':
			at++
		case '|':
			columns++
		case '`':
			at += spanLength(row[at:]) - 1
		}
	}
	return columns
}

// isRow reports whether a line is the row of a table: it begins with |, and need not end with it.
func isRow(line string) bool {
	line = strings.TrimSpace(line)
	return len(line) > 2 && line[0] == '|'
}
