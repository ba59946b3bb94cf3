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
		"Fri, 16 Apr 2021 12:30:00 +0200": noonOfBerlin, "Fri Apr 16 12:30:00 +0200 2021": noonOfBerlin, "Fri Apr 16 12:30:00 2021": noon,
		"Fri Apr 16 12:30:00 UTC 2021": noon, "Apr 16, 2021 12:30:00": noon,
		"Friday, April 16, 2021 at 5:30:00 AM PDT": noon, "April 16, 2021 at 12:30 PM": noon, "Apr 16, 2021, 12:30\u202fPM": noon, "April 16, 2021 12:30 UTC": noon,
		"Friday, April 16, 2021 at noon": "", "April 16, 2021 13:30 PM": "",
		"Fri Apr 16 2021 12:30:00 GMT+0200": noonOfBerlin, "Fri Apr 16 2021 12:30:00 GMT+0200 (Central European Summer Time)": noonOfBerlin,
		"Fri Apr  2 12:30:00 2021": "2021-04-02T12:30:00Z", "Fri Apr  2 12:30:00 UTC 2021": "2021-04-02T12:30:00Z",
		"2021-04-16 12:30:00 +17:10": "2021-04-15T19:20:00Z", "2021-04-16 12:30:00 -2300": "2021-04-17T11:30:00Z", "2021-04-16 12:30:00 +24:00": "",
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

// The time zone of the machine that builds is none of a site's.
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
