import { type ComponentChildren, html, type VNode } from '../../../vendor/preact.js';

/** Says what the page waits for (K18), to screen readers too. */
export function Waiting({ children }: { children?: ComponentChildren }): VNode {
  return html`<p class="waiting" role="status">${children}</p>`;
}
