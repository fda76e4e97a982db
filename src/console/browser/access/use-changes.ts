import { html, useState, type VNode } from '../../vendor/preact.js';
import { ConfirmDialog } from '../parts/confirm-dialog.ts';
import { Problem } from '../parts/outcome/problem.ts';

/** An action that ends something: what the person reads first, and the function that does it. */
export type Ending = {
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
