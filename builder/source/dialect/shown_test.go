package dialect

import (
	"strings"
	"testing"
)

func TestShown(t *testing.T) {
	for template, want := range map[string]string{
		`<b>{{ .Get "b" }}</b> {{- .Get 0 -}} {{ $.Get 2 | markdownify }} {{ index .Params "c" }}`:                `b,,2,c`,
		`{{ .Get "a" | default "none" }} {{ default (.Get "b") (.Get 1) }} {{ or .Inner (.Get "c") }}`:            `a,b,1,c`,
		`{{ with .Get "a" }}<i>{{ . }}</i>{{ else with .Get "b" }}{{ if .x }}{{ . }}{{ end }}{{ end }}{{ . }}`:    `a,b`,
		`{{ $a := .Get "a" }}{{ $b := "x" }}{{ if $b }}{{ $a = .Get 0 }}{{ end }}<p>{{ $a }}</p>{{ $b }}`:         `a,`,
		`{{ $page := site.GetPage (.Get 0) }}{{ $page }} {{ .Get "a" | relURL }} {{ partial "a" (.Get 0) }}`:      ``,
		`<a {{ if .Get "b" }}title="> {{ .Get "b" }}"{{ end }} href={{ .Get "a" }}>{{ .Inner }}</a>`:              ``,
		`<img src="{{ .Get "src" }}" alt="{{ .Get "alt" | default (.Get "src") }}" title="{{ .Get "b" }}">`:       `alt`,
		`<img {{ with .Get "a" }}alt='{{ . }} {{ .Get "b" }}'{{ end }}><img data-alt="{{ .Get "c" }}">`:           `a`,
		`<style>.x { width: {{ .Get "w" }} }</style><script>f({{ .Get "a" }})</script><!-- {{ .Get "b" }} -->`:    ``,
		`{{/* {{ .Get "a" }} */}}{{- /* .Get "a" */ -}} <br>v{{ .Get "version" }} https://x.example/{{ .Get 0 }}`: ``,
		`[{{ .Get "text" }}](/a/?b={{ .Get "b" }})`:                                                               `text`,
		`{{ range .Params }}{{ . }}{{ end }}{{ end }}{{ else }}{{ .Get }}{{ index .Params }}{{ .Get "a`:           ``,
		`<{{ .Get "tag" }} class="{{ .Get "class" }}">{{ .Inner }}</{{ .Get "tag" }}>`:                            ``,
		`{{ with .Get "a" }}{{ with .Get "b" }}{{ . }}{{ else }}{{ . }}{{ end }}{{ end }}`:                        `b,a`,
		`{{ $a := .Get "a" }}` + strings.Repeat(`{{ $a = or $a $a }}`, 50) + `{{ $a }}`:                           `a`,
		`{{ with .Get "a" }}` + strings.Repeat(`{{ with or . . }}`, 50) + `{{ . }}`:                               `a`,
	} {
		if got := strings.Join(Shown(template), ","); got != want {
			t.Errorf("%s shows %q, want %q", template, got, want)
		}
	}
}
