import { html, render, type VNode } from '../../vendor/preact.js';
import { ApiError, callApi } from '../api.ts';
import { now } from '../clock.ts';
import { facts } from '../facts.ts';
import { formatClock } from '../format.ts';
import { mountCorner } from '../mount-page.ts';
import { Waiting } from '../parts/outcome.ts';
import { CopyBox } from '../parts/text.ts';
import type { Chain } from '../quote/quote-answer.ts';
import { firstWish, QuoteForm, type QuoteWish } from '../quote/quote-form.ts';
import { useAnswer } from '../use-answer.ts';

/** Opens the quote page for the answer, which has no room here. */
function ask(wish: QuoteWish): void {
  location.assign(`/console/quote?${new URLSearchParams({ ...wish })}`);
}

function Quote(): VNode | null {
  const { answer } = useAnswer((signal) =>
    callApi<{ chains: readonly Chain[] }>('/v1/chains', { signal }),
  );
  const chains = answer?.chains ?? [];
  if (chains.length === 0) return null;
  return html`<${QuoteForm} title="Get a quote" chains=${chains} first=${firstWish(chains)} onWish=${ask} />`;
}

function Health(): VNode {
  const { answer, error } = useAnswer(async (signal) => {
    await callApi('/health', { signal });
    return now();
  });
  const hindrance =
    error instanceof ApiError
      ? [
          error.message,
          ...Object.entries(error.fields).map(([part, text]) => `Cause: ${part} ${text}.`),
        ].join(' ')
      : 'The server cannot be reached.';
  return html`<section class="card line" aria-labelledby="health-title"><h2 id="health-title">Health</h2>
    ${answer === undefined && error === undefined && html`<${Waiting}>Asking …<//>`}
    ${answer !== undefined && html`<span class="badge good">healthy</span><span class="aside">Ready to serve, asked at ${formatClock(answer)}.</span>`}
    ${error !== undefined && html`<p class="note bad" role="alert">${hindrance}</p>`}</section>`;
}

mountCorner();
for (const [id, View] of [
  ['quote', Quote],
  ['health', Health],
] as const) {
  const place = document.getElementById(id);
  if (place !== null && (id !== 'quote' || facts.services.includes('swap')))
    render(html`<${View} />`, place);
}

// Gives each text that the server marked for copying a copy button.
for (const text of document.querySelectorAll<HTMLElement>('pre[data-copy]')) {
  const place = document.createElement('div');
  text.replaceWith(place);
  render(html`<${CopyBox} label=${text.dataset.copy ?? ''} text=${text.textContent} />`, place);
}
