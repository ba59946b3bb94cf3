package verify

import (
	"net/http"
	"slices"
	"time"

	"newsstand/builder/article"
	"newsstand/builder/publication"
)

// speedRequests of a kind are enough for a median, and no load.
const speedRequests = 20

// speed measures how long answers take, one after the other on a connection that is
// open. It judges nothing: distance counts for more than the host.
func (v *verifier) speed() {
	var ids []string
	if v.published != nil {
		v.published.each(speedRequests, func(r publication.Record) error {
			ids = append(ids, r.ID)
			return nil
		})
	}
	asked := searchTarget(fresh())
	kinds := []struct {
		name   string
		target func(i int) string
	}{
		{"health", func(int) string { return article.HealthOperation }},
		{"articles", func(i int) string {
			if len(ids) == 0 {
				return articleTarget(unknownID)
			}
			return articleTarget(ids[i%len(ids)])
		}},
		{"a search asked before", func(int) string { return asked }},
		{"searches never asked before", func(int) string { return searchTarget(fresh()) }},
	}
	for _, kind := range kinds {
		if took := v.measure(kind.target); len(took) > 0 {
			v.report.Speed = append(v.report.Speed, newSpeed(kind.name, took))
		}
	}
}

// measure asks, and returns how long each answer took; what fails is left out.
func (v *verifier) measure(target func(i int) string) []time.Duration {
	var took []time.Duration
	for i := range speedRequests {
		a, err := v.host.askOnce(v.ctx, request{target: target(i)})
		if err != nil || a.status != http.StatusOK {
			continue
		}
		took = append(took, a.took)
	}
	return took
}

func newSpeed(name string, took []time.Duration) Speed {
	slices.Sort(took)
	at := func(share float64) float64 {
		d := took[min(len(took)-1, int(share*float64(len(took))))]
		return float64(d.Microseconds()) / 1000
	}
	return Speed{Name: name, Requests: len(took), Median: at(0.5), P95: at(0.95), Max: at(1)}
}
