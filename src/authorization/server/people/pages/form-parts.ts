import { html } from 'hono/html';
import type { Html } from '../../../../kernel/http/page/render-page.ts';
import type { Form } from '../../../protocol/read-form.ts';
import { formKeyField, formKeyOf } from '../browsers/form-key.ts';
import type { Place } from '../browsers/place.ts';
import { visibleName } from './visible-name.ts';

/** The page that a form is on, as one browser sees it. */
export type FormFrame = { readonly place: Place; readonly cookie: string };

/** A form that was refused just now: what was typed into it, and why. */
export type RefusedForm = {
  readonly name: string;
  readonly typed: Form;
  readonly error: { readonly code: string; readonly message: string };
};

/** A page whose forms stay as they were when one is refused. */
export type RefusingFrame = FormFrame & { readonly refused?: RefusedForm | undefined };

/** The form of that name, where it is the refused one. */
export function findRefused(
  { refused }: RefusingFrame,
  name: string,
): Partial<Pick<RefusedForm, 'typed' | 'error'>> {
  return refused?.name === name ? refused : {};
}

/** A form that posts to `{place}/{name}`, with the anti-forgery field of its own (A11). */
export function postForm(frame: FormFrame, name: string, body: Html): Html {
  const { place, cookie } = frame;
  const key = formKeyOf(cookie, { form: name, place: place.id });
  return html`<form method="post" action="${place.path}/${name}" data-form="${name}">
<input type="hidden" name="${formKeyField}" value="${key}">
${body}
</form>`;
}

/** A form of one button and the values it sends. */
export function buttonForm(
  frame: FormFrame,
  name: string,
  button: {
    label: string;
    kind?: string;
    /** What a button in a list is about, for screen readers that read it alone. */
    about?: Html;
    values?: Readonly<Record<string, string>>;
  },
): Html {
  const { label, kind = 'quiet', about = '', values = {} } = button;
  return postForm(
    frame,
    name,
    html`${Object.entries(values).map(
      ([field, value]) => html`<input type="hidden" name="${field}" value="${value}">`,
    )}<button class="${kind}">${label}${about && html`<span class="unseen"> ${about}</span>`}</button>`,
  );
}

/** What went wrong in the step before, read out by screen readers at once. */
export function notice(problem: string | undefined): Html {
  return problem === undefined ? html`` : html`<p class="note bad" role="alert">${problem}</p>`;
}

/** A name that a stranger chose, as plain text; invisible characters in it are made visible. */
export function strangersName(name: string): Html {
  return html`${visibleName(name).map(({ text, note }) =>
    note === undefined ? text : html`<mark>${text}<small>[${note}]</small></mark>`,
  )}`;
}
