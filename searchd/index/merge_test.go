package index

import (
	"fmt"
	"reflect"
	"testing"

	"newsstand/builder/article"
)

// What the engine has merged is taken into use, and answers the same.
func TestMergedSegmentsAreTakenIntoUse(t *testing.T) {
	x := open(t, t.TempDir())
	for i := range 3 {
		update(t, x, fmt.Sprint("r", i), []article.Article{note(fmt.Sprint("a", i), "en", "Title", "common words"), note("b", "en", fmt.Sprint("B", i), "common")})
	}
	want := search(t, x, "common words", 10)
	if err := x.engine.ForceMerge(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	update := x.current
	if err := x.refresh(func(segments, merged int) bool { return false }); err != nil || x.current != update {
		t.Errorf("taken into use where that was not worth it: %v", err)
	}
	if err := x.refresh(func(segments, merged int) bool { return true }); err != nil || x.current == update {
		t.Fatalf("not taken into use: %v", err)
	}
	x.current.answers = newCache[Answer](answersBytes)
	if got := search(t, x, "common words", 10); !reflect.DeepEqual(got, want) || got.Total != 4 || len(x.current.reader.Segments()) != 1 {
		t.Errorf("after the merge\n%v\nbefore\n%v", got, want)
	}
	if crowded(4, 1) || crowded(14, 13) || !crowded(21, 7) {
		t.Error("crowded are only those that a build leaves")
	}
}
