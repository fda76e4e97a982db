import { html, type VNode } from '../../vendor/preact.js';
import { useCopy } from './use-copy.ts';

/** Text to copy. `label` names it for screen readers. */
export function CopyBox({ label, text }: { label: string; text: string }): VNode {
  const { said, copy } = useCopy(text);
  return html`<div class="copy"><pre tabindex="0" role="group" aria-label=${label}>${text.includes('\n') ? text : words(text)}</pre>
    <button type="button" class="quiet" aria-label=${`Copy: ${label}`} onClick=${copy}>Copy</button>
    <p class="hint" role="status">${said}</p></div>`;
}

/** Lets a command wrap only between words, since a browser would also break `--server`. A word too long for a line wraps anywhere. */
function words(text: string): unknown[] {
  return text
    .split(/( +)/)
    .map((part, at) =>
      at % 2 === 1 || part.length > 40 ? part : html`<span class="word">${part}</span>`,
    );
}
