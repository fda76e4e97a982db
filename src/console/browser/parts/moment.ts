import { html, type VNode } from '../../vendor/preact.js';
import { formatShortly, formatTime } from '../format.ts';

/** A moment in few characters, in full when the pointer is over it, and exact for programs. */
export function Moment({ at }: { at: string }): VNode {
  return html`<time datetime=${at} title=${formatTime(at)}>${formatShortly(at)}</time>`;
}
