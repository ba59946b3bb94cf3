// Package edge answers requests as the content delivery network does: static files
// and the rules of netlify.toml. The preview serves a published folder through it,
// so that what an author sees on one machine is what the deployed site answers.
//
// # Rules
//
// [Parse] reads the [[redirects]] and [[headers]] of a netlify.toml. It is strict: a
// key it does not know, or a rule that the host would refuse or quietly ignore, is an
// error with its line and how to fix it. The other tables ([build], [context.…])
// are the host's business and are not read.
//
// What the rules mean was learnt from Netlify's documentation ("Redirects and
// rewrites", "Custom headers") and, where that is silent, by asking Netlify's own
// engine (npm netlify-redirector 0.5.0):
//
//   - The first rule that matches wins, and a rewrite to a file that does not exist
//     never reaches a later rule: it is 404.
//   - A file that exists wins over a rule for its path (shadowing), unless the rule
//     has force = true.
//   - Paths match case by case, with or without a slash at their end. A segment of from
//     is a literal, a placeholder (":name", exactly one segment) or a splat ("*", any
//     number of segments, also none; at most one in a rule).
//   - query lists parameters that must all be there; others do not matter. A value is
//     a literal or a placeholder. "?id" without an equals sign is no parameter; of one
//     that is given twice, the last counts.
//   - to may use every placeholder and ":splat". A value that came from the query is
//     one segment: a slash in it stays encoded.
//   - status is 301 where it is absent. 301, 302, 303, 307 and 308 redirect, and the
//     query goes along unless to has one; 200 rewrites; 401 to 499 answer to's document
//     with that status. 400 does not work on the host, so it is refused here.
//   - A rule to an absolute address with status 200 forwards the request. Here every
//     such request goes to one handler in process, the search; its headers table is
//     sent along, and signed is accepted but not used, since nothing can come between.
//   - The rules of [[headers]] match the path that was asked for, not what it was
//     rewritten to, and apply only to files. All that match apply, in their order; of
//     two with the same header, the later wins here. (Hosts differ in that, so the
//     project's own file has no such pair; a test sees to it.)
//
// Not supported, and therefore refused: conditions (country, language, role, cookie) and rules for
// other domains.
//
// # Files
//
// A file is read whole before its answer begins, so a build that replaces it meanwhile
// cannot mix two versions. It carries a strong ETag, which is a hash of its bytes, and
// answers 304 to If-None-Match. Without a rule, Cache-Control is the host's own
// "public, max-age=0, must-revalidate". Nothing is compressed: the host does that, and
// on one machine it would only hide the bytes. Ranges are not served (RFC 9110, 14.2
// leaves that free).
//
// A folder shows its index.html and never a listing. These are 404, whatever lies on
// the disk: names that begin with a dot (but for .well-known), _headers and _redirects,
// encoded slashes, backslashes, control characters, and names below /api/article/ that
// are no article's. The published folder is opened through an fs.FS; give it one that
// follows no link out of the folder, such as that of os.Root.
//
// # What is repaired
//
// Rules cannot say all that the contract asks. On the host a small edge function, netlify/api.js
// beside this file, says the rest (without it, the right documents are still sent, with status
// 404); here that is part of the handler, and `make e2e` compares the two. The configurations in
// the folder hosts do the same in nginx, Caddy and Varnish:
//
//   - Every error under /api is application/problem+json with the headers of
//     [article.WriteProblem], never those of success, and the document's own status:
//     the published document of a missing id says 400, where rules must say 404.
//   - A parameter's name may be percent-encoded, as its value may (equal addresses have equal
//     answers).
//   - An id given twice, with a value or without, is a missing id (400): no single article was
//     named. An id that is unknown, malformed, of a draft, or expired is not found (404): one and
//     the same bytes, because nothing but the file's existence is looked at.
//   - Below /api, a path with a slash at its end is another path, and not found.
//   - Methods other than GET, HEAD and OPTIONS are 405; OPTIONS is 204, a preflight or not.
//
// Forwarded requests are left alone, errors and all: the daemon answers the whole
// contract itself.
//
// A visitor who asks for a page that does not exist gets 404.html, as text/html, just as
// the host sends it. The builder writes the problem document into that file, because the
// host also shows it for API paths that rules could not answer; a site that has pages of
// its own puts its own 404.html there.
package edge
