// The three calls of the API, through a client that is made from its OpenAPI document.
// Arguments: the address of the site, and a query that finds something.
import createClient from "openapi-fetch";
import type { components, paths } from "./schema.js";

function check(right: boolean, what: string): asserts right {
  if (!right) throw new Error(what);
}

const [base, q] = process.argv.slice(2);
check(base !== undefined && q !== undefined, "usage: client ADDRESS QUERY");
const api = createClient<paths>({ baseUrl: base });

const found = await api.GET("/api/articles", { params: { query: { q, limit: 3, offset: 0, language: ["en", "de"] } } });
check(found.data !== undefined, `search: ${found.response.status} ${JSON.stringify(found.error)}`);
const hit: components["schemas"]["Hit"] | undefined = found.data.articles[0];
check(hit !== undefined && found.data.count === found.data.articles.length && found.data.limit === 3, "the search finds nothing");

const read = await api.GET("/api/article", { params: { query: { id: hit.id } } });
check(read.data !== undefined && read.data.title === hit.title && read.data.content_text.length > 0, `article ${hit.id}: ${read.response.status}`);

const health = await api.GET("/api/health");
check(health.data !== undefined && health.data.status === "ok" && health.data.revision === found.data.revision, `health: ${health.response.status}`);

// A mistake has a type too: what is wrong, by parameter.
const wrong = await api.GET("/api/articles", { params: { query: { q, limit: 0 } } });
check(wrong.response.status === 400 && wrong.error !== undefined && "errors" in wrong.error && wrong.error.errors?.[0]?.parameter === "limit", "a wrong limit has no problem document");
const missing = await api.GET("/api/article", { params: { query: { id: "no-such-article" } } });
check(missing.response.status === 404 && missing.error?.status === 404, "an unknown id has no problem document");

console.log(`${found.data.total} found, ${hit.title}: ${read.data.word_count} words; ${health.data.articles} articles`);
