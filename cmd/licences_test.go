package cmd_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// licences are those of what may be linked: they ask for their text to go along, and nothing
// more. What tells a text apart comes with its SPDX name; the first that fits is it.
func licences() [][2]string {
	return [][2]string{
		{"Apache-2.0", `Apache License,? Version 2\.0`},
		{"BSD-3-Clause", `Redistribution and use in source and binary forms.*(Neither the names? of|may not be used to endorse)`},
		{"BSD-2-Clause", `Redistribution and use in source and binary forms`},
		{"MIT", `Permission is hereby granted, free of charge, to any person obtaining a copy`},
	}
}

// Every module in one of the programs has a licence that allows it, and is in the list that
// `make licences` prints.
func TestLicences(t *testing.T) {
	cmd := exec.Command("go", "list", "-deps", "-f", "{{with .Module}}{{.Path}}\t{{.Dir}}{{end}}", "newsstand/cmd/builder", "newsstand/cmd/searchd", "newsstand/cmd/preview")
	cmd.Env = append(os.Environ(), "GOOS=linux", "GOARCH=amd64") // other systems link a few others
	out, err := cmd.Output()
	must(t, err)
	var list []string
	seen := map[string]bool{"": true, "newsstand": true}
	for line := range strings.Lines(string(out)) {
		module, dir, _ := strings.Cut(strings.TrimSpace(line), "\t")
		if seen[module] {
			continue
		}
		seen[module] = true
		name, err := licenceOf(dir)
		if err != nil {
			t.Errorf("%s: %v\n\thint: read its licence; if it may be linked, let licences know its text", module, err)
		}
		list = append(list, fmt.Sprintf("%-12s %s\n", name, module))
	}
	slices.Sort(list)
	file := filepath.Join("testdata", "licences.txt")
	want, err := os.ReadFile(file)
	if err != nil {
		t.Error(err)
	}
	if got := strings.Join(list, ""); got != string(want) {
		t.Errorf("%s differs from what is linked; it has to be:\n%s", file, got)
	}
}

func licenceOf(dir string) (string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return "", err
	}
	var texts []string
	for _, e := range entries {
		if !regexp.MustCompile(`(?i)^(licen[cs]e|copying)([.-]|$)`).MatchString(e.Name()) {
			continue
		}
		data, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			return "", err
		}
		if strings.Contains(string(data), "GNU GENERAL PUBLIC") || strings.Contains(string(data), "GNU AFFERO") {
			return "", fmt.Errorf("%s is one of the GNU project's", e.Name())
		}
		texts = append(texts, strings.Join(strings.Fields(string(data)), " "))
	}
	for _, licence := range licences() {
		if slices.ContainsFunc(texts, regexp.MustCompile(licence[1]).MatchString) {
			return licence[0], nil
		}
	}
	return "", fmt.Errorf("%d files of a licence, none of which is known", len(texts))
}
