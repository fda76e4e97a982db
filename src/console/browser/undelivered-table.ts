import { html, useState, type VNode } from '../vendor/preact.js';
import { formatTime } from './format.ts';
import type { Undelivered } from './monitor.ts';

export type UndeliveredTableProps = {
  readonly events: readonly Undelivered[];
  /** How many there are in all. */
  readonly count: number;
  readonly isBusy: boolean;
  /** These, or all of them. */
  readonly replay: (eventIds?: readonly string[]) => void;
};

/** What was held or given up; one, some or all of it can be sent again (K3). */
export function UndeliveredTable({ events, count, isBusy, replay }: UndeliveredTableProps): VNode {
  const [chosen, choose] = useState<readonly string[]>([]);
  const listed = chosen.filter((id) => events.some(({ eventId }) => eventId === id));
  const toggle = (id: string) =>
    choose(listed.includes(id) ? listed.filter((one) => one !== id) : [...listed, id]);
  return html`<div class="tools"><button disabled=${isBusy} onClick=${() => replay()}>Replay all ${count}</button>
    <button disabled=${isBusy || listed.length === 0} onClick=${() => replay(listed)}>Replay ${listed.length} chosen</button></div>
    <div class="scroll" tabindex="0" role="region" aria-label="Table of undelivered events"><table aria-label="Undelivered">
    <thead><tr><th>Choose</th><th>Published</th><th>Event</th><th>Why</th><th>Replay</th></tr></thead>
    <tbody>${events.map(
      ({ eventId, eventType, reason, state, createTime }) => html`<tr key=${eventId}>
      <td><input type="checkbox" aria-label=${`Choose ${eventId}`} checked=${listed.includes(eventId)} onChange=${() => toggle(eventId)} /></td>
      <td>${formatTime(createTime)}</td><td><div>${eventType}</div><div class="hint">${eventId}</div></td>
      <td>${state.toLowerCase()}${reason && html`<div class="hint">${reason}</div>`}</td>
      <td><button class="quiet" disabled=${isBusy} aria-label=${`Replay ${eventId}`} onClick=${() => replay([eventId])}>Replay</button></td></tr>`,
    )}</tbody></table></div>`;
}
