import { html, useEffect, useRef, useState, type VNode } from '../../vendor/preact.js';

type FieldProps = {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** What is wrong with the value: a sentence, or what the interface says of it, such as `must be a string` (K17). */
  readonly problem?: string | undefined;
  readonly hint?: string;
  /** Values to choose from while typing. */
  readonly suggestions?: readonly { readonly value: string; readonly text: string }[];
  /** Values to choose from and no others. */
  readonly choices?: readonly { readonly value: string; readonly text: string }[];
  readonly isLong?: boolean;
  readonly attributes?: Readonly<Record<string, unknown>>;
};

/**
 * A field with its label, hint and problem, associated for screen readers. The first field of a form that has a
 * problem gets the focus (K17).
 */
export function Field(props: FieldProps): VNode {
  const { label, value, onChange, problem, hint, suggestions, choices, isLong, attributes } = props;
  const id = useUniqueId();
  useEffect(() => {
    if (problem === undefined) return;
    const field = document.getElementById(id);
    const first = field?.closest('form')?.querySelector('[aria-invalid=true]');
    if (field === first) field?.focus();
  }, [problem]);
  const described = [hint && `${id}-hint`, problem && `${id}-problem`].filter(Boolean).join(' ');
  const shared = {
    id,
    value,
    onInput: ({ currentTarget }: { currentTarget: HTMLInputElement }) =>
      onChange(currentTarget.value),
    'aria-invalid': problem === undefined ? undefined : 'true',
    'aria-describedby': described || undefined,
    ...attributes,
  };
  return html`<div class="field"><label for=${id}>${label}</label>
    ${
      choices !== undefined
        ? html`<select ...${shared}>${choices.map((one) => html`<option value=${one.value} selected=${one.value === value}>${one.text}</option>`)}</select>`
        : isLong
          ? html`<textarea spellcheck=${false} ...${shared}></textarea>`
          : html`<input type="text" autocomplete="off" spellcheck=${false} list=${suggestions && `${id}-list`} ...${shared} />`
    }
    ${suggestions && html`<datalist id=${`${id}-list`}>${suggestions.map((one) => html`<option value=${one.value}>${one.text}</option>`)}</datalist>`}
    ${hint && html`<p class="hint" id=${`${id}-hint`}>${hint}</p>`}
    ${problem && html`<p class="problem" id=${`${id}-problem`}>${toSentence(problem)}</p>`}</div>`;
}

function toSentence(problem: string): string {
  if (problem.endsWith('.')) return problem;
  return /^[a-z]/.test(problem) ? `This ${problem}.` : `${problem}.`;
}

type ConfirmDialogProps = {
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

let given = 0;

/** An id that no other element of the document has. Preact's `useId` repeats ids in each separately rendered root. */
function useUniqueId(): string {
  const [id] = useState(() => {
    given += 1;
    return `id-${given}`;
  });
  return id;
}
