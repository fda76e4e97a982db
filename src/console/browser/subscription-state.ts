import { html, type VNode } from '../vendor/preact.js';
import type { Monitored } from './monitor.ts';

/** The state of a subscription as a badge, with why it is suspended. */
export function SubscriptionState({ one }: { one: Monitored }): VNode {
  const { state, suspensionReason } = one.subscription;
  if (state !== 'ACTIVE') {
    return html`<span class="badge bad">${state.toLowerCase()}</span>${suspensionReason && html`<br /><span class="hint">${suspensionReason}</span>`}`;
  }
  if (one.failingSince !== undefined) return html`<span class="badge warn">failing</span>`;
  return html`<span class="badge good">active</span>`;
}
