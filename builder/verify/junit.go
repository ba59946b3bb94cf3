package verify

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"
	"unicode"
)

// The parts of JUnit's XML that all its readers know.
type (
	junitSuites struct {
		XMLName  xml.Name     `xml:"testsuites"`
		Name     string       `xml:"name,attr"`
		Tests    int          `xml:"tests,attr"`
		Failures int          `xml:"failures,attr"`
		Suites   []junitSuite `xml:"testsuite"`
	}
	junitSuite struct {
		Name     string      `xml:"name,attr"`
		Tests    int         `xml:"tests,attr"`
		Failures int         `xml:"failures,attr"`
		Skipped  int         `xml:"skipped,attr"`
		Cases    []junitCase `xml:"testcase"`
	}
	junitCase struct {
		Class   string        `xml:"classname,attr"`
		Name    string        `xml:"name,attr"`
		Time    string        `xml:"time,attr"`
		Failure *junitMessage `xml:"failure"`
		Skipped *junitMessage `xml:"skipped"`
		Output  string        `xml:"system-out,omitempty"`
	}
	junitMessage struct {
		Message string `xml:"message,attr"`
		Text    string `xml:",chardata"`
	}
)

// WriteJUnit writes the report as JUnit XML, one suite for each group, for the machine
// that runs pipelines.
func (r Report) WriteJUnit(w io.Writer) error {
	all := junitSuites{Name: "verify " + r.Address, Tests: len(r.Checks), Failures: r.Count(Failed)}
	for _, c := range r.Checks {
		if n := len(all.Suites); n == 0 || all.Suites[n-1].Name != c.Group {
			all.Suites = append(all.Suites, junitSuite{Name: c.Group})
		}
		suite := &all.Suites[len(all.Suites)-1]
		test := junitCase{Class: "verify." + c.Group, Name: c.Name, Time: fmt.Sprintf("%.3f", c.Seconds)}
		switch c.Result {
		case Failed:
			suite.Failures++
			test.Failure = &junitMessage{xmlText(c.Got), xmlText("expected: " + c.Want + "\nseen: " + c.Got + "\nhint: " + c.Hint)}
		case Skipped:
			suite.Skipped++
			test.Skipped = &junitMessage{Message: xmlText(c.Got)}
		default:
			test.Output = xmlText(c.Got)
		}
		suite.Tests++
		suite.Cases = append(suite.Cases, test)
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	enc := xml.NewEncoder(w)
	enc.Indent("", "  ")
	if err := enc.Encode(all); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}

// xmlText leaves out what XML 1.0 cannot hold.
func xmlText(s string) string {
	return strings.Map(func(r rune) rune {
		if r != '\n' && unicode.IsControl(r) || r == 0xfffe || r == 0xffff {
			return '\ufffd'
		}
		return r
	}, s)
}
