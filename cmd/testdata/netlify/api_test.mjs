// The edge function alone, where Netlify's development server cannot show it: what it
// hands on, and what it does with answers that only production gives.
import assert from "node:assert/strict";
import { test } from "node:test";
import api, { config } from "./api.js";

const site = "https://site.example";
const documents = { "missing-id": 400, "not-found": 404, "method-not-allowed": 405 };

// ask runs the function before a host that gives this answer to what is handed on.
async function ask(target, { method = "GET", headers = {}, host = new Response("{}", { status: 200 }), publish = documents } = {}) {
  const handed = [];
  globalThis.fetch = async (url) => {
    const kind = String(url).match(/^https:\/\/site\.example\/api\/errors\/(.*)\.json$/)?.[1];
    return publish[kind] ? Response.json({ type: `${site}/problems/${kind}`, status: publish[kind] }) : new Response("", { status: 404 });
  };
  const next = async (request, options) => {
    handed.push({ url: request.url.slice(site.length), method: request.method, tag: request.headers.get("If-None-Match"), ...options });
    for (const name of ["Range", "If-Range", "If-Match", "If-Unmodified-Since"]) assert.equal(request.headers.get(name), null, name);
    return host;
  };
  return { answer: await api(new Request(site + target, { method, headers }), { next }), handed };
}

test("only the id is handed on, and the condition with it", async () => {
  const { handed } = await ask("/api/article?utm_source=x&id=an-article&y", { headers: { "If-None-Match": '"tag"' } });
  assert.deepEqual(handed, [{ url: "/api/article?id=an-article", method: "GET", tag: '"tag"', sendConditionalRequest: true }]);
});

test("no part is asked for, and no writer's condition is handed on", async () => {
  const headers = { "Range": "bytes=0-9", "If-Range": '"tag"', "If-Match": '"other"', "If-Unmodified-Since": "Mon, 01 Jan 1990 00:00:00 GMT", "Accept-Encoding": "gzip" };
  for (const target of ["/api/article?id=an-article", "/api/article/an-article.json", "/api/health"]) {
    const { answer, handed } = await ask(target, { headers });
    assert.deepEqual([target, answer.status, handed.length], [target, 200, 1]);
  }
});

test("the host's answer is handed back as it is", async () => {
  for (const status of [200, 304, 500, 503]) {
    const host = new Response(null, { status });
    assert.equal((await ask("/api/article?id=a", { host })).answer, host);
  }
});

test("an id of another form is not found, without asking", async () => {
  for (const id of ["Upper", "a/b", "..%2Fhealth", "a%00", "%ff", "a.", "-a", "a--b", "a".repeat(201), "a%0A", "%20a", "a+b"]) {
    const { answer, handed } = await ask(`/api/article?id=${id}`);
    assert.deepEqual([id, answer.status, handed], [id, 404, []]);
  }
  assert.equal((await ask(`/api/article?id=${"a".repeat(200)}`)).handed.length, 1);
});

test("an id given twice is none, with a value or without", async () => {
  for (const query of ["id=a&id=b", "id=a&id=a", "id=a&id=", "id&id=a", "id=a&%69d=a"]) {
    const { answer, handed } = await ask(`/api/article?${query}`);
    assert.deepEqual([query, answer.status, handed], [query, 400, []]);
  }
});

test("what is not there is one problem, whatever the host makes of it", async () => {
  for (const host of [new Response("<html>", { status: 404 }), new Response("", { status: 403 }), new Response("", { status: 400 })]) {
    const { answer } = await ask("/api/other", { host });
    assert.deepEqual([answer.status, answer.headers.get("Content-Type"), (await answer.json()).type],
      [404, "application/problem+json", `${site}/problems/not-found`]);
  }
});

test("HEAD has the headers of GET and no body", async () => {
  const host = new Response(null, { status: 404 });
  const [get, head] = [(await ask("/api/other", { host })).answer, (await ask("/api/other", { host, method: "HEAD" })).answer];
  assert.deepEqual([...head.headers], [...get.headers]);
  assert.equal(head.body, null);
});

test("without the documents it fails, so that the rules answer", async () => {
  assert.equal(config.onError, "bypass");
  await assert.rejects(ask("/api/article", { publish: {} }), /missing-id\.json: status 404/);
});

test("it runs for all of /api but the search and its own documents", () => {
  const runs = (path) => new RegExp(config.pattern).test(path) && !config.excludedPattern.some((p) => new RegExp(p).test(path));
  for (const path of ["/api", "/api/", "/api/article", "/api/articles/", "/api/health", "/api/other", "/api/errors/"]) assert.ok(runs(path), path);
  for (const path of ["/api/articles", "/api/errors/not-found.json", "/", "/apis", "/problems/not-found/", "/openapi.json"]) assert.ok(!runs(path), path);
});
