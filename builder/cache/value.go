package cache

import "encoding/binary"

// AppendText appends a text in the form that [Reader.Text] reads. Numbers are appended
// by encoding/binary's AppendUvarint and AppendVarint.
func AppendText(b []byte, s string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(s))), s...)
}

// Reader takes a value apart. The texts that it returns share the value's memory.
type Reader struct {
	rest string
	bad  bool
}

// NewReader begins to read a value.
func NewReader(value string) *Reader { return &Reader{rest: value} }

// Done reports whether the whole value was read, and was what its reader took it for.
func (r *Reader) Done() bool { return r.rest == "" && !r.bad }

// Raw reads n bytes.
func (r *Reader) Raw(n int) string {
	if n < 0 || n > len(r.rest) {
		r.rest, r.bad = "", true
		return ""
	}
	s := r.rest[:n]
	r.rest = r.rest[n:]
	return s
}

// Byte reads one byte.
func (r *Reader) Byte() byte {
	s := r.Raw(1)
	if s == "" {
		return 0
	}
	return s[0]
}

// Uint reads a number of AppendUvarint.
func (r *Reader) Uint() uint64 {
	var x uint64
	for shift := 0; shift < 64; shift += 7 {
		b := r.Byte()
		x |= uint64(b&0x7f) << shift
		if b < 0x80 {
			return x
		}
	}
	r.rest, r.bad = "", true
	return 0
}

// Int reads a number of AppendVarint.
func (r *Reader) Int() int64 {
	x := r.Uint()
	return int64(x>>1) ^ -int64(x&1)
}

// Text reads a text of AppendText.
func (r *Reader) Text() string { return r.Raw(r.Len()) }

// Len reads the number of parts that follow, each of at least one byte.
func (r *Reader) Len() int {
	n := r.Uint()
	if n > uint64(len(r.rest)) {
		r.rest, r.bad = "", true
		return 0
	}
	return int(n)
}
