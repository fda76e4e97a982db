import { html, useEffect, useState, type VNode } from '../../vendor/preact.js';
import { callApi } from '../api.ts';
import { after, now } from '../clock.ts';
import { formatAge, formatClock, formatShare } from '../format.ts';
import { mountPage } from '../mount-page.ts';
import { Field } from '../parts/form.ts';
import { Problem, Waiting } from '../parts/outcome.ts';
import { Table } from '../parts/table.ts';
import { breakable, CopyBox, CopyName, count } from '../parts/text.ts';
import { developmentChainId } from '../quote/quote-answer.ts';
import { useAnswer } from '../use-answer.ts';

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
    ${(answer?.chains.length ?? 0) > 1 && html`<div class="find"><${Field} label="Find a chain" value=${wanted} onChange=${setWanted} attributes=${{ placeholder: 'Name or number' }} /></div>`}
    <div class="card rows">${chains.map((chain, index) => html`<${ChainCard} key=${chain.chainId} chain=${chain} isFirst=${index === 0} />`)}</div>`;
}

function ChainCard({ chain, isFirst }: { chain: ServedChain; isFirst: boolean }): VNode {
  const [isOpen, setOpen] = useState(isFirst);
  const { name, chainId, nativeCurrency, dexes, routers } = chain;
  return html`<details open=${isFirst} onToggle=${({ currentTarget }: { currentTarget: HTMLDetailsElement }) => setOpen(currentTarget.open)}>
    <summary>${name} <span class="aside">chain ${chainId} · ${nativeCurrency.symbol} · ${count(dexes.length, 'exchange')} · ${count(routers.length, 'router')}</span></summary>
    ${
      isOpen &&
      html`<${Endpoints} chain=${chain} />
      <h3>Exchanges</h3><${Table} name=${`Exchanges of ${name}`} columns=${['Exchange', 'Kind', address('Contract')]}
        rows=${dexes.map(({ id, kind, factory, manager }) => ({ key: id, cells: [id, kind, copyable(factory ?? manager)] }))} />
      <h3>Routers</h3>${
        routers.length === 0
          ? html`<p>None yet. Anyone may deploy the executor, which trades on these exchanges:</p>
            <${CopyBox} label="The command that deploys the executor" text=${`tradewind router deploy --chain ${chainId}`} />`
          : html`<${Table} name=${`Routers of ${name}`} columns=${[{ name: 'Router', kind: 'whole' }, address('Address'), 'Exchanges']}
        rows=${routers.map((one) => ({ key: one.address, cells: [one.kind, copyable(one.address), one.dexes.join(', ')] }))} />`
      }`
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
    ${answer !== undefined && endpoints.length === 0 && html`<p class="muted">${chainId === developmentChainId ? 'No endpoint is measured: the chain runs on this machine, beside the server.' : html`No endpoint is measured before somebody asks for this chain. <a href=${`/console/quote?chainId=${chainId}`}>Ask for a quote</a> and they appear here.`}</p>`}
    ${
      endpoints.length > 0 &&
      html`<${Table} name=${`RPC endpoints of ${name}`} columns=${['Endpoint', 'State', number('Latency'), number('Newest block'), number('Errors'), 'Known from']}
      rows=${endpoints.map((one) => ({
        key: one.name,
        cells: [
          html`<code>${breakable(one.name)}</code>`,
          html`<span class=${`badge ${verdicts[one.verdict]}`}>${one.verdict}</span>`,
          one.latencyMs === undefined ? '–' : `${Math.round(one.latencyMs)} ms`,
          one.headAgeMs === undefined ? '–' : formatAge(one.headAgeMs),
          formatShare(one.errorRate),
          one.origin,
        ],
      }))} />
      <p class="hint">As of ${formatClock(answer?.at ?? 0)}.</p>`
    }`;
}

/** An address to copy; some exchanges have none. */
function copyable(text: string | undefined): VNode | undefined {
  return text === undefined ? undefined : html`<${CopyName} text=${text} />`;
}

const address = (name: string) => ({ name, kind: 'mono' }) as const;
const number = (name: string) => ({ name, kind: 'number' }) as const;

mountPage(Chains);
