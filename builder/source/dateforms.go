package source

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// parseDate reads a date in any form that the common generators write. A date without a zone is in
// loc. formats are the Go layouts of the site's date_format and of its generator. They go before
// the other forms that do not begin with the year, because only the site knows what 05/06/2018
// means.
func parseDate(s string, loc *time.Location, formats []string) (time.Time, bool) {
	s = strings.TrimSpace(s)
	if t, ok := parseYearFirst(s, loc); ok {
		return t, true
	}
	if t, ok := parseBy(formats, s, loc); ok {
		return t, true
	}
	if t, ok := parseInstant(s); ok {
		return t, true
	}
	return parseInWords(withoutDay(s), loc)
}

// parseInstant reads a number of seconds since 1970, as Hugo does, or of milliseconds, as
// JavaScript does and programs such as Dendron write. It refuses 8, 12 and 14 digits, which may be
// a day, or a day and a time.
func parseInstant(s string) (time.Time, bool) {
	n, err := strconv.ParseInt(s, 10, 64)
	switch {
	case err != nil:
	case n >= 1e8 && n < 1e11:
		return time.Unix(n, 0).UTC(), true
	case n >= 1e12 && n < 1e13 && len(s) == len("1618576200000"):
		return time.UnixMilli(n).UTC(), true
	}
	return time.Time{}, false
}

// parseInWords reads a date that names a month or a zone in words, as people and programs write it.
func parseInWords(s string, loc *time.Location) (time.Time, bool) {
	var inWords []string // layouts
	for _, day := range [...]string{"Jan 2 2006", "January 2 2006", "2 Jan 2006", "2 January 2006", "2006-1-2"} {
		inWords = append(inWords, day, day+" 15:04:05", day+" 15:04", day+" 3:04:05PM", day+" 3:04PM")
	}
	if day, clock, ok := strings.Cut(s, " at "); ok {
		s = day + " " + clock
	}
	s = strings.NewReplacer(", ", " ", "\u202f", " ", "Sept ", "Sep ", "Sept. ", "Sep ").Replace(s)
	s = strings.NewReplacer(" am", "AM", " pm", "PM", " AM", "AM", " PM", "PM", "am", "AM", "pm", "PM").Replace(s)
	others := append(inWords, time.RFC822Z, "Jan 2 15:04:05 -0700 2006", "Jan 2 15:04:05 2006 -0700", "Jan 2 15:04:05 2006", "2 Jan 2006 15:04:05 -0700",
		"Jan 2 2006 15:04:05 GMT-0700", "Jan 2 2006 15:04:05 GMT-0700 MST") // as JavaScript prints it
	if t, ok := parseBy(others, s, loc); ok {
		return t, true
	}
	// Dates with the name of a zone: Go would accept a name whose offset it does not know.
	if f := strings.Fields(s); len(f) == 5 { // as the command date prints it
		if offset, ok := zoneOffset(f[3]); ok {
			if t, err := time.ParseInLocation("Jan 2 15:04:05 2006", strings.Join(append(f[:3:3], f[4]), " "), time.FixedZone("", offset)); err == nil {
				return t, true
			}
		}
	}
	if i := strings.LastIndexByte(s, ' '); i > 0 {
		if offset, ok := zoneOffset(s[i+1:]); ok {
			return parseBy(append(inWords, "02-Jan-06 15:04:05", "02 Jan 06 15:04"), s[:i], time.FixedZone("", offset))
		}
	}
	return time.Time{}, false
}

// parseBy reads a date by the first layout that fits.
func parseBy(layouts []string, s string, loc *time.Location) (time.Time, bool) {
	for _, layout := range layouts {
		if t, err := time.ParseInLocation(layout, s, loc); err == nil {
			return t, true
		}
	}
	return time.Time{}, false
}

// parseMonth reads a month, or a year alone, as its first day.
func parseMonth(s string, loc *time.Location) (time.Time, bool) {
	return parseBy([]string{"2006", "2006-01", "2006/01", "January 2006", "Jan 2006"}, strings.TrimSpace(s), loc)
}

// withClocks returns each of the layouts of days without a time of day, with hours and minutes, and
// with seconds.
func withClocks(days ...string) (layouts []string) {
	for _, day := range days {
		layouts = append(layouts, day, day+" 15:04", day+" 15:04:05")
	}
	return layouts
}

// datesOfJavaScript returns the layouts of dates as JavaScript reads them, the month first.
func datesOfJavaScript() []string {
	return withClocks("1/2/2006", "1-2-2006", "1 2 2006", "1.2.2006", "2006.1.2")
}

// parseDayTooMany reads a day up to the 31st that its month does not have, as Ruby and YAML
// libraries in JavaScript do: the 30th of February is the 2nd of March, or the 1st in a leap year.
func parseDayTooMany(s string, loc *time.Location) (time.Time, bool) {
	const before = len("2006-01-")
	day, rest, ok := digits(s[min(len(s), before):], 2, 2)
	if !ok || day < 29 || day > 31 {
		return time.Time{}, false
	}
	t, ok := parseYearFirst(s[:before]+"01"+rest, loc)
	return t.AddDate(0, 0, day-1), ok
}

// parseCompact reads a date of digits alone, as in the names of notes: 20240317 or 20240317212623.
func parseCompact(s string, loc *time.Location) (time.Time, bool) {
	return parseBy([]string{"20060102", "200601021504", "20060102150405"}, strings.TrimSpace(s), loc)
}

// withoutDay returns a date without the day of the week at its beginning and without the name of a
// zone in parentheses at its end.
func withoutDay(s string) string {
	if day, rest, ok := strings.Cut(s, " "); ok {
		day = strings.TrimSuffix(day, ",")
		for _, layout := range [...]string{"Mon", "Monday"} {
			if _, err := time.Parse(layout, day); err == nil {
				s = strings.TrimLeft(rest, " ")
				break
			}
		}
	}
	if i := strings.Index(s, " ("); i > 0 && strings.HasSuffix(s, ")") {
		s = s[:i]
	}
	return s
}

// parseLoosely reads a date as Ruby does: in a day of digits the year is first or last, with the
// month in the middle; a month may be a word; words between the time of day and the zone are
// skipped.
func parseLoosely(s string, loc *time.Location) (time.Time, bool) {
	const month = `(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)(?:uary|ruary|ch|il|e|y|ust|t|tember|ober|ember)?\.?`
	s = strings.ToLower(withoutDay(s))
	for _, form := range [...]struct{ pattern, day string }{
		{`^(\d{4})([-/.])(\d\d?)([-/.])(\d\d?)`, "$1-$3-$5"},
		{`^(\d\d?)([-/.])(\d\d?)([-/.])(\d{4})`, "$5-$3-$1"},
		{`^(\d\d?)(?:st|nd|rd|th)?[ -]` + month + `,?[ -](\d{4})`, "$3-$2-$1"},
		{`^` + month + ` (\d\d?)(?:st|nd|rd|th)?,? (\d{4})`, "$3-$1-$2"},
	} {
		pattern := regexp.MustCompile(form.pattern + `(?:[t, ]|$)`)
		m := pattern.FindStringSubmatchIndex(s)
		if m == nil || len(m) == 12 && s[m[4]] != s[m[8]] { // the two separators differ
			continue
		}
		read := string(pattern.ExpandString(nil, form.day, s, m))
		if t, err := time.Parse("2006-Jan-2", read); err == nil {
			read = t.Format(time.DateOnly)
		}
		return parseYearFirst(read+looseClock(s[m[1]:]), loc)
	}
	return time.Time{}, false
}

// looseClock returns the time of day at the beginning of s, the text after a date, as
// parseYearFirst reads it: in 24 hours, followed by the zone at the end of s, if there is one. It
// returns "" if there is no time of day.
func looseClock(s string) string {
	m := regexp.MustCompile(`^\s*(\d\d?)(:\d\d(?::\d\d)?)(?:[.,]\d+)?\s*(?:([ap])\.?m\b)?`).FindStringSubmatch(s)
	if m == nil {
		return ""
	}
	hour, _ := strconv.Atoi(m[1])
	if m[3] != "" {
		hour %= 12
	}
	if m[3] == "p" {
		hour += 12
	}
	clock := " " + strconv.Itoa(hour) + m[2]
	if words := strings.Fields(s[len(m[0]):]); len(words) > 0 {
		zone := words[len(words)-1]
		if _, ok := parseZone(zone); ok {
			clock += " " + zone
		}
	}
	return clock
}

// parseYearFirst reads YYYY-M-D, alone or with a time of day and a zone:
// 2006-01-02T15:04:05.999Z, 2013-12-02 7:37:00 -0400, 2017-09-20 22:00 UTC, 2018/5/31.
func parseYearFirst(s string, loc *time.Location) (time.Time, bool) {
	d, s, ok := cutDay(s)
	if !ok || !d.exists() {
		return time.Time{}, false
	}
	if s == "" {
		return d.in(loc), true
	}
	switch s[0] {
	case 'T', 't', ' ', '\t':
		s = strings.TrimLeft(s[1:], " \t")
	default:
		return time.Time{}, false
	}
	clock, s, ok := parseClock(s)
	if !ok {
		return time.Time{}, false
	}
	if s = strings.TrimLeft(s, " \t"); s != "" {
		offset, ok := parseZone(s)
		if !ok {
			return time.Time{}, false
		}
		loc = time.UTC
		if offset != 0 {
			loc = time.FixedZone("", offset)
		}
	}
	// Adding a duration to midnight would be wrong: clocks may change in the night.
	return time.Date(d.year, time.Month(d.month), d.day, 0, 0, int(clock/time.Second), int(clock%time.Second), loc), true
}

// day is a day as it is written. Any month may have 31 days, because Ruby takes the 30th of
// February for a day of March. A day without a year counts as none.
type day struct{ year, month, day int }

func (d day) isZero() bool { return d.year == 0 }

// exists reports whether the month has that many days.
func (d day) exists() bool { return d.day <= daysIn(d.year, d.month) }

// in returns the beginning of the day in a time zone.
func (d day) in(loc *time.Location) time.Time {
	return time.Date(d.year, time.Month(d.month), d.day, 0, 0, 0, 0, loc)
}

// cutDay cuts a day off the front of s: YYYY-M-D or YYYY/M/D.
func cutDay(s string) (d day, rest string, ok bool) {
	d.year, rest, ok = digits(s, 4, 4)
	if !ok || rest == "" || rest[0] != '-' && rest[0] != '/' {
		return day{}, s, false
	}
	sep := rest[0]
	d.month, rest, ok = digits(rest[1:], 1, 2)
	if !ok || rest == "" || rest[0] != sep {
		return day{}, s, false
	}
	d.day, rest, ok = digits(rest[1:], 1, 2)
	return d, rest, ok && 1 <= d.month && d.month <= 12 && 1 <= d.day && d.day <= 31
}

// parseClock cuts a time of day off the front of s: 7:37, 15:04:05.999, 24:00 or 0:0:0.
func parseClock(s string) (clock time.Duration, rest string, ok bool) {
	hour, s, ok := digits(s, 1, 2)
	if !ok || hour > 24 || s == "" || s[0] != ':' {
		return 0, s, false
	}
	minute, s, ok := digits(s[1:], 1, 2)
	if !ok || minute > 59 {
		return 0, s, false
	}
	clock = time.Duration(hour)*time.Hour + time.Duration(minute)*time.Minute
	if s != "" && s[0] == ':' {
		var second int
		if second, s, ok = digits(s[1:], 1, 2); !ok || second > 60 {
			return 0, s, false
		}
		clock += time.Duration(second) * time.Second
		if s != "" && (s[0] == '.' || s[0] == ',') {
			fraction := s[1 : len(s)-len(strings.TrimLeft(s[1:], "0123456789"))]
			if fraction == "" {
				return 0, s, false
			}
			nano, _ := strconv.Atoi((fraction + "000000000")[:9])
			clock += time.Duration(nano)
			s = s[1+len(fraction):]
		}
	}
	return clock, s, clock <= 24*time.Hour
}

// digits cuts a number of min to max digits off the front of s.
func digits(s string, min, max int) (n int, rest string, ok bool) {
	i := 0
	for i < len(s) && i < max && '0' <= s[i] && s[i] <= '9' {
		n = n*10 + int(s[i]-'0')
		i++
	}
	return n, s[i:], i >= min
}

func daysIn(year, month int) int {
	return time.Date(year, time.Month(month)+1, 0, 0, 0, 0, 0, time.UTC).Day()
}

// parseZone reads Z, ±HH, ±HHMM, ±HH:MM, a name that zoneOffset knows, or an offset followed by a
// name, as Go prints a time. It returns seconds east of UTC.
func parseZone(s string) (offset int, ok bool) {
	if offset := strings.TrimPrefix(s, "UTC"); strings.HasPrefix(offset, "+") || strings.HasPrefix(offset, "-") { // UTC+01:00
		s = offset
	}
	if s[0] != '+' && s[0] != '-' {
		return zoneOffset(s)
	}
	sign := 1
	if s[0] == '-' {
		sign = -1
	}
	hours, rest, ok := digits(s[1:], 1, 2)
	if !ok {
		return 0, false
	}
	rest = strings.TrimPrefix(rest, ":")
	minutes := 0
	if rest != "" && rest[0] != ' ' {
		if minutes, rest, ok = digits(rest, 2, 2); !ok {
			return 0, false
		}
	}
	if rest != "" && (rest[0] != ' ' || len(rest) > 6) || hours > 23 || minutes > 59 {
		return 0, false
	}
	return sign * (hours*3600 + minutes*60), true
}

// zoneOf returns the time zone with a name in the IANA database. It refuses names that stand for
// the time zone of the machine, such as Local.
func zoneOf(name string) (zone *time.Location, ok bool) {
	if base := path.Base(name); name == "" || strings.EqualFold(base, "local") || strings.EqualFold(base, "localtime") {
		return nil, false
	}
	zone, err := time.LoadLocation(name)
	return zone, err == nil
}

// zoneOffset returns the offset of a named zone in seconds east of UTC. Like Ruby, and so Jekyll,
// it knows the names of RFC 5322, section 4.3, and others that mean only one zone.
func zoneOffset(name string) (seconds int, ok bool) {
	for _, zone := range [...]struct {
		name  string
		hours int
	}{
		{"Z", 0}, {"UTC", 0}, {"GMT", 0}, {"UT", 0}, {"WET", 0}, {"CET", 1}, {"BST", 1}, {"WEST", 1}, {"CEST", 2}, {"EET", 2}, {"EEST", 3}, {"MSK", 3},
		{"JST", 9}, {"KST", 9}, {"AEST", 10}, {"AEDT", 11}, {"NZST", 12}, {"NZDT", 13},
		{"EDT", -4}, {"EST", -5}, {"CDT", -5}, {"CST", -6}, {"MDT", -6}, {"MST", -7}, {"PDT", -7}, {"PST", -8},
	} {
		if strings.EqualFold(name, zone.name) {
			return 3600 * zone.hours, true
		}
	}
	return 0, false
}

// dateLayout turns a site's date_format, in one of the two common notations (MM/DD/YYYY and
// %m/%d/%Y), into a Go layout. It reports whether that has a year, a month and a day.
func dateLayout(format string) (string, bool) {
	r := strings.NewReplacer("YYYY", "2006", "YY", "06", "MMMM", "January", "MMM", "Jan", "MM", "01", "DD", "02", "M", "1", "D", "2",
		"HH", "15", "H", "15", "hh", "03", "h", "3", "mm", "04", "ss", "05", "A", "PM", "a", "pm")
	if strings.Contains(format, "%") {
		r = strings.NewReplacer("%Y", "2006", "%y", "06", "%B", "January", "%b", "Jan", "%m", "1", "%d", "2", "%e", "2", "%-m", "1", "%-d", "2",
			"%H", "15", "%I", "3", "%M", "4", "%S", "5", "%p", "PM", "%z", "-0700")
	}
	layout := r.Replace(format)
	day := time.Date(2018, 5, 31, 0, 0, 0, 0, time.UTC)
	t, err := time.Parse(layout, day.Format(layout))
	return layout, err == nil && t.Equal(day)
}

// formatOf returns the date_format that would read a date of digits, or "" for any other text. With
// dots, people write the day first; otherwise the first number is taken for the month if it can be
// one.
func formatOf(s string) string {
	if clock, day, ok := strings.Cut(s, " "); ok && formatOf(day) != "" { // as Grav writes them
		if _, err := time.Parse("15:04", clock); err == nil {
			return "HH:mm " + formatOf(day)
		}
	}
	m := regexp.MustCompile(`^(\d\d?|\d{4})([-./])(\d\d?)([-./])(\d\d?|\d{4})( \d\d:\d\d(?::\d\d)?)?$`).FindStringSubmatch(s)
	if m == nil || m[2] != m[4] || len(m[1]) == 4 && m[2] != "." { // a date such as 2018-05-31 needs no date_format, if it is a day
		return ""
	}
	order := "MDY"
	if first, _ := strconv.Atoi(m[1]); len(m[1]) == 4 {
		order = "YMD"
	} else if first > 12 || m[2] == "." {
		order = "DMY"
	}
	as := func(i, group int) string { return strings.Repeat(order[i:i+1], len(m[group])) }
	format := as(0, 1) + m[2] + as(1, 3) + m[2] + as(2, 5) + " HH:mm:ss"[:len(m[6])]
	if slices.ContainsFunc([]string{m[1], m[3], m[5]}, func(n string) bool { return len(n) == 1 }) { // someone who writes 3/13 also writes 12/1
		format = strings.NewReplacer("MM", "M", "DD", "D").Replace(format)
	}
	layout, _ := dateLayout(format)
	if _, err := time.Parse(layout, s); err != nil {
		return ""
	}
	return format
}

// daysTooMany returns the hint for a date such as 2026-02-30, or "" for any other text.
func daysTooMany(s string) string {
	year, s, isYear := digits(s, 4, 4)
	month, s, isMonth := digits(strings.TrimLeft(s, "-/"), 1, 2)
	day, _, isDay := digits(strings.TrimLeft(s, "-/"), 1, 2)
	switch {
	case !isYear || !isMonth || !isDay || month < 1 || day < 1:
		return ""
	case month > 12:
		return "a year has 12 months, and the month comes before the day, as in 2006-01-02"
	case day > daysIn(year, month):
		return fmt.Sprintf("%s %d has %d days", time.Month(month), year, daysIn(year, month))
	}
	return ""
}

// dateInName cuts a date off the front of a file's name, as in 2020-01-31-name or 2020-01-31_name,
// and returns what follows. ok is false if there is no date. In posts a year may have two digits,
// as Ruby reads it.
func dateInName(name string, posts bool) (d day, rest string, ok bool) {
	dated := name
	if posts && len(name) > 2 && name[2] == '-' {
		dated = "20" + name
		if name >= "69" {
			dated = "19" + name
		}
	}
	d, rest, ok = cutDay(dated)
	if !ok || rest != "" && strings.IndexByte("-_ .", rest[0]) < 0 {
		return day{}, name, false
	}
	return d, strings.TrimLeft(rest, "-_ "), true
}

// cutFigures cuts off the front of a post's name the digits that Jekyll takes for a date even if
// they are none, as in 2020-31-01-name. ok is false if there are no such digits.
func cutFigures(name string) (rest string, ok bool) {
	_, rest, ok = digits(name, 2, 4)
	for range 2 {
		if !ok || !strings.HasPrefix(rest, "-") {
			return "", false
		}
		_, rest, ok = digits(rest[1:], 1, 2)
	}
	return strings.CutPrefix(rest, "-")
}
