// Prints what Netlify's own parsers make of a netlify.toml: `node parse.mjs FILE`.
import { resolveConfig } from "@netlify/config";
import { parseAllHeaders } from "@netlify/headers-parser";
import { parseAllRedirects } from "@netlify/redirect-parser";

const file = process.argv[2];
const redirects = await parseAllRedirects({ redirectsFiles: [], netlifyConfigPath: file, configRedirects: [], minimal: true });
const headers = await parseAllHeaders({ headersFiles: [], netlifyConfigPath: file, configHeaders: [], minimal: true });
const builds = {};
for (const context of ["production", "deploy-preview", "branch-deploy"]) {
  builds[context] = (await resolveConfig({ config: file, context, branch: "main", offline: true, mode: "cli" })).config.build;
}
console.log(JSON.stringify({
  redirects: redirects.redirects,
  headers: headers.headers,
  errors: [...redirects.errors, ...headers.errors].map(String),
  builds,
}));
