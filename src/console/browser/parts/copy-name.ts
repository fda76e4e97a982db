import { html, type VNode } from '../../vendor/preact.js';
import { useCopy } from './use-copy.ts';

/** An address or another long name within a line, with a small button that copies it. */
export function CopyName({ text }: { text: string }): VNode {
  const { said, copy } = useCopy(text);
  return html`<code>${text}</code> <button type="button" class="quiet copy-name" aria-label=${`Copy ${text}`} onClick=${copy}>Copy</button><span class="hint" role="status">${said}</span>`;
}
