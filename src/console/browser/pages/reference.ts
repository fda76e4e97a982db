import { html, render, useEffect, useState, type VNode } from '../../vendor/preact.js';
import { mountCorner } from '../mount-page.ts';
import { OperationForm } from '../reference/try-operation.ts';

/** Shows the operations whose text has every word that was typed. */
function Search(): VNode {
  const [wanted, setWanted] = useState('');
  const [found, setFound] = useState<number>();
  useEffect(() => {
    const words = wanted.toLowerCase().split(/\s+/).filter(Boolean);
    const sections = [...document.querySelectorAll<HTMLElement>('section.operation')];
    for (const section of sections) {
      const text = words.length === 0 ? '' : section.textContent.toLowerCase();
      section.hidden = !words.every((word) => text.includes(word));
    }
    const shown = new Set(
      sections
        .filter(({ hidden }) => !hidden)
        .map((section) => section.getAttribute('aria-labelledby')),
    );
    for (const link of document.querySelectorAll<HTMLAnchorElement>('.contents li a')) {
      const item = link.closest('li');
      const id = link.hash.slice(1);
      if (item !== null && id !== 'schemas') item.hidden = !shown.has(id);
    }
    setFound(words.length === 0 ? undefined : shown.size);
  }, [wanted]);
  return html`<div class="field"><label for="wanted">Search</label>
    <input id="wanted" type="search" placeholder="subscription, price, token …" value=${wanted}
      onInput=${({ currentTarget }: { currentTarget: HTMLInputElement }) => setWanted(currentTarget.value)} />
    <p class="hint" role="status">${found === undefined ? '' : found === 1 ? 'One operation' : `${found} operations`}</p></div>`;
}

mountCorner();
const search = document.getElementById('search');
if (search !== null) render(html`<${Search} />`, search);
// There are many operations, so a form is made when somebody opens it.
for (const place of document.querySelectorAll<HTMLElement>('details[data-operation]')) {
  place.hidden = false;
  const begin = () => {
    const form = place.appendChild(document.createElement('div'));
    render(html`<${OperationForm} id=${place.dataset.operation ?? ''} />`, form);
  };
  place.addEventListener('toggle', begin, { once: true });
}
