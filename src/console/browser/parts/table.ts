import { Fragment, html, useEffect, useRef, type VNode } from '../../vendor/preact.js';

export type Column =
  | string
  | { readonly name: string; readonly kind: 'number' | 'moment' | 'acts' | 'mono' | 'whole' };

type TableRow = {
  readonly key: string;
  /** One for each column; the first is the header of the row. */
  readonly cells: readonly unknown[];
  /** Content below the row, over its whole width. */
  readonly below?: VNode | false;
};

/**
 * A table with its name for screen readers. On a narrow page each row becomes a block in which every
 * value is beside the name of its column, so that nothing needs sideways scrolling (K15).
 */
export function Table(props: {
  readonly name: string;
  readonly columns: readonly Column[];
  readonly rows: readonly TableRow[];
}): VNode {
  const { name, columns, rows } = props;
  const { part, onFocusIn } = useKeptFocus<HTMLDivElement>();
  const described = columns.map((column) =>
    typeof column === 'string' ? { name: column, kind: '' } : column,
  );
  return html`<div class="scroll" ref=${part} onFocusIn=${onFocusIn} tabindex="0" role="group" aria-label=${name}><table class="stacks" aria-label=${name}>
    <thead><tr>${described.map((column) => html`<th scope="col" class=${column.kind}>${column.kind === 'acts' ? html`<span class="unseen">${column.name}</span>` : column.name}</th>`)}</tr></thead>
    <tbody>${rows.map(
      // With its key, a row keeps its elements, and so the focus, when another is inserted above.
      ({ key, cells, below }) => html`<${Fragment} key=${key}><tr>${cells.map((cell, at) => {
        const { name: label = '', kind = '' } = described[at] ?? {};
        return at === 0
          ? html`<th scope="row" class=${kind}>${cell}</th>`
          : html`<td class=${kind} data-label=${kind === 'acts' ? undefined : label}><div>${cell}</div></td>`;
      })}</tr>
      ${below && html`<tr class="below"><td colspan=${columns.length}>${below}</td></tr>`}<//>`,
    )}</tbody></table></div>`;
}

/**
 * Keeps the place of keyboard users. When the element with the focus is removed, for example with its row, the part
 * around it gets the focus instead of the beginning of the page (K15). The part needs a `tabindex`.
 */
export function useKeptFocus<Part extends HTMLElement>() {
  const part = useRef<Part>(null);
  const last = useRef<Element | null>(null);
  useEffect(() => {
    if (last.current === null || last.current.isConnected) return;
    last.current = null;
    if (document.activeElement === document.body) part.current?.focus({ preventScroll: true });
  });
  const onFocusIn = ({ target }: { target: Element }) => {
    last.current = target;
  };
  return { part, onFocusIn };
}
