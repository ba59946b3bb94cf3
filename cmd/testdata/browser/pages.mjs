// The stories of the pages, in Chromium. Go starts the sites and names them in SITES;
// a picture of each state goes into the folder shots.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { after, describe, it } from "node:test";
import { chromium } from "playwright-core";

const sites = JSON.parse(process.env.SITES);
const axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const browser = await chromium.launch({ executablePath: sites.chromium, args: ["--no-sandbox"] });
after(() => browser.close());

const sizes = {
  phone: { width: 360, height: 740 },
  tablet: { width: 820, height: 1180 },
  desktop: { width: 1440, height: 900 },
};
const budget = 60_000; // bytes of all that a page loads

// waitLonger lets a page wait for an answer as long as a story does: a busy machine may take
// more than the 10 s after which a reader is told that the search does not answer.
function waitLonger() {
  const later = window.setTimeout;
  window.setTimeout = (run, ms, ...rest) => later(run, ms === 10_000 ? 50_000 : ms, ...rest);
}

// story runs with a page of its own and wants silence in the console, and no request of
// another host. The browser reports failed searches, and that a document which is no page
// has no icon; both are no fault.
const stories = [];
function story(name, { size = "desktop", options = {}, hosts = [], failing = false }, run) {
  stories.push([`${name} (${size})`, async () => {
    const context = await browser.newContext({ viewport: sizes[size], reducedMotion: "reduce", ...options });
    context.setDefaultTimeout(50_000);
    await context.addInitScript(waitLonger);
    const page = await context.newPage();
    const said = [];
    const foreign = [];
    page.on("pageerror", (err) => said.push(String(err)));
    page.on("console", (message) => {
      const { url } = message.location();
      if (message.text().startsWith("Failed to load resource") && (failing && url.includes("/api/") || url.endsWith("/favicon.ico"))) return;
      said.push(`${message.type()}: ${message.text()} ${message.location().url}`);
    });
    page.on("request", (request) => {
      const { protocol, origin } = new URL(request.url());
      if (protocol.startsWith("http") && ![new URL(page.url() === "about:blank" ? request.url() : page.url()).origin, ...hosts].includes(origin)) foreign.push(request.url());
    });
    try {
      await run(page, (state) => picture(page, `${state}-${size}`));
      assert.deepEqual(said, [], "the console holds messages");
      assert.deepEqual(foreign, [], "another host was asked");
    } catch (err) {
      await picture(page, `FAILED-${name.replaceAll(/\W+/g, "-")}-${size}`).catch(() => {});
      throw err;
    } finally {
      await context.close();
    }
  }]);
}

const picture = (page, name) => page.screenshot({ path: `${sites.shots}/${name}.png`, animations: "disabled" });

// accessible wants no violation of WCAG 2.2 A and AA, and of what axe calls best practice.
// The policy forbids scripts of others, so axe is evaluated by the browser's debugger.
async function accessible(page) {
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => window.axe.run(document, {
    runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
  }));
  assert.deepEqual(violations.map((v) => `${v.id}: ${v.help}: ${v.nodes.map((n) => n.html).join(" | ")}`), []);
  const { scroll, width } = await page.evaluate(() => ({ scroll: document.documentElement.scrollWidth, width: innerWidth }));
  assert.ok(scroll <= width, `the page is ${scroll} wide, the window ${width}`);
}

const box = (page) => page.getByRole("combobox");
const options = (page) => page.getByRole("option");
const status = (page) => page.locator(".newsstand-status");
const reader = (page) => page.getByRole("region", { name: "Article", exact: true });
const heading = (page) => reader(page).getByRole("heading", { level: 2 });
const text = (page) => page.getByRole("group", { name: "Text" });
const says = (page, text) => status(page).filter({ hasText: text }).waitFor();
const selected = (page) => page.locator("[role=option][aria-selected=true]");
const focused = (locator) => locator.evaluate((e) => e === document.activeElement);
// reference opens it and waits until Swagger UI shows it.
async function reference(page, base, fragment = "") {
  const answer = await page.goto(base + "/docs/" + fragment);
  await page.locator(".opblock").first().waitFor();
  return answer;
}
const operation = (page, id) => page.locator(`#operations-articles-${id}`);
const unfold = (operation) => operation.locator(".opblock-summary-control").press("Enter");
const execute = async (operation) => {
  await operation.getByRole("button", { name: "Execute" }).click();
  return operation.locator(".live-responses-table");
};
// parameter waits until the address has it with the value. The browser learns of an address
// that a page writes a moment later, and goes back from the one that it knows.
const parameter = (page, name, value) => page.waitForURL((url) => url.searchParams.get(name) === value);

for (const size of Object.keys(sizes)) {
  story("search, choose and read with the keyboard", { size }, async (page, shot) => {
    await page.goto(sites.live + "/");
    await shot("start");
    await accessible(page);
    await page.keyboard.press("/");
    assert.ok(await focused(box(page)), "/ goes to the box");
    await page.keyboard.type("schedul");
    // On a slow machine, keys are far apart, and the first of them are searched as well.
    await page.locator(".newsstand-help code", { hasText: "q=schedul&" }).waitFor();
    await says(page, "articles found");
    assert.ok(await options(page).first().locator("mark").count() > 0, "excerpts are highlighted");
    assert.equal(await box(page).getAttribute("aria-expanded"), "true");
    await parameter(page, "q", "schedul");
    await shot("results");
    await accessible(page);

    await page.keyboard.press("ArrowUp");
    assert.equal(await selected(page).getAttribute("id"), await options(page).last().getAttribute("id"), "up goes round to the last");
    await page.keyboard.press("ArrowDown");
    assert.equal(await selected(page).getAttribute("id"), await options(page).first().getAttribute("id"));
    assert.equal(await box(page).getAttribute("aria-activedescendant"), await options(page).first().getAttribute("id"));
    assert.ok(await focused(box(page)), "the focus stays in the box");
    await shot("chosen");
    const title = await selected(page).locator(".newsstand-title").textContent();
    await page.keyboard.press("Enter");
    await reader(page).waitFor();
    assert.equal(await heading(page).textContent(), title);
    assert.ok(await focused(heading(page)), "the focus goes to the article");
    await page.waitForURL((url) => url.searchParams.get("id")); // the article is in the address
    assert.ok(await reader(page).getByRole("heading", { level: 3 }).count() > 0, "its headings are shown as such");
    await shot("article");
    await accessible(page);

    await page.keyboard.press("Escape");
    await reader(page).waitFor({ state: "hidden" });
    assert.ok(await focused(box(page)), "the focus returns to the box");
    await page.keyboard.press("Escape");
    assert.equal(await box(page).getAttribute("aria-expanded"), "false");
    await page.keyboard.press("Escape");
    assert.equal(await box(page).inputValue(), "");
    await parameter(page, "q", null);
  });

  story("deep link", { size }, async (page) => {
    await page.goto(sites.live + "/?q=caddy&id=behind-nginx-or-caddy");
    await reader(page).getByRole("heading", { name: "Behind nginx or Caddy" }).waitFor();
    await says(page, "found");
    assert.equal(await box(page).inputValue(), "caddy");
    await page.keyboard.press("Escape");
    await page.waitForURL((url) => url.search === "?q=caddy");
    await page.goBack();
    await reader(page).getByRole("heading", { name: "Behind nginx or Caddy" }).waitFor();
  });

  story("nothing is found", { size }, async (page, shot) => {
    await page.goto(sites.live + "/");
    await box(page).fill("zzxxyyww");
    await says(page, "Nothing found");
    await shot("nothing");
    await accessible(page);
    await page.goto(sites.live + "/?q=" + encodeURIComponent('"publishing daemon"'));
    await says(page, "Nothing found. Did you mean “publishing daemon”?");
    await shot("suggestion");
    await page.getByRole("button", { name: "Search “publishing daemon”" }).click();
    await says(page, " found");
    await page.goto(sites.live + "/?q=publising&tag=no-such-tag");
    await says(page, "Nothing found. Use fewer words, or others.");
    await page.getByRole("button", { name: "no-such-tag", exact: true }).click();
    await says(page, "Found for “publishing”");
  });

  story("dark", { size, options: { colorScheme: "dark" } }, async (page, shot) => {
    await page.goto(sites.live + "/?q=search");
    await says(page, "found");
    await shot("dark");
    await accessible(page);
    await reference(page, sites.live);
    await unfold(operation(page, "searchArticles"));
    await (await execute(operation(page, "searchArticles"))).waitFor();
    await shot("dark-docs");
    await accessible(page);
  });

  story("without JavaScript", { size, options: { javaScriptEnabled: false } }, async (page, shot) => {
    await page.goto(sites.live + "/");
    assert.ok(await page.locator("#newest li").count() >= 10, "the newest articles are there");
    assert.equal(await page.locator("pre.request").count(), 3, "the three operations are there");
    await page.screenshot({ path: `${sites.shots}/no-script-${size}.png`, fullPage: true });
    await page.getByLabel(/^Search/).fill("caddy");
    await page.getByRole("button", { name: "Search" }).click();
    await page.waitForURL("**/api/articles?q=caddy");

    await page.goto(sites.live + "/docs/");
    await shot("no-script-docs");
    await page.getByText("Without it, the links lead to examples").waitFor();
    assert.equal(await page.getByRole("link", { name: "the OpenAPI document" }).getAttribute("href"), "../openapi.json");
    await page.getByRole("link", { name: "Search: an example" }).click();
    await page.waitForURL("**/api/articles?q=*&limit=3");
  });

  story("reference", { size }, async (page, shot) => {
    const answer = await reference(page, sites.live);
    const policy = answer.headers()["content-security-policy"];
    assert.match(policy, /default-src 'self'/);
    assert.doesNotMatch(policy, /unsafe|data:|\*/);
    await shot("docs");
    await accessible(page);

    const search = operation(page, "searchArticles");
    await unfold(search);
    await page.waitForURL("**/docs/#/articles/searchArticles");
    await search.getByRole("textbox", { name: "q" }).fill("caddy nginx");
    await shot("docs-operation");
    const live = await execute(search);
    await page.getByRole("status").filter({ hasText: "Answered 200." }).waitFor();
    assert.equal(await live.locator("tbody .response-col_status").textContent(), "200");
    const { articles } = JSON.parse(await live.locator(".microlight").first().textContent());
    assert.equal(articles[0].id, "behind-nginx-or-caddy");
    await search.locator(".responses-inner").scrollIntoViewIfNeeded();
    await search.locator(".request-url").evaluate((e) => e.scrollIntoView());
    await shot("docs-answer");

    for (const id of ["getArticle", "getArticleMarkdown", "getHealth"]) {
      await unfold(operation(page, id));
      assert.equal(await (await execute(operation(page, id))).locator("tbody .response-col_status").textContent(), "200");
    }
    for (const schema of await page.locator(".models .json-schema-2020-12-accordion").all()) await schema.click();
    await accessible(page);
    await page.locator(".models").scrollIntoViewIfNeeded();
    await shot("docs-schemas");
  });
}

story("the reference offers GET, and says what is wrong", { failing: true }, async (page, shot) => {
  await reference(page, sites.live, "#/articles/searchArticles");
  const search = operation(page, "searchArticles");
  await search.getByRole("button", { name: "Execute" }).waitFor(); // the address unfolds it
  assert.equal(await page.locator(".opblock").count(), await page.locator(".opblock-get").count());
  for (const other of [".scheme-container", ".topbar", ".authorize", "img"]) assert.equal(await page.locator(other).filter({ visible: true }).count(), 0, other);

  await search.getByRole("textbox", { name: "limit" }).fill("0");
  await search.getByRole("button", { name: "Add string item: tag" }).click();
  await search.getByRole("textbox", { name: "tag" }).fill("caddy");
  await search.getByRole("button", { name: "Execute" }).click();
  await page.getByRole("alert").filter({ hasText: "limit" }).waitFor();
  await shot("docs-invalid");
  await accessible(page);

  await search.getByRole("textbox", { name: "limit" }).fill("5");
  await page.route(/\/api\/articles/, (route) => route.abort());
  await (await execute(search)).getByText("Failed to fetch").waitFor();
  await accessible(page);

  await page.unroute(/\/api\/articles/);
  await search.getByRole("textbox", { name: "q" }).fill("word ".repeat(70));
  await execute(search);
  await page.getByRole("status").filter({ hasText: "Answered 400." }).waitFor();
});

story("the reference without the OpenAPI document", {}, async (page) => {
  await page.route(/openapi\.json$/, (route) => route.fulfill({ json: null }));
  await page.goto(sites.live + "/docs/");
  await page.getByRole("alert").filter({ hasText: "Requests cannot be sent from here" }).waitFor();
  await page.getByRole("link", { name: "Search: an example" }).waitFor();
  await accessible(page);
});

// Every attack of the corpus is shown as the text that it is. No policy helps here.
story("nothing in the OpenAPI document runs", { options: { bypassCSP: true } }, async (page) => {
  const attacks = JSON.parse(await readFile(sites.attacks, "utf8"));
  page.on("dialog", (dialog) => assert.fail(`the document said ${dialog.message()}`));
  await page.addInitScript(() => { window.alert = window.confirm = window.prompt = () => console.error("it ran"); });
  const document = await (await fetch(sites.live + "/openapi.json")).json();
  const operations = Object.values(document.paths).map(({ get }) => get);
  let next = 0;
  const attack = () => attacks[next++ % attacks.length];
  const spoil = (value) => {
    for (const [name, inner] of Object.entries(value ?? {})) {
      if (typeof inner === "object") spoil(inner);
      else if (["title", "summary", "description", "name", "email", "url", "example"].includes(name)) value[name] = attack();
    }
  };
  spoil(document.info);
  spoil(document.components.schemas);
  for (const [i, operation] of operations.entries()) {
    spoil(operation.responses);
    operation.summary = attack();
    operation.description = attack();
    operation.parameters = attacks.filter((_, n) => n % operations.length === i).map((description, n) => ({ name: `p${n}`, in: "query", description, example: description, schema: { type: "string" } }));
  }
  await page.route(/openapi\.json$/, (route) => route.fulfill({ json: document }));
  for (const { operationId, parameters } of operations) {
    await page.goto("about:blank");
    await reference(page, sites.live, `#/articles/${operationId}`);
    await page.locator("[data-param-name]").nth(parameters.length - 1).waitFor();
    assert.deepEqual(await page.locator("[data-param-name] .renderedMarkdown").allTextContents(), parameters.map(({ description }) => description).filter(Boolean));
    const wrong = await page.evaluate(() => [...document.querySelectorAll("#reference *")].filter((e) => /^(script|style|iframe|object|embed|base|meta|link|img|form)$/.test(e.localName) ||
      [...e.attributes].some(({ name, value }) => /^on/.test(name) || name === "href" && !/^(https?:|mailto:|about:blank$)/.test(value))).map((e) => e.outerHTML));
    assert.deepEqual(wrong, []);
  }
});

story("more results, and fewer", {}, async (page, shot) => {
  await page.goto(sites.live + "/");
  await box(page).fill("search");
  await says(page, "the best 10 shown");
  await page.getByRole("button", { name: "More results" }).click();
  await says(page, /^\d+ of \d+ articles shown/);
  const all = await options(page).count();
  assert.ok(all > 10);
  assert.equal(new Set(await options(page).locator(".newsstand-title").allTextContents()).size, all, "each article is there once");
  assert.equal(await selected(page).getAttribute("id"), await options(page).nth(10).getAttribute("id"), "the first of the new ones is selected");
  assert.ok(await focused(box(page)));
  await shot("more");

  const filters = page.getByRole("group", { name: "Keep only articles with" });
  const tag = filters.getByRole("button").first();
  const name = await tag.textContent();
  await tag.press("Enter");
  await filters.getByRole("button", { name, exact: true, pressed: true }).waitFor();
  await page.waitForFunction((n) => document.querySelectorAll("[role=option]").length < n, all);
  assert.ok(await focused(tag), "the focus stays on the filter");
  await parameter(page, "tag", name);
  await shot("filtered");
  await accessible(page);
  await page.goBack();
  await filters.getByRole("button", { name, exact: true, pressed: false }).waitFor();
  await page.waitForURL((url) => url.search === "?q=search");
});

story("typing asks once for each pause, and no answer overtakes another", {}, async (page) => {
  const asked = [];
  const aborted = [];
  page.on("request", (request) => { if (request.url().includes("/api/articles")) asked.push(new URL(request.url()).searchParams.get("q")); });
  page.on("requestfailed", (request) => aborted.push(new URL(request.url()).searchParams.get("q")));
  await page.clock.install();
  await page.goto(sites.live + "/");
  await page.clock.pauseAt(Date.now() + 3_600_000);
  for (const letter of "schedule") {
    await box(page).press(letter);
    await page.clock.runFor(20);
  }
  assert.deepEqual(asked, []);
  await page.clock.runFor(1000);
  await says(page, "found");
  assert.deepEqual(asked, ["schedule"]);

  // The first answer is held back until the second is shown.
  let release;
  const held = new Promise((resolve) => { release = resolve; });
  await page.route(/q=slow/, async (route) => { await held; await route.continue().catch(() => {}); });
  await box(page).fill("slow");
  await page.clock.runFor(1000);
  await box(page).fill("caddy");
  await page.clock.runFor(1000);
  await page.locator(".newsstand-help code", { hasText: "q=caddy&" }).waitFor();
  release();
  assert.deepEqual(asked, ["schedule", "slow", "caddy"]);
  assert.deepEqual(aborted, ["slow"], "a search that is not wanted any more is cancelled");
});

story("the page is light, and nothing in it is inline", {}, async (page) => {
  const sizes = new Map();
  page.on("response", async (response) => sizes.set(response.url(), response.body().then((b) => b.length)));
  const answer = await page.goto(sites.live + "/", { waitUntil: "networkidle" });
  let total = 0;
  for (const size of sizes.values()) total += await size;
  assert.ok(sizes.size >= 3 && total < budget, `${sizes.size} files have ${total} bytes`);
  console.log(`${sizes.size} files of the page have ${total} bytes`);
  const policy = answer.headers()["content-security-policy"];
  assert.match(policy, /default-src 'self'/);
  assert.doesNotMatch(policy, /unsafe|\*/);
});

story("print", {}, async (page, shot) => {
  await page.goto(sites.live + "/?q=caddy&id=the-api");
  await reader(page).waitFor();
  await page.emulateMedia({ media: "print" });
  assert.equal(await page.getByRole("button").count(), 0, "buttons are not printed");
  assert.ok(!await box(page).isVisible());
  await page.screenshot({ path: `${sites.shots}/print.png`, fullPage: true });
  await writeFile(`${sites.shots}/print.pdf`, await page.pdf({ format: "A4" }));
});

story("copy a request", { options: { permissions: ["clipboard-read", "clipboard-write"] } }, async (page) => {
  await page.goto(sites.live + "/?q=caddy");
  await says(page, "found");
  await page.getByRole("button", { name: /^Copy: curl .*\?q=caddy/ }).click();
  await says(page, "Copied.");
  assert.match(await page.evaluate(() => navigator.clipboard.readText()), /^curl 'http.*\/api\/articles\?q=caddy&limit=10'$/);
});

story("an article is shown as it was written", {}, async (page, shot) => {
  await page.goto(sites.live + "/?id=ids-and-urls");
  await reader(page).getByRole("heading", { name: "Ids and URLs" }).waitFor();
  for (const element of ["h3", "table", "pre code", "a", "p > code"]) assert.ok(await text(page).locator(element).count() > 0, `it has ${element}`);
  await shot("written");
  const link = text(page).getByRole("link").first();
  const { searchParams } = new URL(await link.getAttribute("href"));
  await link.click();
  await parameter(page, "id", searchParams.get("id"));
  assert.equal(new URL(page.url()).pathname, "/", "a link to an article opens it here");
  await page.waitForFunction(() => !/Ids and URLs/.test(document.querySelector(".newsstand-reader h2").textContent));
  await page.goBack();
  await reader(page).getByRole("heading", { name: "Ids and URLs" }).waitFor();
});

// Addresses of pictures and of other places, without a page to be relative to, and with one.
for (const url of [undefined, "https://site.example/walks/one/"]) {
  story(`links and pictures of an article ${url ? "with" : "without"} a page`, {}, async (page, shot) => {
    const html = `<h1 id="caf\u00e9">Walks</h1><p><a href="#fn">1</a> <a href="#caf\u00e9">up</a> <a href="../two/">two</a> <a href="javascript:alert(1)">no</a></p>
      <p><img src="${sites.live}/page/icon.svg" alt="ours" width="40"> <img src="https://elsewhere.example/a.png" alt="theirs"> <video src="https://elsewhere.example/a.mp4"></video></p>
      <section class="newsstand-close"><ol start="3"><li id="fn">a note<ul><li>below it</li></ul></li></ol></section><pre>${"long ".repeat(60)}</pre>
      <table><tr><th align="right">n</th></tr><tr><td align="right" colspan="2">1</td></tr></table>`;
    await page.route(/\/api\/article\?id=walk$/, (route) => route.fulfill({ json: { id: "walk", url, title: "A walk", content_html: html, content_text: "", authors: [], tags: [], language: "en" } }));
    await page.goto(sites.live + "/?id=walk");
    await reader(page).getByRole("heading", { name: "A walk" }).waitFor();
    const links = Object.fromEntries(await text(page).locator("a").evaluateAll((all) => all.map((a) => [a.textContent, a.getAttribute("href")])));
    assert.equal(links.theirs, "https://elsewhere.example/a.png", "another host is not asked for a picture");
    assert.equal(links.video, "https://elsewhere.example/a.mp4");
    assert.equal(links.two, url && "https://site.example/walks/two/");
    assert.ok(!("no" in links), "what is no address is no link");
    assert.equal(await text(page).locator("img").getAttribute("alt"), "ours");
    assert.equal(await text(page).locator("[class], [style], [id]").count(), 0);
    await text(page).getByRole("link", { name: "1" }).click();
    assert.ok(await focused(text(page).locator("li").first()), "a link within the article leads to its place");
    await text(page).getByRole("link", { name: "up" }).click();
    assert.ok(await focused(text(page).getByRole("heading", { name: "Walks" })));
    await parameter(page, "id", "walk");
    await shot(url ? "links" : "links-without-page");
    await accessible(page);
  });
}

// Every attack of the corpus, as it is and as the builder publishes it. No policy helps
// the script here.
story("nothing in an article runs", { options: { bypassCSP: true } }, async (page) => {
  const articles = JSON.parse(await readFile(sites.attacks, "utf8"));
  assert.ok(articles.length > 250);
  page.on("dialog", (dialog) => assert.fail(`an article said ${dialog.message()}`));
  await page.addInitScript(() => { window.alert = window.confirm = window.prompt = () => console.error("it ran"); });
  await page.route(/\/api\/article\?id=attack-/, (route) => {
    const id = new URL(route.request().url()).searchParams.get("id");
    route.fulfill({ json: { id, url: sites.live + "/walks/", title: id, content_html: articles[id.split("-")[1]], content_text: "", authors: [], tags: [], language: "en" } });
  });
  await page.route(/\/walks\//, (route) => route.fulfill({ contentType: "image/svg+xml", body: "<svg xmlns='http://www.w3.org/2000/svg'/>" }));
  await page.goto(sites.live + "/");
  const wrong = await page.evaluate(async (n) => {
    const wrong = [];
    const link = document.querySelector("#newest a[data-article]");
    const harmless = /^(https?|mailto|tel):/;
    for (let i = 0; i < n; i++) {
      link.dataset.article = `attack-${i}`;
      link.click();
      while (document.querySelector(".newsstand-reader h2")?.textContent !== link.dataset.article) await new Promise((resolve) => setTimeout(resolve, 1));
      for (const e of document.querySelectorAll(".newsstand-text *")) {
        for (const { name, value } of e.attributes) {
          if (/^(on|style$|class$|id$|srcset$|action$|form)/.test(name) || name === "href" && !harmless.test(value) || name === "src" && new URL(value).origin !== location.origin) wrong.push(`${i}: ${e.outerHTML}`);
        }
        if (/^(script|style|iframe|object|embed|form|input|button|svg|math|template|base|meta|link)$/i.test(e.localName) || e.namespaceURI !== "http://www.w3.org/1999/xhtml") wrong.push(`${i}: ${e.outerHTML}`);
      }
    }
    return wrong;
  }, articles.length);
  assert.deepEqual(wrong, []);
});

story("a searchd that dies and returns", { failing: true, size: "phone" }, async (page, shot) => {
  await page.goto(sites.mortal + "/?q=caddy");
  await says(page, "The search does not answer at the moment.");
  await shot("dead");
  await accessible(page);
  const searchd = spawn(sites.searchd[0], sites.searchd.slice(1), { stdio: "ignore" });
  try {
    while ((await fetch(sites.mortal + "/api/articles?q=caddy")).status !== 200) await new Promise((resolve) => setTimeout(resolve, 20));
    await page.getByRole("button", { name: "Try again" }).click();
    await says(page, "found");
  } finally {
    searchd.kill("SIGKILL");
    await once(searchd, "exit");
  }
  await box(page).fill("nginx");
  await says(page, "The search does not answer at the moment.");
  await page.locator("#newest a[data-article]").first().click();
  await heading(page).waitFor();
  await shot("dead-article");
});

story("a searchd that is not ready", { failing: true }, async (page, shot) => {
  await page.goto(sites.busy + "/?q=caddy");
  await says(page, "The search is busy.");
  await shot("busy");
  await accessible(page);
});

story("an article that is gone", { failing: true }, async (page, shot) => {
  await page.goto(sites.live + "/?id=draft-example");
  await page.getByText("This article is not published (any more).").waitFor();
  await shot("gone");
  await accessible(page);
});

story("a mistake in the query", { failing: true }, async (page, shot) => {
  await page.goto(sites.live + "/?q=" + "a+".repeat(70));
  await says(page, "q may have at most 64 words");
  assert.equal(await page.getByRole("button", { name: "Try again" }).count(), 0, "the same again is no help");
  await shot("mistake");
});

story("below a path", {}, async (page) => {
  await page.goto(sites.below + "/");
  await box(page).fill("caddy");
  await options(page).first().click();
  await heading(page).waitFor();
  await page.waitForURL((url) => url.href.startsWith(sites.below + "/?q=caddy&id="));
  await reference(page, sites.below, "#/articles/getHealth");
  await execute(operation(page, "getHealth"));
  await page.getByRole("status").filter({ hasText: "Answered 200." }).waitFor();
  assert.match(await operation(page, "getHealth").locator(".request-url").textContent(), new RegExp(`${sites.below}/api/health$`));
});

// The folder was built with the address of another site.
story("the reference of a preview asks the preview", {}, async (page) => {
  await reference(page, sites.busy, "#/articles/getHealth");
  await execute(operation(page, "getHealth"));
  await page.getByRole("status").filter({ hasText: "Answered 200." }).waitFor();
  assert.match(await operation(page, "getHealth").locator(".request-url").textContent(), new RegExp(`${sites.busy}/api/health$`));
});

story("in another site", { hosts: [new URL(sites.live).origin] }, async (page, shot) => {
  await page.goto(sites.embedded + "/");
  await page.getByLabel("Search").fill("caddy");
  await says(page, "found");
  await shot("embedded");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await heading(page).waitFor();
  assert.equal(await page.evaluate(() => location.href), sites.embedded + "/", "the address is the site's own");
  assert.ok(await text(page).locator("h3").count() > 0);

  // A site may let text become nodes by policies only that it knows.
  await page.goto(sites.embedded + "/strict");
  await page.getByLabel("Search").fill("caddy");
  await options(page).first().click();
  await heading(page).waitFor();
  assert.ok(await text(page).locator("h3").count() > 0);
});

story("the pages that explain problems", { size: "phone" }, async (page, shot) => {
  await page.goto(sites.live + "/problems/invalid-limit");
  await shot("problem");
  await accessible(page);
});

describe("the pages", { concurrency: 2 }, () => {
  for (const [name, run] of stories) it(name, { timeout: 150_000 }, run);
});
