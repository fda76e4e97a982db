import { html, useEffect, useRef, type VNode } from '../../vendor/preact.js';
import { useUniqueId } from './use-unique-id.ts';

export type ConfirmDialogProps = {
  readonly title: string;
  /** What will happen, in numbers and names, and whether it can be undone (K16). */
  readonly effects: string;
  /** The words on the button that does it. */
  readonly action: string;
  readonly onConfirm: () => void;
  readonly onCancel: () => void;
};

/** Asks before something is destroyed. Escape and `Keep` leave everything as it is; the focus returns to where it was. */
export function ConfirmDialog(props: ConfirmDialogProps): VNode {
  const { title, effects, action, onConfirm, onCancel } = props;
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useUniqueId();
  useEffect(() => {
    const before = document.activeElement;
    dialog.current?.showModal();
    return () => (before instanceof HTMLElement ? before.focus() : undefined);
  }, []);
  return html`<dialog ref=${dialog} aria-labelledby=${id} onClose=${onCancel}>
    <h2 id=${id}>${title}</h2><p>${effects}</p>
    <div class="row"><button type="button" autofocus onClick=${onCancel}>Keep</button>
    <button type="button" class="bad" onClick=${onConfirm}>${action}</button></div></dialog>`;
}
