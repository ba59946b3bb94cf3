package dir

import (
	"errors"
	"slices"
	"syscall"
)

// Transient reports whether an error says nothing about a file, only that the system could not look
// at it just now: for want of open files or memory, or because a network disk does not answer.
func Transient(err error) bool {
	return slices.ContainsFunc([]error{syscall.EMFILE, syscall.ENFILE, syscall.ENOMEM, syscall.ESTALE, syscall.ETIMEDOUT, syscall.ENOTCONN},
		func(transient error) bool { return errors.Is(err, transient) })
}
