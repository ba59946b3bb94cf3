// Package searchd answers searches of a published site: GET /api/articles. It follows a published
// folder, or the site that serves it, keeps an index of it, and answers from that index over HTTP.
//
// A [Live] is the index that follows its source, [NewHandler] its public side, and [Serve] the
// daemon around both. [Live.Check] searches for every article as people would, and reports which
// are not found.
//
// # What is served
//
// Always one whole revision of the published folder. Every answer is made from one revision, and
// names it: a request takes the one that is current when it begins, and keeps it to its end. While
// a new revision is taken up, the one before it answers.
//
// A Live looks at the manifest after each event of the file system, and every [Options.Poll] in any
// case, for events are only hints. If the manifest has the same bytes, there is nothing to do.
// Otherwise it reads only the chunks that the last manifest did not have, compares their articles
// by digest with those of the index, and applies the difference in one atomic step. A change of
// more than a fifth of the articles (and more than 1,000), or of more than 64 MB of text, becomes a
// new index beside the old one; so does every change of an index whose last update failed. An index
// that was opened on a read-only file system takes no update; if writes succeed by then, a copy of
// it takes its place. The old index is closed and removed when the last search in it ends. An index
// that is found to be damaged is built anew at the next look, which comes at once if a search found
// the damage. If the new one is soon damaged too, the disk is at fault, or searchd itself: from
// then on each rebuild waits longer than the last, up to an hour.
//
// An older revision is taken up like a newer one: a rollback is legal.
//
// What cannot be read, or is not whole, changes nothing: the revision before stays, [Status.Err]
// and the metrics say so, the log says it once, and the next look tries again.
//
// # A site as the source
//
// To follow a site, searchd copies its corpus into the data folder, and reads the copy like any
// published folder. So only the copying knows of networks: all files are there before the first is
// used, an index can be built anew without a network, and an interrupted fetch goes on where it
// stopped. The copy is as large as the packed corpus.
//
// A look asks for the manifest, with If-None-Match, every [Options.Poll], give or take a fifth at
// random. Then it fetches the files that the copy lacks, six at once. None may be larger than the
// manifest says, and each gets its name only when its digest is right. The manifest is written
// next, and files that it does not name are removed last. A file that has gone meanwhile means a
// new deploy, and a new look. After a failure the pauses double, up to five minutes, and are at
// least as long as Retry-After says. A file that is not there yet (404) is no such failure: the
// site waits for its first build, or a CDN does not know a new file yet, so searchd asks as often
// as before.
//
// Many hosts make an ETag from a file's second and size, so two builds may have the same one. It is
// sent only if the file was at least two seconds old when it came (RFC 9110, 8.8.2.2), and once an
// hour not at all: where all files have the same time, two builds may share an ETag for ever.
// If-Modified-Since is never sent, because some hosts would call a rollback unchanged.
//
// Equal content has equal bytes, so a manifest has no build number, and the host must tell which of
// two is older: by Last-Modified; or else by Age, which says when the site itself sent each; or
// else the older one is that which searchd held before, unless an Age shows that the site itself
// has sent it since. An older manifest comes from a cache or a replica of the site that is behind,
// and counts as a failure; or the site was rolled back. A rollback is believed after five minutes
// without any other manifest, which is as long as a CDN may keep a search anyway. A rollback that
// is published anew has a later time, and is followed at once. A folder needs none of this: there
// is only one of it.
//
// TLS is verified. An address without TLS must be of this machine, unless [Options.AllowHTTP] is
// set. A redirect is followed only to the same scheme, host and port.
//
// # The data folder
//
//	lock          held (flock) by the one process that uses the folder
//	index-v1-<n>  an index, as package index keeps it
//	site/         the copy of a site: corpus/…, and source.json, what is known of its manifest
//
// Each look begins with the lock: if the folder was removed and made again meanwhile, searchd takes
// it once more and builds a new index in it. While the folder is missing, or another process has
// it, nothing is loaded.
//
// An index stores the manifest of its revision in the same atomic step as the articles, so an index
// without one was never finished. The newest finished one is current; there is no pointer that
// could disagree. At the start all others are removed, as are those of other versions of this
// layout (the number after v). Files of other names are left alone; if there is a folder site/ that
// searchd did not make, the start fails. A process that is killed at any instant leaves the
// revision before or after, and the next start serves it without reading the source.
//
// An index that is damaged, or fails a first search, is removed with a line in the log and built
// again. If the machine does not let searchd open it (too many open files, no permission), the
// start fails and nothing is removed. On a read-only file system the index is served as it is. A
// start trusts the files that nobody has written to since they were last read, and reads them again
// while it serves; what turns out to be wrong then is removed too, as is a file of the copy that is
// not what its name says.
//
// # The public side
//
//	GET, HEAD /api/articles?q=&limit=&offset=&tag=&language=   200, 304, 400, 500, 503
//	OPTIONS   any path                                         204
//	other methods of /api/articles                             405
//	everything else                                            404
//	any of these, not signed                                   401, with [Options.NetlifySecrets] only
//
// The parameters are strict: q, limit and offset at most once each, tag and language a few times
// each (an article needs one of the tags, and one of the languages); percent-encoded correctly,
// UTF-8, no bare semicolon, no ASCII control character but white space, q within its limits of
// length. Everything else in the query string is ignored, even if it is malformed: caches leave it
// out of their keys, so it must not change an answer.
//
// With secrets, each request must carry X-Nf-Sign exactly once: a compact JWS (RFC 7515), signed
// with one of the secrets by HS256, issued by "netlify", and not expired. It is checked before
// anything else. The OpenAPI document rightly has no 401: it describes the site's own address,
// where callers need no key because the CDN signs for them. Only a caller that bypasses the CDN
// sees a 401, and no cache keeps it.
//
// All headers of an answer are set here; see package article for those of errors. Only what is not
// HTTP, or has a head of more than 20 kB, gets plain text from net/http, with 400 or 431: no search
// is so long. An answer is written once it is whole, so none is partial: a search that takes longer
// than the time limit is 503, and so is one that finds the queue full, at once. A queue absorbs
// bursts. While it does not empty, only a few searches may wait; the rest are refused at once, so
// that those that are served stay fast and throughput does not fall.
//
// A panic is 500 and a line in the log with its stack; the daemon goes on. In a minute, the log has
// at most one line about the same fault, and ten in all. A client that leaves is only counted.
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
//
// # Source files
//
//	live, load, changes, repairs       the index that is served, and how a revision is taken up, or a damaged index replaced
//	data, lock, room                   the data folder
//	follow, site, remote, edition      when the source is looked at; a site as the source, and which of its manifests is older
//	serve, connections, whole, files   the daemon and its connections
//	handler, query, gate, signature    how a search is answered: its parameters, its turn, who may ask
//	admin, metrics, log                the operator's side
//	errors                             what failed, and what to do about it
//	check, sample                      Live.Check, and the queries that it makes of articles
package searchd
