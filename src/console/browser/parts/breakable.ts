import { html, type VNode } from '../../vendor/preact.js';

/** A long name, such as an event type or an address, that wraps after its dots and slashes and not within its words. */
export function breakable(text: string): VNode {
  const parts = text.split(/([./:?&]+)/);
  return html`${parts.map((part, at) => (at % 2 === 1 ? html`${part}<wbr />` : part))}`;
}
