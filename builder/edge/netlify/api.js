// Netlify runs this before the rules of netlify.toml, for everything under /api but the
// search. It answers what rules cannot say: status 400 and 405, OPTIONS, a problem
// document of its own type, and one answer for an id however it is asked for. The
// documents are those that the builder published, so this file holds no text of the
// contract. Where it fails, the rules alone answer (onError): the same documents, with
// status 404. Package builder/edge does the same in Go.

export const config = {
  pattern: "^/api(/.*)?$",
  // searchd answers the search whole; the documents of the problems are fetched below.
  // Not as paths: those would leave out /api/articles/ too, which is not found.
  excludedPattern: ["^/api/articles$", "^/api/errors/.+$"],
  onError: "bypass",
};

const methods = "GET, HEAD, OPTIONS";

// The form of an id, as the contract has it. Anything else is not found, unasked: file
// names have no case in production, and an odd path is read by each system in its own way.
const id = /^(?=.{1,200}$)[a-z0-9]+(?:[._-][a-z0-9]+)*$/;

// What a caller may ask of an answer and does not get: a part of it, or a writer's conditions.
const unasked = ["Range", "If-Range", "If-Match", "If-Unmodified-Since"];

const headers = {
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Expose-Headers": "ETag, Link, Retry-After, Server-Timing",
  "X-Content-Type-Options": "nosniff",
  "Link": '</openapi.json>; rel="service-desc"',
};

export default async function api(request, context) {
  const url = new URL(request.url);
  if (request.method === "OPTIONS") return options();
  if (request.method !== "GET" && request.method !== "HEAD") return problem(request, "method-not-allowed", { Allow: methods });

  const file = url.pathname.match(/^\/api\/article\/(.*)$/s);
  if (url.pathname.endsWith("/") || (file && !(/\.(json|md)$/.test(file[1]) && id.test(file[1].replace(/\.[^.]*$/, ""))))) {
    return problem(request, "not-found");
  }
  if (url.pathname === "/api/article") {
    const ids = url.searchParams.getAll("id");
    if (ids.length !== 1 || ids[0] === "") return problem(request, "missing-id");
    if (!id.test(ids[0])) return problem(request, "not-found");
    url.search = "?id=" + ids[0]; // production may refuse a rule's query with more in it
  }
  const asked = new Request(url, request);
  for (const name of unasked) asked.headers.delete(name);
  const answer = await context.next(asked, { sendConditionalRequest: true });
  return answer.status >= 400 && answer.status < 500 ? problem(request, "not-found") : answer;
}

// A CORS preflight, or not.
function options() {
  return new Response(null, {
    status: 204,
    headers: {
      ...headers,
      "Allow": methods,
      "Access-Control-Allow-Methods": methods,
      "Access-Control-Allow-Headers": "*",
      "Access-Control-Max-Age": "86400",
      "Cache-Control": "public, max-age=86400",
    },
  });
}

// problem answers with the published document of a kind, and the status that it states.
async function problem(request, kind, more) {
  const document = await fetch(new URL(`/api/errors/${kind}.json`, request.url));
  if (!document.ok) throw new Error(`/api/errors/${kind}.json: status ${document.status}`);
  const body = await document.text();
  return new Response(request.method === "HEAD" ? null : body, {
    status: JSON.parse(body).status,
    headers: { ...headers, "Content-Type": "application/problem+json", "Cache-Control": "public, max-age=60", ...more },
  });
}
