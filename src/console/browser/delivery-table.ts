import { html, useState, type VNode } from '../vendor/preact.js';
import { CopyBox } from './copy-box.ts';
import { formatTime } from './format.ts';
import type { Attempt } from './monitor.ts';

export type DeliveryTableProps = {
  readonly attempts: readonly Attempt[];
  readonly isBusy: boolean;
  readonly replay: (eventIds: readonly string[]) => void;
};

/** The attempts at deliveries, the newest first, each with what was sent and what came back (K3). */
export function DeliveryTable({ attempts, isBusy, replay }: DeliveryTableProps): VNode {
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Table of deliveries">
    <table aria-label="Deliveries"><thead><tr><th>Time</th><th>Event</th><th>Outcome</th><th class="number">Status</th>
      <th class="number">Duration</th><th>Details</th></tr></thead>
    <tbody>${attempts.map((one) => html`<${Row} key=${one.name} one=${one} isBusy=${isBusy} replay=${replay} />`)}</tbody></table></div>`;
}

function Row(props: { one: Attempt } & Pick<DeliveryTableProps, 'isBusy' | 'replay'>): VNode {
  const { one, isBusy, replay } = props;
  const [isOpen, open] = useState(false);
  const [first] = one.events;
  const more = one.eventCount - 1;
  return html`<tr><td>${formatTime(one.time)}</td>
    <td>${first === undefined ? 'no longer kept' : html`<div>${first.type}</div><div class="hint">${first.id}${more > 0 && ` and ${more} more`}</div>`}</td>
    <td><span class=${`badge ${one.outcome === 'ACCEPTED' ? 'good' : 'bad'}`}>${one.outcome.toLowerCase()}</span>
      ${one.error !== undefined && html`<div class="hint">${one.error}</div>`}</td>
    <td class="number">${one.status ?? '–'}</td><td class="number">${one.durationMs} ms</td>
    <td><button class="quiet" aria-expanded=${isOpen} onClick=${() => open(!isOpen)}>Details</button></td></tr>
    ${
      isOpen &&
      html`<tr><td colspan="6"><div class="beside"><${Bodies} one=${one} />
      ${first !== undefined && html`<p><button class="quiet" disabled=${isBusy} aria-label=${`Replay ${first.id}`} onClick=${() => replay(one.events.map(({ id }) => id))}>Replay</button></p>`}
    </div></td></tr>`
    }`;
}

function Bodies({ one }: { one: Attempt }): VNode {
  const { request, response } = one;
  return html`${
    request === undefined
      ? html`<p class="hint">What was sent is no longer kept, or was read as a stream.</p>`
      : html`<h3>Request</h3><${CopyBox} label="Request" text=${writeRequest(request)} />${request.truncated && html`<p class="hint">The beginning; there was more.</p>`}`
  }<h3>Response</h3>${
    response === undefined
      ? html`<p class="hint">Without a body.</p>`
      : html`<${CopyBox} label="Response" text=${response.body} />${response.truncated && html`<p class="hint">The first 4 KB; there was more.</p>`}`
  }`;
}

function writeRequest(request: NonNullable<Attempt['request']>): string {
  const headers = Object.entries(request.headers).map(([name, value]) => `${name}: ${value}`);
  return [`${request.method} ${request.url}`, ...headers, '', request.body].join('\n');
}
