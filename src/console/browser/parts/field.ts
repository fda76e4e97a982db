import { html, useEffect, type VNode } from '../../vendor/preact.js';
import { useUniqueId } from './use-unique-id.ts';

export type FieldProps = {
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
