package searchd

import (
	"encoding/json"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// What Prometheus and Grafana are given speaks of series that exist, and leaves none out.
func TestDashboardAndAlertsFollowTheMetrics(t *testing.T) {
	_, admin, _, _ := serving(t, ServeOptions{})
	series := map[string]bool{}
	families := map[string]bool{} // of searchd
	for s := range scrape(t, admin) {
		name, _, _ := strings.Cut(s, "{")
		series[name] = true
		if strings.HasPrefix(name, "searchd_") {
			families[family(name)] = true
		}
	}
	for file, expressions := range map[string][]string{
		"dashboard.json": dashboardExpressions(t),
		"alerts.yaml":    alertExpressions(t),
	} {
		named := map[string]bool{}
		for _, e := range expressions {
			for _, name := range regexp.MustCompile(`\b(searchd|process|go)_[a-z_]+`).FindAllString(e, -1) {
				named[family(name)] = true
				if !series[name] {
					t.Errorf("%s asks for %s, which /metrics does not have: %s", file, name, e)
				}
			}
		}
		if file != "dashboard.json" {
			continue
		}
		for _, name := range slices.Sorted(maps.Keys(families)) {
			if !named[name] {
				t.Errorf("%s does not show %s", file, name)
			}
		}
	}
}

// family is the metric that a series belongs to.
func family(series string) string {
	for _, part := range []string{"_bucket", "_sum", "_count"} {
		series = strings.TrimSuffix(series, part)
	}
	return series
}

func dashboardExpressions(t *testing.T) (expressions []string) {
	t.Helper()
	data, err := os.ReadFile("../cmd/searchd/operate/dashboard.json")
	must(t, err)
	var board struct {
		Templating struct {
			List []struct{ Definition string }
		}
		Panels []struct {
			ID                       int
			Type, Title, Description string
			GridPos                  struct{ X, W int }
			Targets                  []struct{ Expr string }
		}
	}
	must(t, json.Unmarshal(data, &board))
	ids := map[int]bool{}
	for _, p := range board.Panels {
		if p.Title == "" || ids[p.ID] || p.GridPos.X+p.GridPos.W > 24 {
			t.Errorf("the panel %q with the id %d has no title, an id twice, or no room", p.Title, p.ID)
		}
		ids[p.ID] = true
		if (p.Type == "row") != (len(p.Targets) == 0) {
			t.Errorf("the panel %q asks for %d series", p.Title, len(p.Targets))
		}
		for _, target := range p.Targets {
			expressions = append(expressions, target.Expr)
		}
	}
	for _, v := range board.Templating.List {
		expressions = append(expressions, v.Definition)
	}
	return expressions
}

func alertExpressions(t *testing.T) (expressions []string) {
	t.Helper()
	data, err := os.ReadFile("../cmd/searchd/operate/alerts.yaml")
	must(t, err)
	var rules struct {
		Groups []struct {
			Rules []struct {
				Alert, Expr         string
				Labels, Annotations map[string]string
			}
		}
	}
	must(t, yaml.Unmarshal(data, &rules))
	for _, g := range rules.Groups {
		for _, r := range g.Rules {
			if r.Alert == "" || r.Labels["severity"] == "" || r.Annotations["summary"] == "" || len(r.Annotations["description"]) < 100 {
				t.Errorf("the alert %q does not say how severe it is, what it means and what to do", r.Alert)
			}
			expressions = append(expressions, r.Expr)
		}
	}
	if len(expressions) != 5 {
		t.Errorf("%d alerts, want 5", len(expressions))
	}
	return expressions
}
