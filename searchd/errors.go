package searchd

import (
	"errors"
	"syscall"
	"time"
)

// failure is why no publication could be taken up.
type failure struct {
	error
	reason string        // label of a metric
	after  time.Duration // how long the host wants to be left alone; mostly 0
}

func (f failure) Unwrap() error { return f.error }

// hintFor returns what to do about an error: raise the limit of the system that was reached, if one
// was, and otherwise what the caller says.
func hintFor(err error, otherwise string) string {
	switch {
	case errors.Is(err, syscall.EMFILE), errors.Is(err, syscall.ENFILE):
		return "raise the limit of open files (LimitNOFILE)"
	case errors.Is(err, syscall.ENOMEM):
		return "give searchd more memory (MemoryMax, LimitAS)"
	}
	return otherwise
}

// hintData is for files of the data folder that cannot be opened or made.
const hintData = "let searchd read and write the folder of --data and everything in it, see that it has free space, and that nothing else uses it"

// hintFormat is for a manifest of a newer builder: to publish it again is of no use.
const hintFormat = "replace searchd with a version as new as the builder; it also reads what earlier builders have published"

// wrongOption is an error that is ErrOptions.
type wrongOption struct{ error }

func (wrongOption) Is(target error) bool { return target == ErrOptions }

// The reasons for which nothing could be taken up, as metrics name them.
const (
	reasonUnreachable = "unreachable" // no answer: network, TLS, rights of a folder
	reasonStatus      = "status"      // an answer without the file: 500, 403, a redirect to another host or without end
	reasonMissing     = "missing"     // nothing is published there
	reasonOlder       = "older"       // a manifest older than the one held
	reasonDamaged     = "damaged"     // not what its digest, or the format, says
	reasonDisk        = "disk"        // the data folder could not be written, or damages what is
)

// reasonOf is the reason of an error of Load.
func reasonOf(err error) string {
	if f, ok := errors.AsType[failure](err); ok {
		return f.reason
	}
	return reasonDisk
}

// stackOf returns the stack of the panic that package index made into an error; empty for other
// errors.
func stackOf(err error) string {
	var crash interface{ Stack() string }
	if !errors.As(err, &crash) {
		return ""
	}
	return crash.Stack()
}
