import { html, useState, type VNode } from '../../vendor/preact.js';
import type { Monitored, Undelivered } from '../monitor.ts';
import { type Column, Table } from '../parts/table.ts';
import { breakable, Moment } from '../parts/text.ts';

/** The state of a subscription as a badge, with why it is suspended and since when it fails. */
export function SubscriptionState({ one }: { one: Monitored }): VNode {
  const { state, suspensionReason } = one.subscription;
  if (state !== 'ACTIVE') {
    return html`<span class="badge bad">${state.toLowerCase()}</span>${suspensionReason && html`<div class="hint" title=${suspensionReason}>${explainReason(suspensionReason)}</div>`}`;
  }
  if (one.failingSince !== undefined) {
    return html`<span class="badge warn">failing</span><div class="hint">since <${Moment} at=${one.failingSince} /></div>`;
  }
  return html`<span class="badge good">active</span>`;
}

type UndeliveredTableProps = {
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

const sentences: Readonly<Record<string, string>> = {
  USER_SCOPE_REVOKED:
    'A scope that the subscription needs was revoked: sign in again with its client, then reactivate it.',
  USER_AUTHORIZATION_FAILURE: 'The owner no longer allows the subscription.',
  APP_SCOPE_REVOKED: 'The client lost a scope that it needs.',
  APP_AUTHORIZATION_FAILURE: 'The client may no longer read the target.',
  RESOURCE_DELETED: 'Its target was deleted.',
  ENDPOINT_PERMISSION_DENIED: 'The endpoint refused: it answered 401 or 403.',
  ENDPOINT_NOT_FOUND:
    'The endpoint is gone: it answered 404 or 410, or its name leads to no address that may be called.',
  ENDPOINT_RESOURCE_EXHAUSTED:
    'The endpoint is overloaded: it answered 429, or too many events waited for it.',
  OTHER: 'The endpoint accepted no event before the retries ended.',
};

/** Why a subscription is suspended or an event was given up, in words; an unknown reason is shown as it is. */
function explainReason(reason: string): string {
  return sentences[reason] ?? reason;
}
