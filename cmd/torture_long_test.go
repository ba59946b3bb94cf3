//go:build e2e && torture

package cmd_test

import "time"

// What `make torture` does, in less than ten minutes.
const (
	tortureArticles = 4000              // of the site that is overloaded
	tortureCalm     = 5 * time.Second   // of the measurements to compare with
	tortureOverload = 60 * time.Second  //
	tortureIdle     = 10_000            // connections that do nothing
	tortureSlow     = 1000              // connections that send a byte now and then
	tortureSoak     = 300 * time.Second // with a build each second
	tortureKills    = 200               // of searchd, at random instants of updates
	tortureBits     = 10                // times that each file of a publication is torn, and has a bit flipped
)
