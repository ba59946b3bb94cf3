package source

import (
	"testing"
	"testing/fstest"
	"time"
)

func TestDatesInWords(t *testing.T) {
	const day, noon, noonOfBerlin = "2021-04-16T00:00:00Z", "2021-04-16T12:30:00Z", "2021-04-16T10:30:00Z"
	for said, want := range map[string]string{
		"16 Apr 2021": day, "16 April 2021": day, "Apr 16 2021": day, "Apr 16, 2021": day, "April 16, 2021": day, "April 16 2021": day,
		"Fri Apr 16 2021": day, "Fri, 16 Apr 2021": day, "Friday, April 16, 2021": day, "Friday, 16 April 2021": day, "Friday 16 April 2021": day,
		"Fri, 16 Apr 2021 12:30:00 GMT": noon, "Friday, 16 Apr 2021 12:30:00 UTC": noon, "Friday, 16-Apr-21 12:30:00 GMT": noon, "16 Apr 21 12:30 UTC": noon,
		"Fri, 16 Apr 2021 12:30:00 +0200": noonOfBerlin, "Fri Apr 16 12:30:00 +0200 2021": noonOfBerlin, "Fri Apr 16 12:30:00 2021 +0200": noonOfBerlin, "Fri Apr 16 12:30:00 2021": noon,
		"Fri Apr 16 12:30:00 UTC 2021": noon, "Apr 16, 2021 12:30:00": noon,
		"Friday, April 16, 2021 at 5:30:00 AM PDT": noon, "April 16, 2021 at 12:30 PM": noon, "Apr 16, 2021, 12:30\u202fPM": noon, "April 16, 2021 12:30 UTC": noon,
		"16 Apr 2021 12:30": noon, "16 April 2021 12:30 PM": noon, "2021-04-16 12:30 pm": noon, "2021-4-16 12:30:00 PM": noon, "2021-04-16 12:30PM": noon, "Apr 16, 2021 12:30pm": noon,
		"2021-4-16 0:0:0": day, "2021-04-16T12:30:0Z": noon, // as programs without padding write them
		"Sept 16, 2021": "2021-09-16T00:00:00Z", "16 Sept. 2021": "2021-09-16T00:00:00Z",
		"Friday, April 16, 2021 at noon": "", "2021-04-16 13:30 pm": "", "April 16, 2021 13:30 PM": "",
		"Fri Apr 16 2021 12:30:00 GMT+0200": noonOfBerlin, "Fri Apr 16 2021 12:30:00 GMT+0200 (Central European Summer Time)": noonOfBerlin,
		"Fri Apr 16 2021 12:30:00 GMT+0000 UTC": noon, "Fri Apr 16 2021 12:30:00 GMT+0200 CEST": noonOfBerlin, "Fri Apr 16 2021 12:30:00 GMT+0200 Summer": "",
		"Fri Apr  2 12:30:00 2021": "2021-04-02T12:30:00Z", "Fri Apr  2 12:30:00 UTC 2021": "2021-04-02T12:30:00Z",
		"2021-04-16 12:30:00 +17:10": "2021-04-15T19:20:00Z", "2021-04-16 12:30:00 -2300": "2021-04-17T11:30:00Z", "2021-04-16 12:30:00 +24:00": "",
		"2021-04-16 12:30:00 +0200 CEST": noonOfBerlin, "2021-04-16 12:60": "", "2021-04-16 12:30:61": "", "2021-04-16 12:30:00.": "", "2021-04-16 12:30 +": "", "2021-04-16 12:30 +02:0": "",
		"1618576200": noon, "1618576200000": noon, "161857620000": "", "16185762000000000": "",
		"Friday": "", "Fri, ": "", "Fri, Fri, 16 Apr 2021": "", "someday, 16 Apr 2021": "", "16 Apr": "", "31 Apr 2021": "", "16 avril 2021": "", "(16 Apr 2021)": "",
	} {
		got := ""
		if at, ok := parseDate(said, time.UTC, nil); ok {
			got = at.UTC().Format(time.RFC3339)
		}
		if got != want {
			t.Errorf("%s is %q, want %q", said, got, want)
		}
	}
}

// The results follow Ruby's source, ext/date/date_parse.c.
func TestDatesOfRuby(t *testing.T) {
	const day, evening = "2017-09-11T00:00:00Z", "2017-09-11T20:30:00Z"
	for said, want := range map[string]string{
		"11-9-2017": day, "11/09/2017": day, "11.9.2017": day, "2017.09.11": day, "2017-9-11": day,
		"11th September 2017": day, "Sept 11, 2017": day, "Monday, September 11th 2017": day, "11-Sep-2017": day, "11 sep. 2017": day,
		"2017-09-11 8:30 pm": evening, "2017-09-11 08:30:00PM": evening, "11/9/2017 20:30": evening, "11 Sep 2017, 20:30": evening, "2017-09-11 8:30 p.m.": evening,
		"2017-09-11 12:30 AM": "2017-09-11T00:30:00Z", "2017-09-11 12:30 PM": "2017-09-11T12:30:00Z", "2017-09-11 22:30 pm +0200": evening,
		"2017-09-11 20:30 about": evening, "2017-09-11 20:30 America/New_York": evening, "2017-09-11 at eight": day,
		"09/31/2017": "", "31/09/2017": "", "11 Sep": "", "11 septante 2017": "", "11-09/2017": "", "2017": "", "": "", "about 11/9/2017": "",
	} {
		got := ""
		if at, ok := parseLoosely(said, time.UTC); ok {
			got = at.UTC().Format(time.RFC3339)
		}
		if got != want {
			t.Errorf("%s is %q, want %q", said, got, want)
		}
	}
}

// The names for the time zone of the machine that builds are not accepted as a site's time zone.
func TestTimeZones(t *testing.T) {
	for name, want := range map[string]bool{"UTC": true, "Europe/Berlin": true, "": false, "Local": false, "localtime": false, "posix/localtime": false, "Berlin": false, "../../etc/localtime": false} {
		if _, ok := zoneOf(name); ok != want {
			t.Errorf("%q is a time zone: %t", name, ok)
		}
	}
	_, problems := renderAll(t, fstest.MapFS{"site.yaml": {Data: []byte("time_zone: localtime\n")}})
	if len(problems) != 1 || problems[0].Severity != Error {
		t.Errorf("%v", problems)
	}
}

// The date_format that formatOf suggests for a date can read it.
func TestSuggestedDateFormatsReadTheDate(t *testing.T) {
	for said, want := range map[string]string{
		"13/02/2020": "DD/MM/YYYY", "02/13/2020": "MM/DD/YYYY", "2/3/2020": "M/D/YYYY", "1.2.2020": "D.M.YYYY", "13-2-20": "D-M-YY", "3/13/2020": "M/D/YYYY", "2020.2.13": "YYYY.M.D",
		"2020.02.13": "YYYY.MM.DD", "02/13/2020 10:30": "MM/DD/YYYY HH:mm", "13.02.2020 10:30:59": "DD.MM.YYYY HH:mm:ss",
		"17:34 06/27/2018": "HH:mm MM/DD/YYYY", "25:34 06/27/2018": "", "17:34 soon": "",
		"2020-02-13": "", "2020/02/13 10:30": "", "13.02/2020": "", "13.02.2020 at ten": "", "13.02.": "", "13.02.020": "", "": "", "2.13.2020": "", "13/13/2020": "", "2020.13.02": "",
	} {
		form := formatOf(said)
		if form != want {
			t.Errorf("the form of %s is %q, want %q", said, form, want)
		}
		if form == "" {
			continue
		}
		layout, ok := dateLayout(form)
		if _, err := time.Parse(layout, said); !ok || err != nil {
			t.Errorf("%s is not read by %s: %v", said, form, err)
		}
	}
}
