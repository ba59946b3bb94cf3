// A search box over the API of a Newsstand site. On a page of your own:
//
//   <div class="newsstand-search"></div>
//   <script src="https://the-site.example/page/app.js" defer></script>
//
// The style app.css is loaded too, unless the element has data-unstyled. With
// data-address, the box keeps the query in the address of the page (?q=), and / focuses it.
(() => {
  'use strict';

  const script = document.currentScript;
  const root = new URL('..', script.src); // this file is page/app.js of the site
  const limit = 10;
  const pause = 150; // ms without a key before a search: shorter than a thought
  const patience = 10000; // ms until a search counts as failed
  const mostRetries = 2; // of a search that is busy

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

  // Failure is an error that a reader is told about.
  class Failure extends Error {
    constructor(message, retryAfter = 0) {
      super(message);
      this.retryAfter = retryAfter;
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
        throw new Failure('The search is busy.', Number(response.headers.get('Retry-After')) || 1);
      }
      if (response.status === 404) throw new Failure(kind === 'article' ? 'This article is not published (any more).' : away);
      throw new Failure(response.status < 500 && body.detail ? body.detail + '.' : away);
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

  function details(a) {
    const authors = (a.authors || []).map((author) => author.name).join(', ');
    return [(a.date_published || '').slice(0, 10), authors, `${a.reading_time_minutes} min`].filter(Boolean).join(' · ');
  }

  const apiAddress = (operation, parameters) => {
    const address = new URL('api/' + operation, root);
    for (const [key, value] of Object.entries(parameters)) address.searchParams.set(key, value);
    return address;
  };

  // A page for people, not a document of the API.
  const isPage = (url) => url && /^https?:/.test(url) && !url.startsWith(new URL('api/', root).href);

  function mount(box, number) {
    const id = 'newsstand-' + number;
    const ownAddress = box.hasAttribute('data-address');
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
    const help = el('div', { class: 'newsstand-help' });
    const reader = el('section', { class: 'newsstand-reader', 'aria-label': 'Article', hidden: true });
    box.append(status, help, list, reader);
    for (const [key, value] of Object.entries({
      role: 'combobox', 'aria-autocomplete': 'list', 'aria-expanded': 'false', 'aria-controls': list.id, 'aria-haspopup': 'listbox',
    })) input.setAttribute(key, value);
    if (ownAddress) input.setAttribute('aria-keyshortcuts', '/');

    let timer, retry, running, reading, opener;
    let hits = [];
    let active = -1;

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
      for (const [key, value] of [['q', q], ['id', article]]) {
        if (value) address.searchParams.set(key, value);
        else address.searchParams.delete(key);
      }
      if (address.href !== location.href) history[step ? 'pushState' : 'replaceState'](null, '', address);
    }

    async function search(tries = 0) {
      forget();
      const q = input.value.trim();
      if (!q) { clear(); return; }
      const address = apiAddress('articles', { q, limit });
      const mine = running = new AbortController();
      box.setAttribute('aria-busy', 'true');
      try {
        const result = await ask(address, mine);
        if (mine === running) show(q, address, result);
      } catch (err) {
        if (err === superseded || mine !== running) return;
        fail(err, tries);
      } finally {
        if (mine === running) box.removeAttribute('aria-busy');
      }
    }

    function show(q, address, result) {
      hits = result.articles;
      list.replaceChildren(...hits.map((hit, i) => el('li', {
        id: `${list.id}-${i}`, role: 'option', 'aria-selected': 'false', lang: hit.language,
        onclick: () => open(hit.id, input),
        onmousedown: (event) => event.preventDefault(), // the focus stays in the box
      },
      el('span', { class: 'newsstand-title', dir: 'auto' }, hit.title),
      el('span', { class: 'newsstand-excerpt', dir: 'auto' }, marked(hit.excerpt_html)),
      el('span', { class: 'newsstand-byline', lang: 'en' }, details(hit)))));
      active = -1;
      showList(hits.length > 0);
      select(-1);
      help.replaceChildren();
      const { total, suggestion } = result;
      if (hits.length === 0) {
        say(suggestion ? `Nothing found. Did you mean “${suggestion}”?` : 'Nothing found. Use fewer words, or others.');
        if (suggestion) {
          help.append(el('button', { type: 'button', onclick: () => { input.value = suggestion; input.focus(); changed(0); } }, `Search “${suggestion}”`));
        }
      } else {
        const found = total === 1 ? '1 article' : `${total} articles`;
        say((suggestion ? `Found for “${suggestion}”: ${found}` : `${found} found`) + (total > hits.length ? `, the best ${hits.length} shown.` : '.'));
      }
      help.append(request(address, say));
    }

    function fail(err, tries) {
      clear();
      const known = err instanceof Failure;
      if (known && err.retryAfter && tries < mostRetries) {
        say(err.message + ' Trying again…');
        retry = setTimeout(() => search(tries + 1), Math.min(err.retryAfter, 10) * 1000);
        return;
      }
      say(known ? err.message : unreachable);
      help.append(el('button', { type: 'button', onclick: () => { input.focus(); search(); } }, 'Try again'));
    }

    function changed(wait = pause) {
      clearTimeout(timer);
      timer = setTimeout(() => { remember('', false); search(); }, wait);
    }

    async function open(article, from, step = true) {
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
          el('div', { class: 'newsstand-text', lang: a.language }, ...a.content_text.split('\n\n').map((block) => el('p', { dir: 'auto' }, block))),
          el('p', { class: 'newsstand-links' }, ...(isPage(a.url) ? [el('a', { href: a.url }, 'Open the page'), ' · '] : []), el('a', { href: address.href }, 'JSON')),
          request(address, say));
        reader.hidden = false;
        heading.focus();
      } catch (err) {
        if (err === superseded || mine !== reading) return;
        const text = el('p', { tabindex: '-1', role: 'alert' }, err instanceof Failure ? err.message : 'The article cannot be shown.');
        reader.replaceChildren(close, text, request(address, say));
        reader.hidden = false;
        text.focus();
      }
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
      if (active >= 0 && !list.hidden) open(hits[active].id, input);
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
        else { input.value = ''; remember('', false); forget(); clear(); }
      }
    });
    reader.addEventListener('keydown', (event) => { if (event.key === 'Escape') shut(true); });

    if (!ownAddress) return;
    function restore() {
      const parameters = new URL(location.href).searchParams;
      const article = parameters.get('id');
      const q = parameters.get('q') || '';
      if (q !== input.value.trim() || q && !hits.length) { input.value = q; search(); }
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
      if (!link || event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
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
