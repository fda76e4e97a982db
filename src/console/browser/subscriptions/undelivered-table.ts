import { html, useState, type VNode } from '../../vendor/preact.js';
import type { Undelivered } from '../monitor.ts';
import { breakable } from '../parts/breakable.ts';
import { Moment } from '../parts/moment.ts';
import { type Column, Table } from '../parts/table.ts';
import { explainReason } from './explain-reason.ts';

export type UndeliveredTableProps = {
  readonly events: readonly Undelivered[];
  readonly isBusy: boolean;
  /** Sends these events again, or all of them if none are named. */
  readonly replay: (eventIds?: readonly string[]) => void;
};

/** The events that were held or given up; one, some or all of them can be sent again (K3). */
export function UndeliveredTable({ events, isBusy, replay }: UndeliveredTableProps): VNode {
  const [chosen, choose] = useState<readonly string[]>([]);
  const listed = chosen.filter((id) => events.some(({ eventId }) => eventId === id));
  const toggle = (id: string) =>
    choose(listed.includes(id) ? listed.filter((one) => one !== id) : [...listed, id]);
  return html`<div class="tools"><button aria-disabled=${isBusy} onClick=${() => replay()}>Replay all</button>
    <button disabled=${listed.length === 0} aria-disabled=${isBusy} onClick=${() => replay(listed)}>Replay ${listed.length === 0 ? 'chosen' : `${listed.length} chosen`}</button></div>
    <${Table} name="Undelivered" columns=${columns} rows=${events.map(
      ({ eventId, eventType, reason, state, createTime }) => ({
        key: eventId,
        cells: [
          html`<label class="pick"><input type="checkbox" aria-label=${`Choose ${eventId}`} checked=${listed.includes(eventId)} onChange=${() => toggle(eventId)} /> <span>${breakable(eventType)}</span></label>`,
          html`<${Moment} at=${createTime} />`,
          html`${state === 'HELD' ? 'held while suspended' : 'given up'}${reason && html`<div class="hint">${explainReason(reason)}</div>`}`,
          html`<button class="quiet" aria-disabled=${isBusy} aria-label=${`Replay ${eventId}`} onClick=${() => replay([eventId])}>Replay</button>`,
        ],
      }),
    )} />`;
}

const columns: readonly Column[] = [
  'Event',
  { name: 'Published', kind: 'moment' },
  'Why',
  { name: 'Replay', kind: 'acts' },
];
