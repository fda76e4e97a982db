import { html, type VNode } from '../../vendor/preact.js';
import type { Monitored } from '../monitor.ts';
import { Moment } from '../parts/moment.ts';
import { explainReason } from './explain-reason.ts';

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
