//go:build !unix

package searchd

import "os"

const locks = false

// lock does nothing where there is no flock(2): do not share a data folder there.
func lock(*os.File) (taken bool, err error) { return false, nil }
