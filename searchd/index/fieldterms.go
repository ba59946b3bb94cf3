package index

// fieldTerms collects the terms of a field and, one article after another, which terms each article
// has and how often.
type fieldTerms struct {
	*table
	times  []int    // by number: how often the article that is being added has the term
	had    []uint32 // the numbers of the terms of each article, one article after another
	levels []uint8  // the levels of these terms, in a field that is counted
	ends   []int    // where each article ends in had
}

func newFieldTerms() *fieldTerms { return &fieldTerms{table: newTable()} }

// reset removes all terms and articles.
func (t *fieldTerms) reset() {
	t.table.reset()
	t.times, t.had, t.levels, t.ends = t.times[:0], t.had[:0], t.levels[:0], t.ends[:0]
}

// number returns the number of a term, and adds the term if it is new.
func (t *fieldTerms) number(term []byte) uint32 {
	n, added := t.table.number(term)
	if added {
		t.times = append(t.times, 0)
	}
	return n
}

// count adds so many times of a term to the current article.
func (t *fieldTerms) count(n uint32, times int) {
	if t.times[n] == 0 {
		t.had = append(t.had, n)
	}
	t.times[n] += times
}

// mention counts each of the terms, given by their text, once.
func (t *fieldTerms) mention(terms ...string) {
	for _, term := range terms {
		t.count(t.number([]byte(term)), 1)
	}
}

// countBoth counts up to two terms, given by their numbers plus one; 0 is none.
func (t *fieldTerms) countBoth(numbers [2]uint32, times int) {
	for _, n := range numbers {
		if n > 0 {
			t.count(n-1, times)
		}
	}
}

// end ends the current article: it appends the levels of its terms, and resets their counts.
func (t *fieldTerms) end(field string) {
	counted := isCounted(field)
	for _, n := range t.had[t.begin(len(t.ends)):] {
		times := t.times[n]
		t.times[n] = 0
		if field == fieldBegins && times > 1 && !isUnspaced(sharing(t.at(n))) {
			times &^= 3 // rounded down: how often words begin so says little
		}
		if counted {
			t.levels = append(t.levels, levelOf(times))
		}
	}
	t.ends = append(t.ends, len(t.had))
}

// begin returns where an article begins in had.
func (t *fieldTerms) begin(doc int) int {
	if doc == 0 {
		return 0
	}
	return t.ends[doc-1]
}

// lists are the postings of a field: for each term, by its number, the documents that have it and
// how often.
type lists struct {
	docs, begins []uint32
	levels       []uint8 // by place among docs; nil in a field that is not counted
}

// of returns the documents that have a term, and their levels.
func (l *lists) of(n uint32) ([]uint32, []uint8) {
	begin, end := l.begins[n], l.begins[n+1]
	if l.levels == nil {
		return l.docs[begin:end], nil
	}
	return l.docs[begin:end], l.levels[begin:end]
}

// lists inverts the terms of each document into the documents of each term.
func (t *fieldTerms) lists() *lists {
	l := &lists{docs: make([]uint32, len(t.had)), begins: make([]uint32, t.size()+1)}
	if t.levels != nil {
		l.levels = make([]uint8, len(t.had))
	}
	for _, n := range t.had {
		l.begins[n]++
	}
	sum := uint32(0)
	for n, count := range l.begins {
		sum += count
		l.begins[n] = sum // the end for now
	}
	for doc := len(t.ends) - 1; doc >= 0; doc-- {
		begin := t.begin(doc)
		for i, n := range t.had[begin:t.ends[doc]] {
			l.begins[n]--
			l.docs[l.begins[n]] = uint32(doc)
			if l.levels != nil {
				l.levels[l.begins[n]] = t.levels[begin+i]
			}
		}
	}
	return l
}
