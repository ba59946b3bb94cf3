// Preview serves a folder of articles as the whole service, on one machine: it builds
// content/ into public/, answers from there as netlify.toml says, searches in process,
// and follows every edit. It is for authors and developers; what it answers is what the
// deployed site will answer (package builder/edge says where they differ).
//
//	preview [--content content] [--public public] [--config netlify.toml]
//	        [--listen localhost:8080] [--base-url URL] [--data .cache/preview]
//
// An edited, added, renamed or removed article is live within a second, in fetch and in
// search, and no request fails meanwhile. An article with an error stays as it was
// published last, and everything else is published; the error is printed with its place
// and how to fix it.
//
// The address and three commands to try go to standard output, everything else to
// standard error. Ctrl-C (SIGINT), SIGTERM or SIGHUP ends it: requests in flight are answered
// first, for at most five seconds; a second signal ends it at once.
//
// Exit codes: 0 ended by a signal, 1 failed, 2 wrong usage.
package main

import "os"

func main() {
	os.Exit(run(os.Args[1:], os.Stdout, os.Stderr))
}
