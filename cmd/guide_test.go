package cmd_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The guide shows the hosts' configurations as `make e2e` runs them.
func TestGuideShowsTheHostsConfigurations(t *testing.T) {
	guide := filepath.Join("..", "content", "behind-nginx-or-caddy.md")
	text, err := os.ReadFile(guide)
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join("preview", "hosts", "*"))
	if err != nil || len(files) < 3 {
		t.Fatalf("%v: %v", files, err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		block := string(data) + "```\n"
		if !strings.Contains(string(text), "```nginx\n"+block) && !strings.Contains(string(text), "```text\n"+block) {
			t.Errorf("%s does not show %s as it is\n\thint: copy the file into its block of the guide", guide, file)
		}
	}
}
