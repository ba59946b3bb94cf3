//go:build e2e && !torture

package cmd_test

import "time"

// What `make e2e` has time for; see torture_long_test.go.
const (
	tortureArticles = 1000
	tortureCalm     = 1500 * time.Millisecond
	tortureOverload = 4 * time.Second
	tortureIdle     = 1500
	tortureSlow     = 200
	tortureSoak     = 6 * time.Second
	tortureKills    = 10
	tortureBits     = 1
)
