// Serves a project as Netlify does, with its edge functions: `node dev.mjs ROOT PORT`.
// @netlify/dev is what Netlify's Vite plugin runs; here it has an HTTP server around it,
// which also evens out where it is not as production.
import { createHash } from "node:crypto";
import http from "node:http";
import { NetlifyDev } from "@netlify/dev";

const [root, port] = process.argv.slice(2);
const off = { enabled: false };
const options = {
  projectRoot: root,
  serverAddress: `http://127.0.0.1:${port}`,
  skipGitignore: true,
  aiGateway: off, blobs: off, database: off, environmentVariables: off, functions: off, geolocation: off, images: off, server: off,
};
// For each request Deno is asked, in a new worker, which paths the functions are for: here once, for they never change.
const { fetch } = globalThis;
const declared = new Map();
globalThis.fetch = async (url, init) => {
  if (init?.method !== "NETLIFYCONFIG") return fetch(url, init);
  const { href } = url;
  if (!declared.has(href)) declared.set(href, await (await fetch(url, init)).json());
  return Response.json(declared.get(href));
};
const dev = new NetlifyDev(options);
const files = new NetlifyDev({ ...options, redirects: off, edgeFunctions: off });
await dev.start();
await files.start();

// ask is what a server answers, with the headers that the rules set.
async function ask(server, request) {
  const rules = {};
  const found = await server.handleAndIntrospectNodeRequest(request, { headersCollector: (name, value) => { rules[name] = value; } });
  for (const [name, value] of Object.entries(rules)) found?.response.headers.set(name, value);
  return found;
}

// answer is what production would send where @netlify/dev does otherwise: a file that
// wins over a rule has its own headers, the document of a 404 has that status, and each
// file has a tag, by which a caller's copy is known again.
async function answer(request) {
  let found = await ask(dev, request);
  const file = found?.type === "redirect" && (await ask(files, request));
  if (file) found = file;
  if (!found) return new Response(null, { status: 404 });
  const { response, type } = found;
  if (type === "edge-function" || response.status !== 200 || response.headers.has("ETag")) return response;
  const body = Buffer.from(await response.arrayBuffer());
  const { headers } = response;
  if (type === "redirect" && headers.get("Content-Type") === "application/problem+json") return new Response(body, { status: 404, headers });
  headers.set("ETag", `"${createHash("sha256").update(body).digest("hex")}"`);
  const known = (request.headers["if-none-match"] ?? "").split(",").some((tag) => ["*", headers.get("ETag")].includes(tag.trim().replace(/^W\//, "")));
  return known ? new Response(null, { status: 304, headers }) : new Response(body, { headers });
}

http.createServer(async (request, response) => {
  try {
    const { status, headers, body } = await answer(request);
    response.writeHead(status, Object.fromEntries(headers));
    for await (const part of body ?? []) response.write(part);
    response.end();
  } catch (error) {
    if (!(error instanceof URIError)) console.error(error); // else a path that cannot be decoded
    response.writeHead(error instanceof URIError ? 400 : 500).end();
  }
}).listen(Number(port), "127.0.0.1");
