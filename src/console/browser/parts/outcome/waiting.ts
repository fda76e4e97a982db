import { type ComponentChildren, html, type VNode } from '../../../vendor/preact.js';

/** Says what is being waited for (K18), also aloud. */
export function Waiting({ children }: { children?: ComponentChildren }): VNode {
  return html`<p class="waiting" role="status">${children}</p>`;
}
