//go:build e2e

package cmd_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// What searchd's operator is given is right by the programs that will read it.

// Prometheus takes the alerts, fires them for what they are about, understands what
// the dashboard asks, and finds nothing to say of the metrics.
func TestE2EPrometheus(t *testing.T) {
	promtool := debianProgram(t, "promtool", "prometheus")
	check := func(stdin string, args ...string) {
		t.Helper()
		cmd := exec.Command(promtool, args...)
		cmd.Stdin = strings.NewReader(stdin)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("promtool %s: %v\n%s", strings.Join(args, " "), err, out)
		}
	}
	check("", "check", "rules", filepath.Join("searchd", "operate", "alerts.yaml"))
	check("", "test", "rules", filepath.Join("testdata", "alerts.yaml"))

	// The dashboard's questions, as rules.
	data, err := os.ReadFile(filepath.Join("searchd", "operate", "dashboard.json"))
	if err != nil {
		t.Fatal(err)
	}
	var board struct {
		Panels []struct{ Targets []struct{ Expr string } }
	}
	if err := json.Unmarshal(data, &board); err != nil {
		t.Fatal(err)
	}
	type rule struct {
		Record string `json:"record"`
		Expr   string `json:"expr"`
	}
	var rules []rule
	for _, p := range board.Panels {
		for _, target := range p.Targets {
			// As Grafana fills them in.
			expr := strings.NewReplacer("$__rate_interval", "1m", "$job", ".*", "$instance", ".*").Replace(target.Expr)
			rules = append(rules, rule{fmt.Sprintf("panel:%d", len(rules)), expr})
		}
	}
	file, err := json.Marshal(map[string]any{"groups": []any{map[string]any{"name": "dashboard", "rules": rules}}})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "rules.yaml") // YAML holds JSON
	write(t, path, string(file))
	check("", "check", "rules", path)

	content, public := filepath.Join(t.TempDir(), "content"), filepath.Join(t.TempDir(), "public")
	buildSite(t, content, public, "first", 3)
	searchd, search := startSearchd(t, public, t.TempDir())
	get(http.DefaultClient, search+"/api/articles?q=common")
	metrics := get(http.DefaultClient, searchd.says("the operator's side listens")+"/metrics")
	if !strings.Contains(metrics, "searchd_requests_total{status=\"200\"} 1\n") {
		t.Errorf("the metrics: %s", metrics)
	}
	check(metrics, "check", "metrics")
}
