import { html, render, useEffect, useState, type VNode } from '../../vendor/preact.js';
import { mountCorner } from '../mount-page.ts';
import { count } from '../parts/text.ts';
import { OperationForm } from '../try-operation.ts';

type Found = { readonly operations: number; readonly schemas: number };

/** Shows the operations and schemas whose text has every word that was typed. */
function Search(): VNode {
  const [wanted, setWanted] = useState('');
  const [found, setFound] = useState<Found>();
  useEffect(() => {
    const words = wanted.toLowerCase().split(/\s+/).filter(Boolean);
    const show = (kind: 'operation' | 'schema') => {
      const all = [...document.querySelectorAll<HTMLElement>(`details.${kind}`)];
      for (const one of all) {
        const text = words.length === 0 ? '' : one.textContent.toLowerCase();
        one.hidden = !words.every((word) => text.includes(word));
      }
      return all.filter(({ hidden }) => !hidden).length;
    };
    const shown = { operations: show('operation'), schemas: show('schema') };
    for (const group of document.querySelectorAll<HTMLElement>('section.rows'))
      group.hidden = group.querySelector(':scope > details:not([hidden])') === null;
    setFound(words.length === 0 ? undefined : shown);
  }, [wanted]);
  return html`<div class="field"><label for="wanted">Search</label>
    <input id="wanted" type="search" placeholder="subscription, price, token …" value=${wanted}
      onInput=${({ currentTarget }: { currentTarget: HTMLInputElement }) => setWanted(currentTarget.value)} />
    <p class="hint" role="status">${found && `${count(found.operations, 'operation')}, ${count(found.schemas, 'schema')}`}</p></div>`;
}

/** Opens the line that a link or an address names, even if the search has hidden it. */
function openNamed(hash: string): void {
  const name = document.getElementById(hash.slice(1));
  const line = name?.closest('details');
  if (!name || !line) return;
  for (const one of [line, line.closest('section')]) if (one) one.hidden = false;
  line.open = true;
  name.scrollIntoView();
}

mountCorner();
const search = document.getElementById('search');
if (search !== null) render(html`<${Search} />`, search);
openNamed(location.hash);
addEventListener('hashchange', () => openNamed(location.hash));
// A link to the current hash fires no `hashchange`.
addEventListener('click', ({ target }) => {
  const link = target instanceof Element && target.closest<HTMLAnchorElement>('a[href^="#"]');
  if (link) openNamed(link.hash);
});
// There are many operations, so a form is rendered only when somebody opens it.
for (const place of document.querySelectorAll<HTMLElement>('details[data-operation]')) {
  place.hidden = false;
  const begin = () => {
    const form = place.appendChild(document.createElement('div'));
    render(html`<${OperationForm} id=${place.dataset.operation ?? ''} />`, form);
  };
  place.addEventListener('toggle', begin, { once: true });
}
