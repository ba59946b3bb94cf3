// A search box over the API of a Newsstand site. On a page of your own:
//
//   <div class="newsstand-search"></div>
//   <script src="https://the-site.example/page/app.js" defer></script>
//
// An article that is found leads to its page, or is shown below where it has none. The
// element may have these attributes:
//
//   data-label="Search the walks"  the text above the box
//   data-unstyled                  app.css is not loaded
//   data-address                   the query is kept in the page's address (?q=), / leads
//                                  to the box, and articles are always shown below
//   data-requests                  each request is shown, to copy
(() => {
  'use strict';

  const script = document.currentScript;
  const root = new URL('..', script.src); // this file is page/app.js of the site
  const limit = 10;
  const furthest = 1000; // the largest offset of the API
  const mostFilters = 8; // shown at once, besides those in force
  const pause = 150; // ms without a key before a search: shorter than a thought
  const patience = 10000; // ms until a search counts as failed
  const mostRetries = 2; // of a search that is busy
  const timeZone = "UTC"; // of the site: the builder writes it here

  function el(name, attributes = {}, ...children) {
    const e = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) {
      if (value === false || value === undefined || value === '') continue;
      if (key.startsWith('on')) e.addEventListener(key.slice(2), value);
      else e.setAttribute(key, value === true ? '' : value);
    }
    e.append(...children);
    return e;
  }

  // Excerpts are escaped text with <mark> and </mark>, and nothing else.
  const escapes = { amp: '&', lt: '<', gt: '>', quot: '"', '#34': '"', '#39': "'" };
  const unescape = (text) => text.replace(/&(amp|lt|gt|quot|#34|#39);/g, (_, name) => escapes[name]);

  function marked(html) {
    const out = document.createDocumentFragment();
    html.split(/<mark>(.*?)<\/mark>/s).forEach((part, i) => {
      if (part) out.append(i % 2 ? el('mark', {}, unescape(part)) : unescape(part));
    });
    return out;
  }

  // Failure is an error that a reader is told about; a final one does not pass by itself.
  class Failure extends Error {
    constructor(message, { retryAfter = 0, final = false } = {}) {
      super(message);
      this.retryAfter = retryAfter;
      this.final = final;
    }
  }

  const unreachable = 'The search does not answer at the moment. Articles can still be read: they are files and need no search.';

  async function ask(address, controller, kind) {
    const away = kind === 'article' ? 'The article cannot be reached at the moment.' : unreachable;
    const timer = setTimeout(() => controller.abort(new Failure(away)), patience);
    try {
      const response = await fetch(address, { signal: controller.signal });
      const body = await response.json().catch((err) => {
        if (controller.signal.aborted) throw err;
        throw new Failure(away); // a proxy's page, for instance
      });
      if (response.ok) return body;
      if (response.status === 503) {
        throw new Failure('The search is busy.', { retryAfter: Number(response.headers.get('Retry-After')) || 1 });
      }
      if (response.status === 404) throw new Failure(kind === 'article' ? 'This article is not published (any more).' : away);
      if (response.status === 400 && body.detail) throw new Failure(body.detail + '.', { final: true });
      throw new Failure(away);
    } catch (err) {
      if (err instanceof Failure) throw err;
      if (controller.signal.aborted) throw controller.signal.reason;
      throw new Failure(away);
    } finally {
      clearTimeout(timer);
    }
  }

  const superseded = new DOMException('superseded', 'AbortError');

  // A request as a command line, with a button that copies it.
  function request(address, say) {
    const line = `curl '${address.href.replaceAll("'", '%27')}'`;
    return el('div', { class: 'newsstand-request' }, el('code', { tabindex: '0' }, line), copyButton(line, say));
  }

  function copyButton(line, say) {
    const button = el('button', { type: 'button', 'aria-label': 'Copy: ' + line, onclick: copy }, 'Copy');
    async function copy() {
      try {
        await navigator.clipboard.writeText(line);
        say('Copied.');
        button.textContent = 'Copied';
        setTimeout(() => { button.textContent = 'Copy'; }, 2000);
      } catch { // no permission, or no https: select the text instead
        getSelection().selectAllChildren(button.previousElementSibling);
        say('Selected: copy it with the keyboard.');
      }
    }
    return button;
  }

  // The day of an instant at the site, as 2026-11-21.
  function dayOf(instant) {
    try {
      return new Date(instant).toLocaleDateString('sv', { timeZone });
    } catch { // the browser does not know the time zone
      return instant.slice(0, 10);
    }
  }

  function details(a) {
    const authors = (a.authors || []).map((author) => author.name).join(', ');
    return [a.date_published && dayOf(a.date_published), authors, `${a.reading_time_minutes} min`].filter(Boolean).join(' · ');
  }

  const apiAddress = (operation, parameters) => {
    const address = new URL('api/' + operation, root);
    for (const [key, values] of Object.entries(parameters)) {
      for (const value of [values].flat()) address.searchParams.append(key, value);
    }
    return address;
  };

  function languageName(tag) {
    try {
      return new Intl.DisplayNames(['en'], { type: 'language' }).of(tag);
    } catch {
      return tag;
    }
  }

  // The elements of an article that are shown; headings stand below that of the article.
  const shown = new Set(('a abbr address b bdi bdo blockquote br caption cite code col colgroup data dd del details dfn div dl dt em figcaption figure ' +
    'h3 h4 h5 h6 hr i img ins kbd li mark ol p pre q rp rt ruby s samp small span strong sub summary sup table tbody td tfoot th thead time tr u ul var wbr').split(' '));
  const others = { h1: 'h3', h2: 'h3', h3: 'h4', h4: 'h5', h5: 'h6', tt: 'code',
    picture: 'span', ...Object.fromEntries('article aside center footer header main nav section'.split(' ').map((name) => [name, 'div'])) };
  const kept = ['lang', 'dir', 'title', 'align', 'colspan', 'rowspan', 'scope', 'span', 'start', 'reversed', 'value', 'open', 'datetime', 'alt', 'width', 'height'];
  const schemes = ['http:', 'https:', 'mailto:', 'tel:'];

  // An address in an article; those that are relative are so to its page.
  function addressOf(text, a) {
    if (!text) return undefined;
    try {
      const address = new URL(text, a.url || (text.startsWith('#') ? apiAddress('article', { id: a.id }) : undefined));
      return schemes.includes(address.protocol) ? address : undefined;
    } catch { // relative, and to nothing
      return undefined;
    }
  }

  // Some sites let text become nodes only by policies that they know by name.
  let policy;
  function trusted(html) {
    if (!globalThis.trustedTypes) return html;
    policy ??= globalThis.trustedTypes.createPolicy('newsstand', { createHTML: (text) => text });
    return policy.createHTML(html);
  }

  // Makes anew what is known and harmless of an article's HTML, and nothing else: nothing
  // runs, no other host is asked (a picture from there is a link), and nothing has a class
  // or an id by which it could pass for a part of the page. anchors gets the elements that
  // links within the article lead to.
  function copyOf(node, a, anchors) {
    if (node.nodeType === Node.TEXT_NODE) return [node.data];
    if (node.nodeType !== Node.ELEMENT_NODE) return [];
    const name = others[node.localName] || node.localName;
    const media = ['audio', 'video'].includes(name);
    if (!media && !shown.has(name)) return [];
    const source = name === 'img' || media ? addressOf(node.getAttribute('src'), a) : undefined;
    if (media || name === 'img' && ![root.origin, location.origin].includes(source?.origin)) {
      const text = node.getAttribute('alt') || (media ? name : 'picture');
      return [source ? el('a', { href: source.href }, text) : text];
    }
    const href = name === 'a' ? addressOf(node.getAttribute('href'), a)?.href : undefined;
    const copy = el(name === 'a' && !href ? 'span' : name, { src: source?.href, href, tabindex: name === 'pre' && '0' });
    for (const key of kept) if (node.hasAttribute(key)) copy.setAttribute(key, node.getAttribute(key));
    if (/^(p|h\d)$/.test(name) && !copy.dir) copy.dir = 'auto';
    for (const anchor of [node.id, node.getAttribute('name')]) if (anchor) anchors.set(new URL('#' + anchor, root).hash.slice(1), copy);
    for (const child of node.childNodes) copy.append(...copyOf(child, a, anchors));
    return [copy];
  }

  // A page for people, not a document of the API.
  const isPage = (url) => url && /^https?:/.test(url) && !url.startsWith(new URL('api/', root).href);

  // A click that does not ask for another tab or a download.
  const plain = (event) => !(event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey);

  function mount(box, number) {
    const id = 'newsstand-' + number;
    const ownAddress = box.hasAttribute('data-address');
    const withRequests = box.hasAttribute('data-requests');
    let form = box.querySelector('form');
    if (!form) {
      form = el('form', { role: 'search', action: apiAddress('articles', {}).href },
        el('label', { for: id + '-q' }, box.getAttribute('data-label') || 'Search'),
        el('input', { id: id + '-q', name: 'q', type: 'search', maxlength: '512', autocomplete: 'off', spellcheck: 'false' }));
      box.append(form);
    }
    const input = form.querySelector('input');
    const list = el('ul', { id: id + '-list', role: 'listbox', 'aria-label': 'Articles found', hidden: true });
    const status = el('p', { class: 'newsstand-status', role: 'status' });
    const narrow = el('div', { class: 'newsstand-filters', role: 'group', 'aria-label': 'Keep only articles with', hidden: true });
    const help = el('div', { class: 'newsstand-help' });
    const further = el('button', { type: 'button', class: 'newsstand-more', onclick: () => more(), hidden: true }, 'More results');
    const reader = el('section', { class: 'newsstand-reader', 'aria-label': 'Article', hidden: true });
    box.append(status, narrow, help, list, further, reader);
    for (const [key, value] of Object.entries({
      role: 'combobox', 'aria-autocomplete': 'list', 'aria-expanded': 'false', 'aria-controls': list.id, 'aria-haspopup': 'listbox',
    })) input.setAttribute(key, value);
    if (ownAddress) input.setAttribute('aria-keyshortcuts', '/');

    let timer, retry, running, reading, opener;
    let anchors = new Map(); // the places in the article that is shown, by their names
    let hits = [];
    let found; // the address and the result of which hits are
    let active = -1;
    const filters = { tag: new Set(), language: new Set() };

    const say = (text) => { status.textContent = text; };

    function select(i) {
      active = i;
      [...list.children].forEach((option, n) => option.setAttribute('aria-selected', String(n === i)));
      if (i < 0) input.removeAttribute('aria-activedescendant');
      else {
        input.setAttribute('aria-activedescendant', list.children[i].id);
        list.children[i].scrollIntoView({ block: 'nearest' });
      }
    }

    function showList(visible) {
      list.hidden = !visible;
      further.hidden = !visible || hits.length >= found.total || hits.length > furthest;
      input.setAttribute('aria-expanded', String(visible));
      if (!visible) select(-1);
    }

    function forget() {
      clearTimeout(timer);
      clearTimeout(retry);
      running?.abort(superseded);
      box.removeAttribute('aria-busy');
    }

    function clear() {
      hits = [];
      found = undefined;
      list.replaceChildren();
      help.replaceChildren();
      showList(false);
      say('');
    }

    // Writes the state into the address; a step is one that Back undoes.
    function remember(article, step) {
      if (!ownAddress) return;
      const address = new URL(location.href);
      const q = input.value.trim();
      for (const [key, values] of Object.entries({ q: [q], id: [article], tag: q ? filters.tag : [], language: q ? filters.language : [] })) {
        address.searchParams.delete(key);
        for (const value of values) if (value) address.searchParams.append(key, value);
      }
      if (address.href !== location.href) history[step ? 'pushState' : 'replaceState'](null, '', address);
    }

    // Asks an address of the search, and takes the answer unless another is wanted by then.
    async function find(address, take, refused) {
      const mine = running = new AbortController();
      box.setAttribute('aria-busy', 'true');
      try {
        const result = await ask(address, mine);
        if (mine === running) take(result);
      } catch (err) {
        if (err !== superseded && mine === running) refused(err);
      } finally {
        if (mine === running) box.removeAttribute('aria-busy');
      }
    }

    function search(tries = 0) {
      forget();
      const q = input.value.trim();
      if (!q) {
        for (const values of Object.values(filters)) values.clear();
        clear();
        showFilters();
        return;
      }
      const address = apiAddress('articles', { q, limit, tag: [...filters.tag], language: [...filters.language] });
      find(address, (result) => show(address, result), (err) => fail(err, tries));
    }

    // Fetches the next hits. Those of another revision do not fit to the ones shown.
    function more() {
      forget();
      const address = new URL(found.address);
      address.searchParams.set('offset', hits.length);
      const last = list.lastElementChild;
      find(address, (result) => {
        if (result.revision !== found.result.revision) { search(); return; }
        found.total = result.count < limit ? hits.length + result.count : result.total;
        add(result.articles);
        showList(true);
        say(`${hits.length} of ${found.total} articles shown.`);
        input.focus();
        if (last.nextElementSibling) select(hits.length - result.count);
      }, (err) => say(err instanceof Failure ? err.message : unreachable));
    }

    function add(articles) {
      list.append(...articles.map((hit, i) => el('li', {
        id: `${list.id}-${hits.length + i}`, role: 'option', 'aria-selected': 'false', lang: hit.language,
        onclick: () => choose(hit),
        onmousedown: (event) => event.preventDefault(), // the focus stays in the box
      },
      el('span', { class: 'newsstand-title', dir: 'auto' }, hit.title),
      el('span', { class: 'newsstand-excerpt', dir: 'auto' }, marked(hit.excerpt_html)),
      el('span', { class: 'newsstand-byline', lang: 'en' }, details(hit)))));
      hits.push(...articles);
    }

    function choose(hit) {
      if (!ownAddress && isPage(hit.url)) location.assign(hit.url);
      else open(hit.id, input);
    }

    // Shows the filters in force, and the tags and languages that part of the hits has.
    function showFilters() {
      const focused = narrow.contains(document.activeElement) && document.activeElement.textContent;
      const counts = new Map();
      const button = (name, value) => {
        const text = name === 'tag' ? value : languageName(value);
        return el('button', { type: 'button', 'aria-pressed': String(filters[name].has(value)), onclick: () => toggle(name, value) }, text);
      };
      const shown = Object.entries(filters).flatMap(([name, values]) => [...values].map((value) => button(name, value)));
      for (const hit of hits) {
        for (const [name, values] of [['tag', hit.tags], ['language', [hit.language]]]) {
          for (const value of values) {
            if (filters[name].has(value)) continue;
            const entry = counts.get(name + value) || { name, value, count: 0 };
            entry.count++;
            counts.set(name + value, entry);
          }
        }
      }
      const others = [...counts.values()].filter((entry) => entry.count < hits.length);
      others.sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1));
      shown.push(...others.slice(0, mostFilters).map((entry) => button(entry.name, entry.value)));
      narrow.replaceChildren(...shown);
      narrow.hidden = shown.length === 0;
      if (focused) (shown.find((b) => b.textContent === focused) || input).focus();
    }

    function toggle(name, value) {
      if (!filters[name].delete(value)) filters[name].add(value);
      remember('', true);
      search();
    }

    function show(address, result) {
      const { total, suggestion, articles } = result;
      hits = [];
      found = { address, result, total };
      list.replaceChildren();
      add(articles);
      active = -1;
      showList(hits.length > 0);
      select(-1);
      showFilters();
      help.replaceChildren();
      if (hits.length === 0) {
        say(suggestion ? `Nothing found. Did you mean “${suggestion}”?` : 'Nothing found. Use fewer words, or others.');
        if (suggestion) {
          help.append(el('button', { type: 'button', onclick: () => { input.value = suggestion; input.focus(); changed(0); } }, `Search “${suggestion}”`));
        }
      } else {
        const number = total === 1 ? '1 article' : `${total} articles`;
        say((suggestion ? `Found for “${suggestion}”: ${number}` : `${number} found`) + (total > hits.length ? `, the best ${hits.length} shown.` : '.'));
      }
      if (withRequests) help.append(request(address, say));
    }

    function fail(err, tries) {
      clear();
      showFilters();
      const known = err instanceof Failure;
      if (known && err.retryAfter && tries < mostRetries) {
        say(err.message + ' Trying again…');
        retry = setTimeout(() => search(tries + 1), Math.min(err.retryAfter, 10) * 1000);
        return;
      }
      say(known ? err.message : unreachable);
      if (!err.final) help.append(el('button', { type: 'button', onclick: () => { input.focus(); search(); } }, 'Try again'));
    }

    function changed(wait = pause) {
      clearTimeout(timer);
      timer = setTimeout(() => { remember('', false); search(); }, wait);
    }

    async function open(article, from, step = true, anchor = '') {
      reading?.abort(superseded);
      const mine = reading = new AbortController();
      const address = apiAddress('article', { id: article });
      if (from) opener = from;
      if (step) remember(article, true);
      const close = el('button', { type: 'button', class: 'newsstand-close', onclick: () => shut(true) }, 'Close');
      try {
        const a = await ask(address, mine, 'article');
        if (mine !== reading) return;
        const heading = el('h2', { tabindex: '-1', dir: 'auto', lang: a.language }, a.title);
        reader.replaceChildren(close, heading, el('p', { class: 'newsstand-byline' }, details(a)),
          el('div', { class: 'newsstand-text', lang: a.language, dir: 'auto', tabindex: '0', role: 'group', 'aria-label': 'Text', onclick: (event) => follow(event, a) }, ...text(a)),
          el('p', { class: 'newsstand-links' }, ...(isPage(a.url) ? [el('a', { href: a.url }, 'Open the page'), ' · '] : []), el('a', { href: address.href }, 'JSON')),
          ...(withRequests ? [request(address, say)] : []));
        reader.hidden = false;
        heading.focus();
        goTo(anchor);
      } catch (err) {
        if (err === superseded || mine !== reading) return;
        const text = el('p', { tabindex: '-1', role: 'alert' }, err instanceof Failure ? err.message : 'The article cannot be shown.');
        reader.replaceChildren(close, text, ...(withRequests ? [request(address, say)] : []));
        reader.hidden = false;
        text.focus();
      }
    }

    function text(a) {
      anchors = new Map();
      const { body } = new DOMParser().parseFromString(trusted(a.content_html), 'text/html');
      return [...body.childNodes].flatMap((node) => copyOf(node, a, anchors));
    }

    // A link within an article to a place in it leads there, and one to another article
    // that has no page opens it here.
    function follow(event, a) {
      const link = event.target.closest('a[href]');
      if (!link || !plain(event)) return;
      const [page] = link.href.split('#');
      const anchor = link.hash.slice(1);
      const other = new URL(page);
      if (page === a.url || page === apiAddress('article', { id: a.id }).href) goTo(anchor);
      else if (other.origin + other.pathname === apiAddress('article', {}).href && other.searchParams.get('id')) open(other.searchParams.get('id'), null, true, anchor);
      else return;
      event.preventDefault();
    }

    function goTo(anchor) {
      const place = anchors.get(anchor);
      if (!place) return;
      if (place.tabIndex < 0) place.tabIndex = -1;
      place.focus({ preventScroll: true });
      place.scrollIntoView();
    }

    function shut(step) {
      reading?.abort(superseded);
      reading = undefined;
      if (reader.hidden) return;
      reader.hidden = true;
      reader.replaceChildren();
      if (step) remember('', true);
      (opener && opener.isConnected ? opener : input).focus();
    }

    input.addEventListener('input', (event) => { if (!event.isComposing) changed(); });
    input.addEventListener('compositionend', () => changed());
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      if (active >= 0 && !list.hidden) choose(hits[active]);
      else { remember('', false); search(); }
    });
    input.addEventListener('keydown', (event) => {
      if (event.isComposing || event.altKey || event.ctrlKey || event.metaKey) return;
      const n = hits.length;
      if ((event.key === 'ArrowDown' || event.key === 'ArrowUp') && n > 0) {
        event.preventDefault();
        if (list.hidden) showList(true);
        const down = event.key === 'ArrowDown';
        select(active < 0 ? (down ? 0 : n - 1) : (active + (down ? 1 : n - 1)) % n);
      } else if (event.key === 'Escape') {
        event.preventDefault();
        if (!reader.hidden) shut(true);
        else if (!list.hidden) showList(false);
        else { input.value = ''; remember('', false); search(); }
      }
    });
    reader.addEventListener('keydown', (event) => { if (event.key === 'Escape') shut(true); });

    if (!ownAddress) return;
    function restore() {
      const parameters = new URL(location.href).searchParams;
      const article = parameters.get('id');
      const q = parameters.get('q') || '';
      let changes = q !== input.value.trim() || q && !hits.length;
      for (const [name, values] of Object.entries(filters)) {
        const wanted = new Set(parameters.getAll(name).filter(Boolean));
        if (values.size === wanted.size && [...values].every((value) => wanted.has(value))) continue;
        filters[name] = wanted;
        changes = true;
      }
      if (changes) { input.value = q; search(); }
      if (article) open(article, null, false);
      else shut(false);
    }
    addEventListener('popstate', restore);
    document.addEventListener('keydown', (event) => {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.target.closest?.('input, textarea, select, [contenteditable]')) return;
      event.preventDefault();
      input.focus();
      input.select();
    });
    document.addEventListener('click', (event) => {
      const link = event.target.closest?.('a[data-article]');
      if (!link || !plain(event)) return;
      event.preventDefault();
      open(link.dataset.article, link);
    });
    // What was typed before this script came stays; else the address says what to search.
    if (input.value.trim() && !new URL(location.href).searchParams.has('q')) changed(0);
    else restore();
  }

  const boxes = document.querySelectorAll('.newsstand-search');
  const style = new URL('app.css', script.src).href;
  const styled = [...document.styleSheets].some((sheet) => sheet.href === style);
  if (!styled && [...boxes].some((box) => !box.hasAttribute('data-unstyled'))) {
    document.head.append(el('link', { rel: 'stylesheet', href: style }));
  }
  boxes.forEach(mount);
  const announce = (text) => { const status = document.querySelector('.newsstand-status'); if (status) status.textContent = text; };
  document.querySelectorAll('.newsstand-page pre.request').forEach((pre) => {
    pre.after(copyButton(pre.textContent, announce));
  });
})();
