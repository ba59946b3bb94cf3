package page

import (
	"bytes"
	"fmt"
	"io"

	"github.com/klauspost/compress/gzip"
	"github.com/swaggest/swgui/v5/static"
)

// reference returns the page that shows the OpenAPI document by Swagger UI, and our own
// part of what it is made of.
func (v view) reference() ([]File, error) {
	index, err := fillHTML("reference.html.tmpl", v)
	if err != nil {
		return nil, err
	}
	files, err := ready("docs", "reference.css", "reference.js")
	return append(files, File{"docs/index.html", index}), err
}

// Packed is a document that comes compressed with a module.
type Packed struct {
	Path string
	// SHA256 is of the unpacked bytes, in hexadecimal. Whoever has a file with it need not unpack
	// the document, which takes longer than all other documents of a small site.
	SHA256 string

	name, before, after string
}

// Library returns the files of Swagger UI, which the reference runs. They go with
// Documents and are the same for all sites.
func Library() []Packed {
	return []Packed{
		{
			Path: "docs/swagger-ui-bundle.js", name: "swagger-ui-bundle.js.gz",
			SHA256: "a600ebf8f885c92373e2210b1fd7422b24a4ff9cad93d3d7d6481f40b7704564",
		},
		{ // In a layer, its rules give way to ours, however exact its selectors are.
			Path: "docs/swagger-ui.css", name: "swagger-ui.css.gz", before: "@layer swagger-ui {\n", after: "\n}\n",
			SHA256: "7c7748078a58ca656e50adb9901dfb992b41c189d414540c26fefcc609f804ef",
		},
	}
}

// Unpack returns the bytes of the document.
func (p Packed) Unpack() ([]byte, error) {
	packed, err := static.FS.Open(p.name)
	if err != nil {
		return nil, fmt.Errorf("unpack %s: %w", p.Path, err)
	}
	defer packed.Close()
	zr, err := gzip.NewReader(packed)
	if err != nil {
		return nil, fmt.Errorf("unpack %s: %w", p.Path, err)
	}
	b := bytes.NewBufferString(p.before)
	if _, err := io.Copy(b, zr); err != nil {
		return nil, fmt.Errorf("unpack %s: %w", p.Path, err)
	}
	b.WriteString(p.after)
	return b.Bytes(), nil
}
