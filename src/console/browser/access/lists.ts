import { html, useState, type VNode } from '../../vendor/preact.js';
import { callApi } from '../api.ts';
import { facts } from '../facts.ts';
import { ConfirmDialog } from '../parts/form.ts';
import { Problem, Waiting } from '../parts/outcome.ts';
import { useKeptFocus } from '../parts/table.ts';
import { count } from '../parts/text.ts';
import { mayUse } from '../sign-in/session.ts';
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

/** Every item of a list of the interface, from all of its pages. */
export async function listAll<Item>(
  path: string,
  member: string,
  signal: AbortSignal,
): Promise<readonly Item[]> {
  const items: Item[] = [];
  let pageToken = '';
  do {
    const page = await callApi<Record<string, unknown>>(path, {
      query: { pageSize: 100, pageToken },
      signal,
    });
    // The interface answers a list under its name, and a token while there is more.
    items.push(...((page[member] ?? []) as Item[]));
    pageToken = String(page.nextPageToken ?? '');
  } while (pageToken !== '');
  return items;
}

/** An action that ends something: what the person reads first, and the function that does it. */
type Ending = {
  readonly title: string;
  readonly effects: string;
  readonly action: string;
  readonly run: () => Promise<unknown>;
};

/**
 * The changes of a section. Those that end something ask first (K16). `view` shows the question, the error
 * and the outcome; `again` is called after each change.
 */
export function useChanges(again: () => void) {
  const [asked, ask] = useState<Ending | undefined>(undefined);
  const [error, setError] = useState<unknown>(undefined);
  const [done, setDone] = useState('');

  async function change(work: () => Promise<unknown>, said: string): Promise<void> {
    setError(undefined);
    setDone('');
    try {
      await work();
      setDone(said);
    } catch (failure) {
      setError(failure);
    }
    again();
  }

  const view: VNode = html`<${Problem} error=${error} /><p class="hint" role="status">${done}</p>
    ${
      asked &&
      html`<${ConfirmDialog} title=${asked.title} effects=${asked.effects} action=${asked.action}
        onCancel=${() => ask(undefined)}
        onConfirm=${() => {
          ask(undefined);
          void change(asked.run, 'Done.');
        }} />`
    }`;
  return { ask, change, view };
}

type Listed = { readonly clientId: string; readonly userId?: string };

/** How many subscriptions a client or person has, for the question before they end (K16). In words: empty if there is none, no number if the reader may not see it. */
export async function countSubscriptions(whose: {
  readonly clientId?: string;
  readonly personId?: string;
}): Promise<string> {
  if (!facts.services.includes('events') || !mayUse('subscriptions.read'))
    return 'the subscriptions';
  const { clientId, personId } = whose;
  const { signal } = new AbortController();
  const all = await listAll<Listed>('/v1/monitor/subscriptions', 'subscriptions', signal);
  const theirs = all.filter(
    (one) =>
      (clientId === undefined || one.clientId === clientId) &&
      (personId === undefined || one.userId === personId),
  );
  return theirs.length === 0 ? '' : count(theirs.length, 'subscription');
}
