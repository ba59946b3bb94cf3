// Serves a project as Netlify does, with its edge functions: `node dev.mjs ROOT PORT`.
// @netlify/dev is what Netlify's Vite plugin runs; here it has an HTTP server around it.
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

http.createServer(async (request, response) => {
  try {
    let found = await ask(dev, request);
    let status = found?.response.status ?? 404;
    if (found?.type === "redirect") {
      // It gives a file that wins over a rule the headers of the rule's target, and sends
      // the document of a 404 with status 200. Production and the CLI do neither.
      const file = await ask(files, request);
      if (file) found = file;
      else if (status === 200 && found.response.headers.get("Content-Type") === "application/problem+json") status = 404;
    }
    response.writeHead(status, Object.fromEntries(found?.response.headers ?? []));
    response.end(found && Buffer.from(await found.response.arrayBuffer()));
  } catch (error) {
    console.error(error);
    response.writeHead(500).end();
  }
}).listen(Number(port), "127.0.0.1");
