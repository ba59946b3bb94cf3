package index

import (
	"fmt"
	"runtime"
	"runtime/debug"
)

// failure is an error that unwinds to guard: a file could not be read, or the context has ended.
// Files are read in hundreds of places, none of which could handle such an error.
type failure struct{ error }

// must panics if err is not nil; guard returns that error unchanged.
func must(err error) {
	if err != nil {
		panic(failure{err})
	}
}

// got returns v, or panics as must does.
func got[T any](v T, err error) T {
	must(err)
	return v
}

// guard calls do, which may read mapped files and trust them. It returns a failure of do as its
// error, and any other panic, such as a fault in a mapped file, as a crash, which is ErrDamaged.
func guard(do func()) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		switch v := recover().(type) {
		case nil:
		case failure:
			err = v.error
		default:
			err = newCrash(v)
		}
	}()
	do()
	return nil
}

// crash is a panic caught by guard. Its cause is a damaged file or a fault of this program.
type crash struct{ what, stack string }

// newCrash returns a crash for a recovered value. It keeps the text only of runtime errors, because
// others may have words of the query.
func newCrash(v any) error {
	c := crash{fmt.Sprintf("%T", v), string(debug.Stack())}
	if err, ok := v.(runtime.Error); ok {
		c.what = err.Error()
	}
	return c
}

func (c crash) Error() string { return ErrDamaged.Error() + ", or this program has a fault: " + c.what }

func (c crash) Is(target error) bool { return target == ErrDamaged }

// Stack returns the stack of the panic.
func (c crash) Stack() string { return c.stack }
