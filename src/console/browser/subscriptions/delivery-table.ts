import { html, useState, type VNode } from '../../vendor/preact.js';
import { formatTime } from '../format.ts';
import { type Attempt, isNotice } from '../monitor.ts';
import { type Column, Table } from '../parts/table.ts';
import { breakable, CopyBox, CopyName, Moment } from '../parts/text.ts';

export type DeliveryTableProps = {
  readonly attempts: readonly Attempt[];
  readonly isBusy: boolean;
  readonly replay: (eventIds: readonly string[], attempt: string) => void;
  /** The outcome of replaying an attempt, if that was the last action. */
  readonly outcomeOf: (attempt: string) => unknown;
};

const columns: readonly Column[] = [
  { name: 'Time', kind: 'moment' },
  'Event',
  'Outcome',
  { name: 'Status', kind: 'number' },
  { name: 'Duration', kind: 'number' },
  { name: 'Details', kind: 'acts' },
];

/** The attempts at deliveries, the newest first, each with what was sent and what came back (K3). */
export function DeliveryTable({ attempts, ...acts }: DeliveryTableProps): VNode {
  const [opened, open] = useState<readonly string[]>([]);
  const toggle = (name: string) =>
    open(opened.includes(name) ? opened.filter((one) => one !== name) : [...opened, name]);
  return html`<${Table} name="Deliveries" columns=${columns} rows=${attempts.map((one) => {
    const isOpen = opened.includes(one.name);
    return {
      key: one.name,
      cells: [
        ...describe(one),
        html`<button class="quiet" aria-expanded=${isOpen} onClick=${() => toggle(one.name)}>Details<span class="unseen"> of the attempt at ${formatTime(one.time)}</span></button>`,
      ],
      below: isOpen && html`<${Bodies} one=${one} ...${acts} />`,
    };
  })} />`;
}

function describe(one: Attempt): unknown[] {
  const [first] = one.events;
  const more = one.eventCount - 1;
  const isAccepted = one.outcome === 'ACCEPTED';
  return [
    html`<${Moment} at=${one.time} />`,
    first === undefined
      ? 'no longer kept'
      : html`${breakable(first.type)}<div class="hint">${breakable(first.subject)}${more > 0 && ` and ${more} more`}</div>`,
    html`<span class=${`badge ${isAccepted ? 'good' : 'bad'}`}>${isAccepted ? 'accepted' : 'failed'}</span>
      ${one.error !== undefined && one.status === undefined && html`<div class="hint">${one.error}</div>`}`,
    one.status ?? '–',
    `${one.durationMs.toLocaleString()} ms`,
  ];
}

function Bodies(props: { one: Attempt } & Omit<DeliveryTableProps, 'attempts'>): VNode {
  const { one, isBusy, replay, outcomeOf } = props;
  const { request, response, events } = one;
  const ids = events.filter(({ type }) => !isNotice(type)).map(({ id }) => id);
  return html`${
    request === undefined
      ? html`<p class="hint">What was sent is no longer kept, or was read as a stream.</p>`
      : html`<h3>Request</h3><${CopyBox} label="Request" text=${writeRequest(request)} />${request.truncated && html`<p class="hint">The beginning; there was more.</p>`}`
  }<h3>Response</h3>${
    response === undefined
      ? html`<p class="hint">${one.status === undefined ? 'Nothing was answered.' : 'Without a body.'}</p>`
      : html`<${CopyBox} label="Response" text=${response.body} />${response.truncated && html`<p class="hint">The first 4 KB; there was more.</p>`}`
  }
  ${ids.length > 0 && html`<p class="hint">Event ${ids.map((id) => html`<${CopyName} text=${id} /> `)}</p><p><button aria-disabled=${isBusy} aria-label=${`Replay ${ids[0]}`} onClick=${() => replay(ids, one.name)}>Replay</button></p>${outcomeOf(one.name)}`}`;
}

function writeRequest(request: NonNullable<Attempt['request']>): string {
  const headers = Object.entries(request.headers).map(([name, value]) => `${name}: ${value}`);
  return [`${request.method} ${request.url}`, ...headers, '', request.body].join('\n');
}
