import { html, type VNode } from '../../vendor/preact.js';
import { Problem } from '../parts/outcome/problem.ts';
import { Waiting } from '../parts/outcome/waiting.ts';
import { useKeptFocus } from '../parts/use-kept-focus.ts';
import type { Asked } from '../use-answer.ts';

/** A section of the page about one list: the outcome of changes, then the list once it has arrived. */
export function ListSection<Item>(props: {
  readonly id: string;
  readonly title: string;
  readonly asked: Asked<readonly Item[]>;
  /** The text to show until the list has arrived (K18). */
  readonly waiting: string;
  /** The question before a change, and its outcome. */
  readonly changes: VNode;
  readonly list: (items: readonly Item[]) => VNode;
  readonly children?: VNode;
}): VNode {
  const { id, title, asked, waiting, changes, list, children } = props;
  const { answer, error, isWaiting } = asked;
  const { part, onFocusIn } = useKeptFocus<HTMLHeadingElement>();
  return html`<section class="card" aria-labelledby=${id} onFocusIn=${onFocusIn}><h2 id=${id} ref=${part} tabindex="-1">${title}</h2>
    ${changes}<${Problem} error=${error} />
    ${answer === undefined ? isWaiting && html`<${Waiting}>${waiting}<//>` : list(answer)}
    ${children}</section>`;
}
