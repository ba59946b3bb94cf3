package edge

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
)

// Rules are the redirects and headers of a netlify.toml. They do not change and may
// be used by many goroutines.
type Rules struct {
	redirects []redirect
	headers   []headerRule
}

// RuleErrors are the mistakes in a netlify.toml, in the order of their lines.
type RuleErrors []RuleError

// Error has each mistake on a line, as "line 12: what (hint)".
func (all RuleErrors) Error() string {
	lines := make([]string, len(all))
	for i, e := range all {
		lines[i] = fmt.Sprintf("%s (%s)", e.What, e.Hint)
		if e.Line > 0 {
			lines[i] = fmt.Sprintf("line %d: %s", e.Line, lines[i])
		}
	}
	return strings.Join(lines, "\n")
}

// A RuleError is one mistake.
type RuleError struct {
	// Line is counted from 1; 0 where it is not known.
	Line int
	// What is wrong, and Hint how to fix it. Neither ends with a full stop.
	What, Hint string
}

// redirect is one [[redirects]] table, ready to match.
type redirect struct {
	pattern pattern
	query   []parameter // those that must be there, sorted by name
	to      target
	status  int
	force   bool
	headers map[string]string // sent along with a forwarded request
}

// parameter is one of a query; its value is a literal or ":placeholder".
type parameter struct{ name, value string }

// forwards reports whether the rule hands the request to another server.
func (r *redirect) forwards() bool {
	return r.status == http.StatusOK && isAddress(r.to[0])
}

// redirects reports whether the rule tells the client to ask elsewhere.
func (r *redirect) redirects() bool { return r.status >= 300 && r.status < 400 }

// headerRule is one [[headers]] table.
type headerRule struct {
	pattern pattern
	values  map[string]string // by canonical name
}

// pattern matches paths. Its captures are named, the splat "splat".
type pattern struct {
	expr  *regexp.Regexp
	names []string // of the captures, in order
}

// match returns the captures of a decoded path.
func (p pattern) match(path string) (map[string]string, bool) {
	m := p.expr.FindStringSubmatch(path)
	if m == nil {
		return nil, false
	}
	captures := make(map[string]string, len(p.names))
	for i, name := range p.names {
		if _, ok := captures[name]; !ok { // of a name used twice, the first counts
			captures[name] = m[i+1]
		}
	}
	return captures, true
}

// target is a path or an address, escaped: literals at even indices, the names of placeholders at
// odd ones.
type target []string

func newTarget(to string) target {
	host := 0 // a port is no placeholder
	if isAddress(to) {
		_, path, _ := strings.Cut(strings.SplitAfterN(to, "//", 2)[1], "/")
		host = len(to) - len(path)
	}
	var t target
	from := 0
	for _, at := range regexp.MustCompile(placeholder).FindAllStringIndex(to[host:], -1) {
		t = append(t, to[from:host+at[0]], to[host+at[0]+1:host+at[1]])
		from = host + at[1]
	}
	return append(t, to[from:])
}

// fill puts the captures into a target. Each is one escaped segment; only the splat
// keeps its slashes.
func (t target) fill(captures map[string]string) string {
	var b strings.Builder
	for i, s := range t {
		switch {
		case i%2 == 0:
			b.WriteString(s)
		case s != splat:
			b.WriteString(url.PathEscape(captures[s]))
		default:
			for i, segment := range strings.Split(captures[s], "/") {
				if i > 0 {
					b.WriteByte('/')
				}
				b.WriteString(url.PathEscape(segment))
			}
		}
	}
	if isAddress(t[0]) {
		return b.String()
	}
	// "//host" would be an address, chosen by whoever asks.
	return "/" + strings.TrimLeft(b.String(), "/")
}

// placeholder is the form of a placeholder.
const placeholder = `:[A-Za-z_][A-Za-z0-9_]*`

// splat is the name of what "*" matched.
const splat = "splat"

// newPattern compiles a path with placeholders and splats. Stars inside a segment
// ("*.gz") are for header rules only; the engine's reading of them in redirects
// differs from place to place.
func newPattern(path string, innerStars bool) (pattern, error) {
	var p pattern
	var expr strings.Builder
	expr.WriteString("(?s)^")
	name := regexp.MustCompile("^" + placeholder + "$")
	for segment := range strings.SplitSeq(strings.Trim(path, "/"), "/") {
		switch {
		case segment == "*":
			if slices.Contains(p.names, splat) && !innerStars {
				return p, errors.New("has more than one *")
			}
			expr.WriteString("(?:/(.*))?")
			p.names = append(p.names, splat)
		case name.MatchString(segment):
			expr.WriteString("/([^/]+)")
			p.names = append(p.names, segment[1:])
		case strings.Contains(segment, "*") && innerStars:
			expr.WriteString("/" + strings.ReplaceAll(regexp.QuoteMeta(segment), `\*`, "[^/]*"))
		case strings.ContainsAny(segment, "*:"):
			return p, fmt.Errorf("has the segment %q", segment)
		case segment != "":
			literal, err := url.PathUnescape(segment)
			if err != nil {
				return p, fmt.Errorf("has the segment %q", segment)
			}
			expr.WriteString("/" + regexp.QuoteMeta(literal))
		}
	}
	expr.WriteString("/?$")
	var err error
	p.expr, err = regexp.Compile(expr.String())
	return p, err
}

// The tables as they are written.
type (
	configFile struct {
		Redirects []redirectTable `toml:"redirects"`
		Headers   []headerTable   `toml:"headers"`
	}
	redirectTable struct {
		From       string            `toml:"from"`
		To         string            `toml:"to"`
		Status     int               `toml:"status"`
		Force      bool              `toml:"force"`
		Query      map[string]string `toml:"query"`
		Headers    map[string]string `toml:"headers"`
		Signed     string            `toml:"signed"`
		Conditions map[string]any    `toml:"conditions"`
	}
	headerTable struct {
		For    string         `toml:"for"`
		Values map[string]any `toml:"values"`
	}
)

// Parse reads the rules of a netlify.toml. Its error is [RuleErrors] where that has mistakes.
func Parse(data []byte) (*Rules, error) {
	var file configFile
	var mistakes RuleErrors
	add := func(line int, hint, what string, args ...any) {
		mistakes = append(mistakes, RuleError{line, fmt.Sprintf(what, args...), hint})
	}

	decoder := toml.NewDecoder(bytes.NewReader(data)).DisallowUnknownFields()
	var unknown *toml.StrictMissingError
	var syntax *toml.DecodeError
	switch err := decoder.Decode(&file); {
	case errors.As(err, &unknown):
		for _, e := range unknown.Errors {
			line, _ := e.Position()
			if what, hint := unknownKey(e.Key()); what != "" {
				add(line, hint, "%s", what)
			}
		}
	case errors.As(err, &syntax):
		line, _ := syntax.Position()
		what, hint := strings.TrimPrefix(syntax.Error(), "toml: "), "see toml.io for the syntax"
		if key := syntax.Key(); len(key) > 0 {
			what, hint = fmt.Sprintf("%s is of the wrong type", strings.Join(key, ".")), "texts are in quotes; status is a number, force is true or false"
		}
		return nil, RuleErrors{{line, what, hint}}
	case err != nil:
		return nil, fmt.Errorf("read rules: %w", err)
	}

	var rules Rules
	for i, t := range file.Redirects {
		r, what, hint := newRedirect(t)
		if what != "" {
			add(lineOf(data, "redirects", i), hint, "redirect %d %s", i+1, what)
			continue
		}
		rules.redirects = append(rules.redirects, r)
	}
	for i, t := range file.Headers {
		r, what, hint := newHeaderRule(t)
		if what != "" {
			add(lineOf(data, "headers", i), hint, "header rule %d %s", i+1, what)
			continue
		}
		rules.headers = append(rules.headers, r)
	}

	if len(mistakes) > 0 {
		slices.SortStableFunc(mistakes, func(a, b RuleError) int { return cmp.Compare(a.Line, b.Line) })
		return nil, mistakes
	}
	return &rules, nil
}

// unknownKey says what is wrong with a key that Parse does not know; nothing is, if it is in a
// table that is the host's business.
func unknownKey(key toml.Key) (what, hint string) {
	table, last := key[0], key[len(key)-1]
	known := ""
	switch table {
	case "redirects":
		known = "from, to, status, force, query, headers, signed"
	case "headers":
		known = "for, values"
	case "redirect", "Redirect", "Redirects", "header", "Header", "Headers":
		return fmt.Sprintf("unknown table %q", table), fmt.Sprintf("did you mean [[%s]]?", strings.TrimSuffix(strings.ToLower(table), "s")+"s")
	default:
		return "", ""
	}
	return fmt.Sprintf("unknown key %q in [[%s]]", last, table), "the keys are " + known
}

// lineOf returns the line of the i-th heading [[name]], for the decoder no longer knows it when a
// rule is judged. It is 0 if the tables are written inline.
func lineOf(data []byte, name string, i int) int {
	headings := regexp.MustCompile(`(?m)^[ \t]*\[\[\s*"?`+name+`"?\s*\]\]`).FindAllIndex(data, i+1)
	if i >= len(headings) {
		return 0
	}
	return 1 + bytes.Count(data[:headings[i][0]], []byte("\n"))
}

// newRedirect checks one rule; what is empty where nothing is wrong.
func newRedirect(t redirectTable) (r redirect, what, hint string) {
	switch {
	case t.From == "":
		return r, "has no from", `say which path it is for, as in from = "/old"`
	case !strings.HasPrefix(t.From, "/"):
		return r, fmt.Sprintf("is from %q", t.From), "begin from with a slash; rules for other domains are not followed here"
	case t.To == "":
		return r, "has no to", `say where it leads, as in to = "/new"`
	case !strings.HasPrefix(t.To, "/") && !isAddress(t.To):
		return r, fmt.Sprintf("leads to %q", t.To), "begin to with a slash, https:// or http://"
	case len(t.Conditions) > 0:
		return r, "has conditions", "the answers of this API are the same for everyone; remove the conditions"
	}

	r = redirect{to: newTarget(t.To), status: cmp.Or(t.Status, http.StatusMovedPermanently), force: t.Force, headers: t.Headers}
	switch s := r.status; {
	case s == http.StatusBadRequest:
		return r, "has status 400", "the host takes 400 for a redirect; use 404, the edge sends the status that the problem document states"
	case !slices.Contains([]int{200, 301, 302, 303, 307, 308}, s) && (s < 401 || s > 499):
		return r, fmt.Sprintf("has status %d", s), "use 200 to rewrite, 301 or 302 to redirect, or 401 to 499 for an error document"
	case s > 400 && isAddress(t.To):
		return r, fmt.Sprintf("forwards with status %d", s), "use status 200 with an address"
	}

	var err error
	if r.pattern, err = newPattern(t.From, false); err != nil {
		return r, fmt.Sprintf("is from %q, which %v", t.From, err), "a segment is a literal, :name or one * as a whole"
	}
	if to, err := url.Parse(t.To); err != nil || isAddress(t.To) && to.Hostname() == "" {
		return r, fmt.Sprintf("leads to %q", t.To), "that is not an address; percent-encode what is not ASCII"
	}
	known := slices.Clone(r.pattern.names)
	for name, value := range t.Query {
		if strings.HasPrefix(value, ":") {
			known = append(known, value[1:])
		}
		if name == "" {
			return r, "has a query parameter without a name", `write query = {id = ":id"}`
		}
		r.query = append(r.query, parameter{name, value})
	}
	slices.SortFunc(r.query, func(a, b parameter) int { return cmp.Compare(a.name, b.name) })
	for i, name := range r.to {
		if i%2 == 1 && !slices.Contains(known, name) {
			return r, fmt.Sprintf("uses :%s in to", name), "from or query must name it"
		}
	}
	return r, "", ""
}

// newHeaderRule checks one rule; what is empty where nothing is wrong.
func newHeaderRule(t headerTable) (r headerRule, what, hint string) {
	switch {
	case t.For == "":
		return r, "has no for", `say which paths it is for, as in for = "/api/*"`
	case !strings.HasPrefix(t.For, "/"):
		return r, fmt.Sprintf("is for %q", t.For), "begin for with a slash"
	case len(t.Values) == 0:
		return r, "has no values", "list the headers in [headers.values]"
	}
	var err error
	if r.pattern, err = newPattern(t.For, true); err != nil {
		return r, fmt.Sprintf("is for %q, which %v", t.For, err), "a segment is a literal, :name, or has stars"
	}
	r.values = map[string]string{}
	for _, name := range slices.Sorted(maps.Keys(t.Values)) {
		text, ok := headerText(t.Values[name])
		key := http.CanonicalHeaderKey(name)
		_, twice := r.values[key]
		switch {
		case !ok:
			return r, fmt.Sprintf("has a %s that is not text", name), "write it in quotes, or as a list of texts"
		case slices.Contains(hostHeaders(), key):
			return r, fmt.Sprintf("sets %s, which the host ignores", name), "remove it: the host sets that header itself"
		case twice:
			return r, fmt.Sprintf("sets %s twice", name), "keep one: case does not matter in the names of headers"
		}
		r.values[key] = text
	}
	return r, "", ""
}

// headerText returns a header's value, a text or a list of texts, on one line with
// its parts separated by ", " as the host sends them.
func headerText(value any) (string, bool) {
	var parts []string
	switch value := value.(type) {
	case string:
		parts = strings.Split(value, ",")
	case []any:
		for _, v := range value {
			s, ok := v.(string)
			if !ok {
				return "", false
			}
			parts = append(parts, s)
		}
	default:
		return "", false
	}
	for i, p := range parts {
		parts[i] = strings.Join(strings.Fields(p), " ")
	}
	return strings.Join(parts, ", "), true
}

// hostHeaders are those that Netlify documents as set by its servers alone.
func hostHeaders() []string {
	return []string{"Accept-Ranges", "Age", "Allow", "Alt-Svc", "Connection", "Content-Encoding", "Content-Length",
		"Content-Range", "Date", "Location", "Server", "Set-Cookie", "Trailer", "Transfer-Encoding", "Upgrade"}
}

// match returns the first rule for a decoded path and a query, and its target with
// every placeholder filled in and escaped; nil where none matches.
func (rs *Rules) match(path string, query map[string][]string) (rule *redirect, target string) {
	for i := range rs.redirects {
		r := &rs.redirects[i]
		captures, ok := r.pattern.match(path)
		if !ok || !matchQuery(r.query, query, captures) {
			continue
		}
		return r, r.to.fill(captures)
	}
	return nil, ""
}

// matchQuery reports whether all wanted parameters are given, and adds what the
// placeholders among them stand for to captures.
func matchQuery(want []parameter, given map[string][]string, captures map[string]string) bool {
	for _, p := range want {
		values, value := given[p.name], p.value
		if len(values) == 0 {
			return false
		}
		last := values[len(values)-1]
		if !strings.HasPrefix(value, ":") {
			if last != value {
				return false
			}
		} else if _, ok := captures[value[1:]]; !ok {
			captures[value[1:]] = last
		}
	}
	return true
}

// setHeaders sets the headers that the rules give to a path.
func (rs *Rules) setHeaders(h http.Header, path string) {
	for _, r := range rs.headers {
		if _, ok := r.pattern.match(path); ok {
			for name, value := range r.values {
				h.Set(name, value)
			}
		}
	}
}

func isAddress(to string) bool {
	return strings.HasPrefix(to, "https://") || strings.HasPrefix(to, "http://")
}

// parameters splits a query as the host does: only "&" separates, a part without "=" is
// none, and a plus stays a plus. A value that is not decodable stays as it is written,
// so that it is something malformed rather than something missing.
func parameters(rawQuery string) map[string][]string {
	given := make(map[string][]string)
	for part := range strings.SplitSeq(rawQuery, "&") {
		name, raw, ok := strings.Cut(part, "=")
		if !ok {
			continue
		}
		value, err := url.PathUnescape(raw)
		if err != nil {
			value = raw
		}
		given[name] = append(given[name], value)
	}
	return given
}
