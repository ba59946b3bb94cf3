// Shows the OpenAPI document by Swagger UI. Until that is there, and where it cannot be
// shown, the page lists the operations.
(() => {
  'use strict';

  const site = new URL('..', document.currentScript.src); // wherever the folder is served
  const place = document.getElementById('reference');
  const status = document.getElementById('answered');

  // Requests go to the host that shows the page, which may be a preview of the site. A
  // filter is left empty: it would outlast the query that it was made for.
  function prepare(spec) {
    spec.servers = [{ url: site.href.replace(/\/$/, '') }];
    for (const { get } of Object.values(spec.paths)) {
      for (const parameter of get.parameters ?? []) {
        if (parameter.schema.type === 'array') delete parameter.example;
      }
    }
    return spec;
  }

  // Descriptions are text: as Markdown, they could hold pictures of other hosts. And a
  // link within the button that unfolds an operation is one too many; the address of the
  // page names the operation all the same.
  const plain = ({ React: { createElement } }) => ({
    wrapComponents: {
      Markdown: () => ({ source }) => source ? createElement('div', { className: 'renderedMarkdown' }, createElement('p', null, source)) : null,
      DeepLink: () => ({ text }) => createElement('span', null, text),
    },
  });

  // What Swagger UI leaves without a name or out of the keyboard's reach, and a landmark
  // of many with the same name.
  const parameter = (e) => e.closest('[data-param-name]').dataset.paramName;
  const mends = [
    ['[data-param-name] input', 'aria-label', parameter],
    ['.json-schema-form-item-add', 'aria-label', (e) => `${e.textContent}: ${parameter(e)}`],
    ['.json-schema-form-item-remove', 'aria-label', (e) => `Remove: ${parameter(e)}`],
    ['[data-param-name] input', 'aria-invalid', (e) => String(e.classList.contains('invalid'))],
    ['.validation-errors', 'role', () => 'alert'],
    ['.copy-to-clipboard button', 'aria-label', () => 'Copy'],
    ['.examples-select-element', 'aria-label', () => 'Example'],
    ['.microlight', 'tabindex', () => '0'],
    ['.responses-table', 'role', () => 'table'],
  ];
  function mend() {
    for (const [selector, name, value] of mends) {
      for (const e of place.querySelectorAll(selector)) {
        if (e.getAttribute(name) !== value(e)) e.setAttribute(name, value(e));
      }
    }
  }

  async function show() {
    const answer = await fetch(new URL('openapi.json', site));
    if (!answer.ok) throw new Error(`the OpenAPI document was answered with ${answer.status}`);
    const spec = prepare(await answer.json());
    new MutationObserver(mend).observe(place, { childList: true, subtree: true });
    SwaggerUIBundle({
      spec,
      domNode: place,
      plugins: [plain],
      deepLinking: true,
      displayRequestDuration: true,
      supportedSubmitMethods: ['get'],
      syntaxHighlight: { activated: false },
      tryItOutEnabled: true,
      validatorUrl: null,
      requestInterceptor(request) {
        status.textContent = '';
        return request;
      },
      responseInterceptor(response) {
        status.textContent = `Answered ${response.status}.`;
        return response;
      },
    });
  }

  show().catch((err) => {
    const said = document.createElement('p');
    said.setAttribute('role', 'alert');
    said.textContent = `Requests cannot be sent from here: ${err.message}.`;
    place.prepend(said);
  });
})();
