// Judges sitemap.xml, .well-known/api-catalog and the page's linked data of a published
// folder. Arguments: the folder, the address of its site, and a folder with the sitemaps
// of a larger site.
import { parse } from "@drupal/linkset";
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { validateXML } from "xmllint-wasm";

const [folder, base, several] = process.argv.slice(2);
const wrong = [];
const read = (...path) => readFileSync(join(...path), "utf8");

// The schema of sitemaps.org, as the package sitemap has it.
const packed = dirname(createRequire(import.meta.url).resolve("sitemap/package.json"));
const schema = read(packed, "schema", "sitemap.xsd");
// That of an index says the same of <sitemapindex> and <sitemap>, but for the two
// elements of a page that a sitemap does not have. The package does not have it.
const schemaOfIndex = schema.replace('name="urlset"', 'name="sitemapindex"').replace('name="url" type', 'name="sitemap" type').replace(/<xsd:element name="(changefreq|priority)"[^>]*>/g, "");
const errors = async (xml, schema) => (await validateXML({ xml: [{ fileName: "sitemap.xml", contents: xml }], schema: [schema] })).errors;

// judge wants a sitemap that the schema takes, and that it takes none with a mistake.
async function judge(name, xml, schema, mistakes) {
  for (const error of await errors(xml, schema)) wrong.push(`${name}: ${error.message}`);
  for (const [what, broken] of mistakes) {
    if (broken === xml || (await errors(broken, schema)).length === 0) wrong.push(`the schema takes ${name} with ${what}`);
  }
}
const sitemap = read(folder, "sitemap.xml");
const noAddress = (xml) => ["no address", xml.replace(/<loc>[^<]*<\/loc>/, "")];
await judge("sitemap.xml", sitemap, schema, [noAddress(sitemap), ["a date that is none", sitemap.replace(/<lastmod>[^<]*/, "<lastmod>soon")]]);
const index = read(several, "several_sitemap.xml");
await judge("an index", index, schemaOfIndex, [noAddress(index), ["a page", index.replaceAll("sitemap>", "url>")], ["a priority", index.replace("</loc>", "</loc><priority>1.0</priority>")]]);
for (const [, number] of index.matchAll(/sitemap-(\d+)\.xml/g)) {
  const part = read(several, `several_sitemap-${number}.xml`);
  await judge(`part ${number}`, part, schema, [noAddress(part)]);
}

// The linked data of the page, by the types and properties of schema.org, which the
// package schema-dts has as types. The constraint of an action's input is Google's.
const [, json] = read(folder, "index.html").match(/<script type="application\/ld\+json">(.*?)<\/script>/s);
const linked = JSON.parse(json);
const action = linked["@graph"][0].potentialAction;
delete linked["@graph"][0].potentialAction;
const types = (data) => `import type { Graph, SearchAction, WithActionConstraints } from "schema-dts";
const potentialAction: WithActionConstraints<SearchAction> = ${JSON.stringify(action)};
const data: Graph = ${JSON.stringify(data)};
export default [data, potentialAction];
`;
writeFileSync("linked.ts", types(linked));
writeFileSync("mistake.ts", types({ ...linked, "@graph": linked["@graph"].map((thing) => ({ ...thing, nothing: 1 })) }));
const said = spawnSync(process.execPath, ["node_modules/typescript/bin/tsc", "--noEmit", "--strict", "--skipLibCheck", "--module", "nodenext", "--target", "es2022", "linked.ts", "mistake.ts"], { encoding: "utf8" }).stdout;
for (const line of said.split("\n")) if (line.startsWith("linked.ts")) wrong.push(line);
if (!said.includes("mistake.ts")) wrong.push(`the types of schema.org take a property that they do not have: ${said}`);

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
