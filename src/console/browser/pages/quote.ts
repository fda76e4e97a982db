import { html, useEffect, useRef, useState, type VNode } from '../../vendor/preact.js';
import { callApi } from '../api.ts';
import { mountPage } from '../mount-page.ts';
import { Problem, Waiting } from '../parts/outcome.ts';
import type { Chain, QuoteAnswer } from '../quote/quote-answer.ts';
import { firstWish, QuoteForm } from '../quote/quote-form.ts';
import { QuoteResult } from '../quote/quote-result.ts';
import { useAnswer } from '../use-answer.ts';

/** Whether the address has everything that a quote needs. */
const isWhole = ['pay', 'amount', 'receive', 'sender'].every((name) =>
  new URLSearchParams(location.search).get(name),
);

type Shown = { readonly quote: QuoteAnswer; readonly chain: Chain };

function Quote(): VNode {
  const { answer, error, isWaiting } = useAnswer((signal) =>
    callApi<{ chains: readonly Chain[] }>('/v1/chains', { signal }),
  );
  const [shown, show] = useState<Shown>();
  const result = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // On a narrow page the answer is below the form.
    if (shown !== undefined && innerWidth < 960) result.current?.scrollIntoView({ block: 'start' });
    // If the address asked at once and nothing has the focus, the Tab key continues from the answer.
    if (shown !== undefined && document.activeElement === document.body)
      result.current?.focus({ preventScroll: true });
  }, [shown]);
  const lead = html`<p class="lead">What exchanging one token for another gives now, the route it takes, and a proof of how good that route is.</p>`;
  if (answer === undefined) {
    return html`${lead}<${Problem} error=${error} />${isWaiting && html`<${Waiting}>Reading the chains …<//>`}`;
  }
  if (answer.chains.length === 0) {
    return html`<p class="empty">This server serves no chain. Start it with the development chain: <code>npm start</code>.</p>`;
  }
  return html`${lead}<div class="columns two">
    <${QuoteForm} chains=${answer.chains} first=${firstWish(answer.chains)} isComplete=${isWhole} onQuote=${(quote: QuoteAnswer, chain: Chain) => show({ quote, chain })} />
    <div ref=${result} class="result" tabindex="-1" aria-live="polite">${
      shown === undefined
        ? html`<p class="empty">Press <strong>Get quote</strong>: the answer, its route and its proof appear here. A script gets the same from <a href="/docs#getSwapQuote"><code>GET /v1/swap/{chainId}</code></a>.</p>`
        : html`<${QuoteResult} quote=${shown.quote} chain=${shown.chain} />`
    }</div></div>`;
}

mountPage(Quote);
