import { html, useRef, useState, type VNode } from '../../vendor/preact.js';
import { breakable } from '../parts/breakable.ts';

export type TypeChoicesProps = {
  readonly types: readonly string[];
  /** The words that were typed. A whole event type selects it, a part of one filters the list. */
  readonly written: readonly string[];
  readonly onChange: (chosen: readonly string[]) => void;
};

/**
 * The event types of a target as checkboxes. The Tab key stops only once for all of them; the arrow keys
 * move from one to the next (K15).
 */
export function TypeChoices({ types, written, onChange }: TypeChoicesProps): VNode {
  const group = useRef<HTMLDivElement>(null);
  const [at, setAt] = useState(0);
  const chosen = written.filter((one) => types.includes(one));
  const parts = written.filter((one) => !types.includes(one)).map((one) => one.toLowerCase());
  const found = types.filter((type) => parts.every((part) => type.toLowerCase().includes(part)));
  const shown = found.length === 0 ? types : found;
  const stop = Math.min(at, shown.length - 1);
  const toggle = (type: string) =>
    onChange(chosen.includes(type) ? chosen.filter((one) => one !== type) : [...chosen, type]);
  const move = (event: KeyboardEvent) => {
    const next = nextStop(event.key, stop, shown.length - 1);
    if (next === undefined) return;
    event.preventDefault();
    setAt(next);
    group.current?.querySelectorAll('input')[next]?.focus();
  };
  return html`<div class="choices" role="group" aria-label="Types to choose from" ref=${group} onKeyDown=${move}>${shown.map(
    (type, place) =>
      html`<label class="pick" key=${type}><input type="checkbox" tabindex=${place === stop ? 0 : -1} checked=${chosen.includes(type)} onFocus=${() => setAt(place)} onChange=${() => toggle(type)} /> <span>${breakable(type)}</span></label>`,
  )}</div>
  <p class="hint" role="status">${chosen.length} chosen${shown.length < types.length ? `, ${shown.length} of ${types.length} shown` : ` of ${types.length}`}</p>`;
}

function nextStop(key: string, stop: number, last: number): number | undefined {
  if (key === 'ArrowDown' || key === 'ArrowRight') return Math.min(stop + 1, last);
  if (key === 'ArrowUp' || key === 'ArrowLeft') return Math.max(stop - 1, 0);
  if (key === 'Home') return 0;
  return key === 'End' ? last : undefined;
}
