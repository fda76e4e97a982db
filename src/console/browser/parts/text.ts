import { html, useState, type VNode } from '../../vendor/preact.js';
import { after } from '../clock.ts';
import { formatShortly, formatTime } from '../format.ts';

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

/** An address or another long name within a line, with a small button that copies it. */
export function CopyName({ text }: { text: string }): VNode {
  const { said, copy } = useCopy(text);
  return html`<code>${text}</code> <button type="button" class="quiet copy-name" aria-label=${`Copy ${text}`} onClick=${copy}>Copy</button><span class="hint" role="status">${said}</span>`;
}

/** Copies a text, and briefly says whether that worked: a browser may refuse. */
function useCopy(text: string) {
  const [said, say] = useState('');
  const copy = async () => {
    const isCopied = await navigator.clipboard.writeText(text).then(
      () => true,
      () => false,
    );
    say(isCopied ? 'Copied' : 'Select and copy it');
    after(2_000, () => say(''));
  };
  return { said, copy };
}

/** A long name, such as an event type or an address, that wraps after its dots and slashes and not within its words. */
export function breakable(text: string): VNode {
  const parts = text.split(/([./:?&]+)/);
  return html`${parts.map((part, at) => (at % 2 === 1 ? html`${part}<wbr />` : part))}`;
}

/** A number of things, in words: `1 session`, `3 sessions`. */
export function count(number: number, thing: string): string {
  return `${number.toLocaleString()} ${thing}${number === 1 ? '' : 's'}`;
}

/** A moment in few characters, in full when the pointer is over it, and exact for programs. */
export function Moment({ at }: { at: string }): VNode {
  return html`<time datetime=${at} title=${formatTime(at)}>${formatShortly(at)}</time>`;
}
