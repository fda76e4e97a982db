import { html, useEffect, useState, type VNode } from '../../vendor/preact.js';
import { callApi } from '../api.ts';
import { after, now } from '../clock.ts';
import { Field } from '../field.ts';
import { formatAge, formatClock, formatShare } from '../format.ts';
import { mountPage } from '../mount-page.ts';
import { Problem } from '../problem.ts';
import { useAnswer } from '../use-answer.ts';
import { Waiting } from '../waiting.ts';

type ServedChain = {
  readonly chainId: number;
  readonly name: string;
  readonly nativeCurrency: { readonly symbol: string };
  readonly routers: readonly {
    readonly kind: string;
    readonly address: string;
    readonly dexes: readonly string[];
  }[];
  readonly dexes: readonly {
    readonly id: string;
    readonly kind: string;
    readonly factory?: string;
    readonly manager?: string;
  }[];
};

type Endpoint = {
  readonly name: string;
  readonly origin: string;
  readonly verdict: 'untried' | 'answering' | 'failing' | 'wrong-chain';
  readonly errorRate: number;
  readonly latencyMs?: number;
  readonly headAgeMs?: number;
};

const refreshMs = 10_000;
const verdicts = { answering: 'good', untried: '', failing: 'bad', 'wrong-chain': 'bad' };

function Chains(): VNode {
  const [wanted, setWanted] = useState('');
  const { answer, error, isWaiting } = useAnswer((signal) =>
    callApi<{ chains: readonly ServedChain[] }>('/v1/chains', { signal }),
  );
  const chains = (answer?.chains ?? []).filter(({ name, chainId }) =>
    `${name} ${chainId}`.toLowerCase().includes(wanted.trim().toLowerCase()),
  );
  return html`<p class="lead">The chains that are served, with their exchanges, routers and RPC endpoints as they were measured.</p>
    <${Problem} error=${error} />
    ${answer === undefined && isWaiting && html`<${Waiting}>Reading the chains …<//>`}
    ${answer?.chains.length === 0 && html`<p class="empty">This server serves no chain. Start it with the development chain: <code>npm start</code>.</p>`}
    ${(answer?.chains.length ?? 0) > 1 && html`<${Field} label="Find a chain" value=${wanted} onChange=${setWanted} />`}
    <div class="stack-cards">${chains.map((chain, index) => html`<${ChainCard} key=${chain.chainId} chain=${chain} isFirst=${index === 0} />`)}</div>`;
}

function ChainCard({ chain, isFirst }: { chain: ServedChain; isFirst: boolean }): VNode {
  const [isOpen, setOpen] = useState(isFirst);
  const { name, chainId, nativeCurrency, dexes, routers } = chain;
  return html`<details class="card" open=${isFirst} onToggle=${({ currentTarget }: { currentTarget: HTMLDetailsElement }) => setOpen(currentTarget.open)}>
    <summary>${name} <span class="badge">${chainId}</span> <span class="muted">${nativeCurrency.symbol} · ${count(dexes.length, 'exchange')} · ${count(routers.length, 'router')}</span></summary>
    ${
      isOpen &&
      html`<${Endpoints} chain=${chain} />
      <h3>Exchanges</h3><${Table} name=${`Exchanges of ${name}`} columns=${['Exchange', 'Kind', 'Factory or manager']} rows=${dexes.map(({ id, kind, factory, manager }) => [id, kind, html`<code>${factory ?? manager ?? ''}</code>`])} />
      <h3>Routers</h3><${Table} name=${`Routers of ${name}`} columns=${['Router', 'Address', 'Exchanges']} rows=${routers.map(({ kind, address, dexes: reached }) => [kind, html`<code>${address}</code>`, reached.join(', ')])} />`
    }
    </details>`;
}

function Endpoints({ chain: { chainId, name } }: { chain: ServedChain }): VNode {
  const { answer, error, isWaiting, again } = useAnswer(
    async (signal) => ({
      ...(await callApi<{ endpoints: readonly Endpoint[] }>(`/v1/chains/${chainId}/endpoints`, {
        signal,
      })),
      at: now(),
    }),
    [chainId],
  );
  useEffect(() => (isWaiting ? undefined : after(refreshMs, again)), [isWaiting]);
  const endpoints = answer?.endpoints ?? [];
  return html`<h3>RPC endpoints</h3><${Problem} error=${error} />
    ${answer === undefined && isWaiting && html`<${Waiting}>Reading the endpoints …<//>`}
    ${answer !== undefined && endpoints.length === 0 && html`<p class="muted">None is measured: the chain runs in this process, or nobody has asked for it yet. <a href=${`/console/quote?chainId=${chainId}`}>Ask for a quote</a> and they appear here.</p>`}
    ${
      endpoints.length > 0 &&
      html`<${Table} name=${`RPC endpoints of ${name}`} columns=${['Endpoint', 'State', 'Latency', 'Newest block', 'Errors', 'Known from']}
      rows=${endpoints.map((one) => [html`<code>${one.name}</code>`, html`<span class=${`badge ${verdicts[one.verdict]}`}>${one.verdict}</span>`, one.latencyMs === undefined ? '–' : `${Math.round(one.latencyMs)} ms`, one.headAgeMs === undefined ? '–' : formatAge(one.headAgeMs), formatShare(one.errorRate), one.origin])} />
      <p class="hint">As of ${formatClock(answer?.at ?? 0)}.</p>`
    }`;
}

function Table({
  name,
  columns,
  rows,
}: {
  name: string;
  columns: readonly string[];
  rows: readonly (readonly unknown[])[];
}): VNode {
  return html`<div class="scroll" tabindex="0" role="group" aria-label=${name}><table><thead><tr>${columns.map((column) => html`<th scope="col">${column}</th>`)}</tr></thead>
    <tbody>${rows.map(([first, ...others]) => html`<tr><th scope="row">${first}</th>${others.map((cell) => html`<td>${cell}</td>`)}</tr>`)}</tbody></table></div>`;
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

mountPage(Chains);
