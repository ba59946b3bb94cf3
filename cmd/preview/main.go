// Command preview serves a folder of articles as the whole service, on one machine: it builds
// content/ into public/, answers from there as netlify.toml says, searches in process, and follows
// every edit. It is for authors and developers; what it answers is what the deployed site will
// answer (package builder/edge says where they differ). `preview --help` is its manual.
//
// An edited, added, renamed or removed article is live within a second, in fetch and in search, and
// no request fails meanwhile. The address and three commands to try go to standard output,
// everything else to standard error. After a signal, requests in flight are answered first, for at
// most five seconds; a second signal, a second later or more, ends it at once.
package main

import "os"

func main() {
	os.Exit(run(os.Args[1:], os.Stdout, os.Stderr))
}
