// Judges sitemap.xml and .well-known/api-catalog of a published folder. Arguments: the
// folder, and the address of its site.
import { parse } from "@drupal/linkset";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { validateXML } from "xmllint-wasm";

const [folder, base] = process.argv.slice(2);
const wrong = [];

// The schema of sitemaps.org, as the package sitemap has it.
const packed = dirname(createRequire(import.meta.url).resolve("sitemap/package.json"));
const schema = readFileSync(join(packed, "schema", "sitemap.xsd"), "utf8");
const errors = async (xml) => (await validateXML({ xml: [{ fileName: "sitemap.xml", contents: xml }], schema: [schema] })).errors;
const sitemap = readFileSync(join(folder, "sitemap.xml"), "utf8");
for (const error of await errors(sitemap)) wrong.push(`sitemap.xml: ${error.message}`);
for (const [what, broken] of [
  ["a date that is none", sitemap.replace(/<lastmod>[^<]*/, "<lastmod>soon")],
  ["no address", sitemap.replace(/<loc>[^<]*<\/loc>/, "")],
]) {
  if (broken === sitemap || (await errors(broken)).length === 0) wrong.push(`the schema takes a sitemap with ${what}`);
}

// What RFC 9727 wants of a catalog: its items are the APIs (4), and of each it is known
// how it is described (5.1).
const text = readFileSync(join(folder, ".well-known", "api-catalog"), "utf8");
if (Object.keys(JSON.parse(text)).join() !== "linkset") wrong.push("the catalog has members beside linkset (RFC 9264, 4.2.1)");
const links = [...parse(text)];
const apis = links.filter((l) => l.rel === "item" && l.anchor === `${base}/.well-known/api-catalog`);
if (apis.length !== 1) wrong.push(`the catalog lists ${apis.length} APIs`);
for (const api of apis) {
  const about = (rel) => links.find((l) => l.anchor === api.href && l.rel === rel);
  for (const [rel, href, type] of [
    ["service-desc", "/openapi.json", "application/json"],
    ["service-doc", "/docs/", "text/html"],
    ["service-meta", "/llms.txt", "text/plain"],
    ["status", "/api/health", "application/json"],
  ]) {
    const link = about(rel);
    if (link?.href !== base + href || link?.attributes.type !== type) wrong.push(`the catalog's ${rel} is ${JSON.stringify(link)}`);
  }
}
for (const link of links) {
  for (const address of [link.anchor, link.href]) new URL(address); // an exception names it
}

if (wrong.length > 0) {
  console.error(wrong.join("\n"));
  process.exit(1);
}
console.log(`${sitemap.split("<url>").length - 1} pages, ${links.length} links`);
