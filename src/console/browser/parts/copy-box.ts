import { html, useState, type VNode } from '../../vendor/preact.js';
import { after } from '../clock.ts';

/** Text that a person takes along. `label` names it for those who hear the page. */
export function CopyBox({ label, text }: { label: string; text: string }): VNode {
  const [said, say] = useState('');
  const copy = async () => {
    const isCopied = await navigator.clipboard.writeText(text).then(
      () => true,
      () => false,
    );
    say(isCopied ? 'Copied' : 'Select and copy it');
    after(2_000, () => say(''));
  };
  return html`<div class="copy"><pre tabindex="0" role="group" aria-label=${label}>${text}</pre>
    <button type="button" class="quiet" aria-label=${`Copy: ${label}`} onClick=${copy}>Copy</button>
    <p class="hint" role="status">${said}</p></div>`;
}
