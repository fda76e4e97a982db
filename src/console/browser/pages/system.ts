import { html, useEffect, useState, type VNode } from '../../vendor/preact.js';
import { callApi } from '../api.ts';
import { after, now } from '../clock.ts';
import { formatAge, formatClock, formatNumber, formatShortly } from '../format.ts';
import { mountPage } from '../mount-page.ts';
import { ConfirmDialog } from '../parts/form.ts';
import { Problem, Waiting } from '../parts/outcome.ts';
import { type Column, Table } from '../parts/table.ts';
import { breakable, CopyName, count, Moment } from '../parts/text.ts';
import { useAnswer } from '../use-answer.ts';

type System = {
  readonly version: string;
  readonly node: string;
  readonly startedAt: string;
  readonly memoryBytes: number;
  readonly hindrances: Readonly<Record<string, string>>;
  readonly workers: readonly { readonly name: string; readonly hindrance?: string }[];
  readonly database: { readonly engine: string; readonly writeMs?: number };
  readonly nats: string;
  readonly queues?: Readonly<
    Record<'active' | 'failing' | 'suspended' | 'waiting' | 'undelivered', number>
  >;
  readonly settings: readonly {
    readonly name: string;
    readonly value?: string;
    readonly meaning: string;
  }[];
};

type Key = {
  readonly id: string;
  readonly algorithm: string;
  readonly state: string;
  readonly made: string;
  readonly retires: string;
};

const refreshMs = 5_000;

function SystemPage(): VNode {
  const { answer, error, isWaiting, again } = useAnswer(async (signal) => ({
    system: await callApi<System>('/v1/system', { signal }),
    at: now(),
  }));
  useEffect(() => (isWaiting ? undefined : after(refreshMs, again)), [isWaiting]);
  if (answer === undefined) {
    return html`<${Problem} error=${error} />${isWaiting && html`<${Waiting}>Asking the server …<//>`}`;
  }
  const { system, at } = answer;
  const { queues, database, workers, hindrances } = system;
  const faults = Object.entries(hindrances);
  return html`<p class="lead">This process, as of ${formatClock(at)}${error !== undefined && html` <span class="badge warn">stale: the server does not answer</span>`}</p>
    <div class="stack-cards"><section class="card" aria-labelledby="process"><div class="bar"><h2 id="process">Process</h2>${faults.length === 0 && html`<span class="badge good">healthy</span>`}</div>
    <p>${faults.map(([part, text]) => html`<span class="badge bad">${part}: ${text}</span> `)}</p>
    <dl class="figures">${[
      ['Tradewind', system.version],
      ['Node.js', system.node],
      ['Started', html`<${Moment} at=${system.startedAt} />`],
      ['Memory', `${formatNumber(system.memoryBytes / 1_048_576, 4)} MB`],
      [
        'Database',
        `${database.engine}, ${database.writeMs === undefined ? 'cannot be written to' : `${database.writeMs} ms a write`}`,
      ],
      ['NATS', system.nats],
    ].map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl></section>
    ${
      queues &&
      html`<section class="card" aria-labelledby="queues"><h2 id="queues">Queues</h2><dl class="figures">${[
        ['Events waiting', queues.waiting],
        ['Undelivered', queues.undelivered, 'held or given up, even if replayed'],
        ['Active subscriptions', queues.active, 'failing ones included'],
        ['Failing', queues.failing],
        ['Suspended', queues.suspended],
      ].map(
        ([name, value, note]) =>
          html`<div><dt>${name}${note && html` <span class="hint">(${note})</span>`}</dt><dd>${Number(value).toLocaleString()}</dd></div>`,
      )}</dl></section>`
    }
    <section class="card" aria-labelledby="workers"><h2 id="workers">Workers</h2><div role="group" aria-label="Workers"><ul class="tiles">
      ${summarizeWorkers(workers).map(({ name, hindrance }) => html`<li key=${name}><span>${breakable(name)}</span><span class=${`badge ${hindrance === undefined ? 'good' : 'bad'}`}>${hindrance ?? 'works'}</span></li>`)}</ul></div></section>
    <${Keys} />
    <${Settings} settings=${system.settings} /></div>`;
}

/** Settings that are set or have a default come first; the others are in a section that is closed. */
function Settings({ settings }: Pick<System, 'settings'>): VNode {
  const isSet = ({ value }: System['settings'][number]) => value !== undefined;
  const unset = settings.filter((one) => !isSet(one));
  return html`<section class="card" aria-labelledby="settings"><h2 id="settings">Settings in force</h2><${Table} name="Settings in force" columns=${['Setting', 'Value', 'Meaning']}
      rows=${settings.filter(isSet).map(({ name, value = '', meaning }) => ({ key: name, cells: [html`<code>${name}</code>`, breakable(value), markCode(meaning)] }))} />
    ${
      unset.length > 0 &&
      html`<details><summary>${count(unset.length, 'setting')} without a value</summary><${Table} name="Settings without a value" columns=${['Setting', 'Meaning']}
      rows=${unset.map(({ name, meaning }) => ({ key: name, cells: [html`<code>${name}</code>`, markCode(meaning)] }))} /></details>`
    }</section>`;
}

/** Shows text between backticks as code. */
function markCode(text: string): unknown[] {
  return text.split('`').map((part, at) => (at % 2 === 1 ? html`<code>${part}</code>` : part));
}

/** The keys that sign tokens, with their age, and a button that rotates them. */
function Keys(): VNode {
  const { answer, error, isWaiting, again } = useAnswer((signal) =>
    callApi<{ keys: readonly Key[] }>('/v1/keys', { signal }),
  );
  const [isAsking, ask] = useState(false);
  const [problem, setProblem] = useState<unknown>();
  const rotate = () => {
    ask(false);
    setProblem(undefined);
    callApi('/v1/keys:rotate', { method: 'POST' }).then(again, (refused: unknown) =>
      setProblem(refused),
    );
  };
  return html`<section class="card" aria-labelledby="keys"><div class="bar"><h2 id="keys">Signing keys</h2><button class="quiet" onClick=${() => ask(true)}>Rotate</button></div>
    <${Problem} error=${problem ?? error} />${answer === undefined && isWaiting && html`<${Waiting}>Reading the keys …<//>`}
    <${Table} name="Signing keys" columns=${keyColumns} rows=${(answer?.keys ?? []).map((key) => ({ key: key.id, cells: [html`<${CopyName} text=${key.id} />`, key.state, key.algorithm, moment(key.made), moment(key.retires)] }))} />
    ${
      isAsking &&
      html`<${ConfirmDialog} title="Rotate the signing key?" action="Rotate" onCancel=${() => ask(false)} onConfirm=${rotate}
      effects="A new key signs from now on. Tokens signed by the old key stay valid until they expire, and nobody is signed out. This cannot be undone, and need not be." />`
    }</section>`;
}

const keyColumns: readonly Column[] = [
  'Key',
  'State',
  'Algorithm',
  { name: 'Made', kind: 'moment' },
  { name: 'Retires', kind: 'moment' },
];

/** Each chain has a worker for its pools; those that work are shown as one line. */
function summarizeWorkers(workers: System['workers']): System['workers'] {
  const isPool = ({ name, hindrance }: System['workers'][number]) =>
    hindrance === undefined && name.startsWith('pools of chain');
  const pools = workers.filter(isPool);
  const others = workers.filter((one) => !isPool(one));
  return pools.length < 2 ? workers : [...others, { name: `pools of ${pools.length} chains` }];
}

function moment(value: string): string {
  const age = now() - Date.parse(value);
  return age > 0 ? `${formatShortly(value)} (${formatAge(age)})` : formatShortly(value);
}

mountPage(SystemPage, {
  scope: 'admin',
  purpose: 'Workers, queues, keys and settings of this server, for its admins.',
});
