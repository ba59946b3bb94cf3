package source

// ChangedError says that a file was written or removed after the folder was scanned.
// What the scan decided, such as whether the article is a draft, no longer holds for it:
// scan again.
type ChangedError struct{ Path string }

func (e ChangedError) Error() string { return e.Path + " was changed while it was read" }
