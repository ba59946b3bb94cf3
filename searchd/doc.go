// Package searchd answers the search of a published site: GET /api/articles. It
// follows a published folder, or the site that has it, keeps an index of it, and serves
// that over HTTP.
//
// A [Live] is the index that follows the source; [NewHandler] is the public side
// of one; [Serve] is the daemon of both.
//
// [Live.Check] asks for every article what people would ask, and says which are not
// found.
//
// # What is served
//
// Always one whole revision of the published folder: each answer is made from one,
// and names it. A request takes what is current once, at its beginning. While a new
// revision is taken up, the one before it answers.
//
// A Live looks at the manifest after each event that the system tells of its folder,
// and every [Options.Poll] in any case; events are only hints. A manifest with the
// same bytes means nothing to do. Else only the chunks that the last manifest did
// not have are read, their articles compared by digest with those of the index, and
// the difference applied in one atomic step. A change of more than a fifth of the
// articles (and more than 1,000), or of more than 64 MB of text, becomes a new index
// beside the old one; so does every change of an index whose last update failed. The old
// one is closed and removed when the last search in it ends. An index that is found
// damaged is built anew at the next look, which is at once where a search finds it. If
// the new one soon is, too, the fault is the disk's, or searchd's: then each new one
// waits for longer, up to an hour.
//
// An older revision is taken up like a newer one: a rollback is legal.
//
// What cannot be read, or is not whole, changes nothing: the revision before stays,
// [Status.Err] and the metrics say so, the log says it once, and the next look tries again.
//
// # A site as the source
//
// A site is followed by making a copy of its corpus in the data folder, which then
// is read like any published folder. So only the copying knows of networks, all files are
// there before the first is used, an index is built anew without network, and a fetch that
// was cut off goes on where it was. The copy is the size of the packed corpus.
//
// A look asks for the manifest, with If-None-Match, every [Options.Poll], give or take a fifth at
// random. Then it fetches the files that the copy does not have, six at once. None may be larger
// than the manifest says, and each gets its name only when its digest is right. The manifest is
// written next, and what it does not name is removed last. A file that is gone meanwhile means a
// new deploy, and a new look. After a failure the pauses double, up to five minutes, and are at
// least as long as Retry-After says. What is only not there yet (404) is asked for as often as
// before: the site waits for its first build, or a CDN does not know a new file yet.
//
// Many hosts make an ETag of a file's second and size, so that two builds may have it in
// common. It is sent only where the file was two seconds old when it came (RFC 9110,
// 8.8.2.2), and once an hour not at all: where all files have one time, two builds may have
// it in common for ever. If-Modified-Since is never sent: by it, some hosts call a rollback
// unchanged.
//
// Equal content has equal bytes, so a manifest has no build number. Which of two is older,
// the host must tell: by Last-Modified; else by Age, which says when the site itself sent
// each; else the older is one that searchd held before, unless an Age shows that the site
// itself sent it since. An older manifest comes from a
// cache or a copy of the site that is behind, and counts as a failure; or the site was rolled
// back. A rollback is believed when nothing else came for five minutes, which is as long as a
// CDN may keep a search anyway. A rollback that is published anew has a later time, and is
// followed at once. A folder needs none of this: there is only one of it.
//
// TLS is verified. An address without TLS must be of this machine, unless
// [Options.AllowHTTP] is set. A redirect is followed only to the same scheme, host and port.
//
// # The data folder
//
//	lock          held (flock) by the one process that uses the folder
//	index-v1-<n>  an index, as package index keeps it
//	site/         the copy of a site: corpus/…, and source.json, what is known of its manifest
//
// Each look begins with the lock: where the folder was removed meanwhile, and made again, it is
// taken once more, and a new index is built in it. While another process has it, or it is not
// there, nothing is loaded.
//
// An index stores the manifest of its revision in the same atomic step as the articles, so that a
// folder without one was never finished. The newest finished one is current; there is no pointer
// that could disagree. At the start all others, and those of other versions of this layout (the
// number after v), are removed. Files of other names are left alone, and over a folder site/ that
// searchd did not make the start fails. A process that is killed at any instant leaves the revision
// before or after; the next start serves it without reading the source. An index that is damaged,
// or fails a first search, is removed with a line in the log and built again; over one that the
// machine does not let searchd open, for too many files are open or it has no right to, the start
// fails and nothing is removed. On a read-only file system the index is served as it is. Removed is
// also one whose files are found to be wrong while it is served: a start trusts the files that
// nobody has written to since they were read, and they are read again after it. So is a file of the
// copy that is not what its name says.
//
// # The public side
//
//	GET, HEAD /api/articles?q=&limit=&offset=&tag=&language=   200, 304, 400, 500, 503
//	OPTIONS   any path                                         204
//	other methods of /api/articles                             405
//	everything else                                            404
//	any of these, not signed                                   401, with [Options.NetlifySecrets] only
//
// The parameters are strict: q, limit and offset at most once each, tag and language (of
// which an article needs one) a few times, percent-encoded without fault, UTF-8, no bare
// semicolon, no ASCII control characters but white space, q within its limits of length.
// Everything else in the query string is ignored, even where it is malformed: caches leave
// it out of their keys, so it must not change an answer.
//
// With secrets, each request must carry X-Nf-Sign, once: a JWS in compact form
// (RFC 7515) of HS256 with one of them, issued by "netlify", and not expired. It is
// looked at before anything else. The OpenAPI document has no 401, and is right without: it
// describes the site's own address, where every caller is answered without a key, for
// it is the CDN that signs. Only a caller that bypasses the CDN sees it. No cache keeps it.
//
// All headers of an answer are set here; see package article for those of errors. An answer
// is written when it is whole, so that none is partial: a search that takes longer
// than the time limit is 503, and so is one that finds the queue full, at once. A queue
// absorbs bursts. While it does not empty, only a few searches may wait; the rest are refused
// at once, so that those that are served stay fast and throughput does not fall.
//
// A panic is 500 and a line in the log with its stack; the daemon goes on. The log has one
// line a minute about the same fault, and ten in all. A client that leaves costs a count.
//
// # The operator's side
//
//	/livez         200 while the process lives
//	/readyz        200 when a whole revision is served; 503 before, while stopping, and while its index is known to be damaged
//	/metrics       for Prometheus, the names below
//	/debug/pprof/  profiles
//	/log-level     GET: the least level that is logged; PUT debug, info, warn or error: another one
//
// It is meant for loopback or a private network; nothing on it is secret, but a
// profile costs time.
//
//	searchd_requests_total{status}                  requests; 499 is a client that left
//	searchd_request_seconds                         time from a request to its answer
//	searchd_queue_seconds                           time that a search waited for its turn
//	searchd_searches_running                        searches that run now
//	searchd_searches_waiting                        searches that wait now
//	searchd_shed_total                              refused because the queue was full
//	searchd_timed_out_total                         given up at the time limit
//	searchd_zero_results_total                      searches for something that found nothing
//	searchd_connections_dropped_total               connections closed because there were too many
//	searchd_accept_failures_total                   times that no connection could be accepted
//	searchd_panics_total                            faults of searchd
//	searchd_refused_total{reason}                   not signed by the CDN: missing, malformed, signature, expired, claims
//	searchd_ready                                   1 when a whole revision is served, and its index is not known to be damaged
//	searchd_articles                                articles of that revision
//	searchd_index_bytes                             bytes on disk of all indexes, one that is being built included
//	searchd_revision_info{revision}                 1, of that revision
//	searchd_revision_timestamp_seconds              since when this process serves it
//	searchd_last_reload_successful                  0 when the newest publication could not be taken up
//	searchd_last_reload_success_timestamp_seconds   when the source was last found whole
//	searchd_last_merge_successful                   0 when files of the index could not be merged
//	searchd_reloads_total{kind}                     revisions taken up: update or rebuild
//	searchd_reload_failures_total{reason}           looks at the source that failed: unreachable, status, missing, older, damaged, disk
//	searchd_reload_seconds{kind}                    time to take up a revision
//	searchd_source_requests_total{status}           requests for files of a site that is followed; none is no answer
//	searchd_source_bytes_total                      bytes of files fetched from it
//	searchd_log_lines_total{level}                  warnings and errors of the log, also those below the level that is written: warn, error
//	searchd_log_lines_lost_total                    lines of the log that could not be written
//
// and those of the Go runtime and the process (go_*, process_*).
//
// # Privacy
//
// No query, no address and no other header of a caller is written anywhere: not in
// the log, not in a metric, not on disk.
package searchd
