package searchd

import (
	"net/http"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promauto"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// metrics is everything that one Live and its handlers count; the package comment
// lists the names. No label holds anything that a caller sent.
type metrics struct {
	registry *prometheus.Registry

	requests                         *prometheus.CounterVec // by status
	requestSeconds, queueSeconds     prometheus.Histogram
	running, waiting                 prometheus.Gauge
	shed, timedOut, noResult, panics prometheus.Counter
	dropped, acceptFailures          prometheus.Counter // connections

	ready, articles, reloadOK, reloadTime, revisionTime, mergeOK prometheus.Gauge

	revision       *prometheus.GaugeVec     // one series, of the revision that is served
	reloads        *prometheus.CounterVec   // by how the index took it up
	reloadSeconds  *prometheus.HistogramVec // likewise
	reloadFailures *prometheus.CounterVec   // by reason

	sourceRequests *prometheus.CounterVec // by status
	sourceBytes    prometheus.Counter

	refused *prometheus.CounterVec // by why a signature is not right

	logLines *prometheus.CounterVec // by level
}

// newMetrics returns metrics that ask size for the bytes of the indexes, and lost for the lines
// that the log could not write.
func newMetrics(size, lost func() int64) *metrics {
	registry := prometheus.NewRegistry()
	registry.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
		collectors.NewBuildInfoCollector())
	registered := promauto.With(registry)
	counter := func(name, help string) prometheus.Counter {
		return registered.NewCounter(prometheus.CounterOpts{Name: name, Help: help})
	}
	// What has not happened yet is 0 and not absent: a rate over the first of a kind sees it.
	counters := func(name, help, label string, known ...string) *prometheus.CounterVec {
		c := registered.NewCounterVec(prometheus.CounterOpts{Name: name, Help: help}, []string{label})
		for _, value := range known {
			c.WithLabelValues(value)
		}
		return c
	}
	gauge := func(name, help string) prometheus.Gauge {
		return registered.NewGauge(prometheus.GaugeOpts{Name: name, Help: help})
	}
	histogram := func(name, help string, buckets []float64) prometheus.Histogram {
		return registered.NewHistogram(prometheus.HistogramOpts{Name: name, Help: help, Buckets: buckets})
	}
	// From a tenth of a fast search to twice the time limit.
	quick := []float64{.0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1}
	// From the edit of one article to the first load of a million.
	slow := []float64{.01, .1, .5, 1, 5, 30, 120, 600, 3600}
	registered.NewGaugeFunc(
		prometheus.GaugeOpts{Name: "searchd_index_bytes", Help: "Bytes on disk of all indexes, one that is being built included."},
		func() float64 { return float64(size()) },
	)
	registered.NewCounterFunc(prometheus.CounterOpts{Name: "searchd_log_lines_lost_total", Help: "Lines of the log that could not be written."},
		func() float64 { return float64(lost()) })
	m := &metrics{
		registry: registry,
		requests: counters("searchd_requests_total", "Requests by HTTP status; 499 is a client that left.", "status",
			"200", "204", "304", "400", "401", "404", "405", strconv.Itoa(statusClientGone), "500", "503"),
		requestSeconds: histogram("searchd_request_seconds", "Time from a request to its answer.", quick),
		queueSeconds:   histogram("searchd_queue_seconds", "Time that a search waited for its turn.", quick),
		running:        gauge("searchd_searches_running", "Searches that run now."),
		waiting:        gauge("searchd_searches_waiting", "Searches that wait for their turn now."),
		shed:           counter("searchd_shed_total", "Searches refused at once because the queue was full."),
		timedOut:       counter("searchd_timed_out_total", "Searches given up at the time limit."),
		noResult:       counter("searchd_zero_results_total", "Searches that found nothing."),
		dropped:        counter("searchd_connections_dropped_total", "Connections closed because there were too many."),
		acceptFailures: counter("searchd_accept_failures_total", "Times that no connection could be accepted."),
		panics:         counter("searchd_panics_total", "Requests that met a fault of searchd."),
		ready:          gauge("searchd_ready", "1 when a whole revision is served, and its index is not known to be damaged."),
		articles:       gauge("searchd_articles", "Articles of the revision that is served."),
		revision:       registered.NewGaugeVec(prometheus.GaugeOpts{Name: "searchd_revision_info", Help: "The revision that is served; always 1."}, []string{"revision"}),
		reloadOK:       gauge("searchd_last_reload_successful", "0 when the newest publication could not be taken up."),
		reloadTime:     gauge("searchd_last_reload_success_timestamp_seconds", "When the source was last found readable and whole."),
		reloads:        counters("searchd_reloads_total", "Revisions taken up, by an update of the index or a new one.", "kind", byUpdate, byRebuild),
		reloadFailures: counters("searchd_reload_failures_total", "Looks at the source that failed, by reason; a source that stays bad is counted at each look.", "reason",
			reasonUnreachable, reasonStatus, reasonMissing, reasonOlder, reasonDamaged, reasonDisk),
		reloadSeconds:  registered.NewHistogramVec(prometheus.HistogramOpts{Name: "searchd_reload_seconds", Help: "Time to take up a revision, by an update of the index or a new one.", Buckets: slow}, []string{"kind"}),
		mergeOK:        gauge("searchd_last_merge_successful", "0 when files of the index could not be merged."),
		revisionTime:   gauge("searchd_revision_timestamp_seconds", "Since when this process serves the revision."),
		sourceRequests: counters("searchd_source_requests_total", "Requests for files of a site that is followed, by HTTP status; none is no answer.", "status", "200", "304", noAnswer),
		sourceBytes:    counter("searchd_source_bytes_total", "Bytes of files fetched from a site that is followed."),
		refused: counters("searchd_refused_total", "Requests without a valid signature of the CDN, by what is wrong with it.", "reason",
			string(unsigned), string(malformed), string(wrongSignature), string(expired), string(wrongClaims)),
		logLines: counters("searchd_log_lines_total", "Warnings and errors of the log.", "level", levelWarn, levelError),
	}
	m.mergeOK.Set(1)
	m.reloadSeconds.WithLabelValues(byUpdate)
	m.reloadSeconds.WithLabelValues(byRebuild)
	return m
}

func (m *metrics) handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{Registry: m.registry})
}

// answered counts a request; the statuses are few and all our own.
func (m *metrics) answered(status int, took time.Duration) {
	m.requests.WithLabelValues(strconv.Itoa(status)).Inc()
	m.requestSeconds.Observe(took.Seconds())
}

// merging states whether the files of the index can be merged.
func (m *metrics) merging(can bool) {
	ok := 0.0
	if can {
		ok = 1
	}
	m.mergeOK.Set(ok)
}

// serving states what is served from now on; changed is false where it is the same
// revision as before.
func (m *metrics) serving(revision string, articles int, changed bool) {
	m.revision.Reset()
	m.revision.WithLabelValues(revision).Set(1)
	if changed {
		m.revisionTime.SetToCurrentTime()
	}
	m.articles.Set(float64(articles))
	m.ready.Set(1)
}
