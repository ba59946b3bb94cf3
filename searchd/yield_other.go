//go:build !linux

package searchd

// yield does nothing: the system takes the processor from a thread when it sees fit.
func yield() {}
