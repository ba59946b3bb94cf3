// Sends the requests of the reference and shows the answers. Without it, the forms
// lead to the answers themselves.
(() => {
  'use strict';

  for (const form of document.querySelectorAll('form.try')) {
    const status = form.parentElement.querySelector('.answer-status');
    const answer = form.parentElement.querySelector('.answer');
    let running;
    form.addEventListener('submit', async (event) => {
      event.preventDefault();
      running?.abort();
      const mine = running = new AbortController();
      let path = form.dataset.path;
      for (const input of form.querySelectorAll('[data-place]')) path = path.replace(`{${input.dataset.place}}`, encodeURIComponent(input.value));
      const address = new URL(path, document.baseURI);
      for (const [name, value] of new FormData(form)) {
        if (value !== '') address.searchParams.set(name, value);
      }
      status.textContent = 'Waiting for the answer…';
      answer.hidden = true;
      const began = performance.now();
      try {
        const response = await fetch(address, { signal: mine.signal });
        let body = await response.text();
        const took = Math.round(performance.now() - began);
        if (mine !== running) return;
        try { body = JSON.stringify(JSON.parse(body), null, 2); } catch { /* a proxy's page is shown as it is */ }
        const headers = [...response.headers].map(([name, value]) => `${name}: ${value}`).join('\n');
        answer.textContent = `GET ${address.href}\n\n${response.status} ${response.statusText}\n${headers}\n\n${body}`;
        answer.hidden = false;
        status.textContent = `Answered ${response.status} in ${took} ms.`;
      } catch (err) {
        if (mine !== running) return;
        status.textContent = 'There was no answer. The server may be down, or you are offline.';
      }
    });
  }
})();
