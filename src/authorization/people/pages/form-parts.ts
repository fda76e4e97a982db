import { html } from 'hono/html';
import type { Html } from '../../../kernel/edge/page.ts';
import { normalizeText } from '../../../kernel/text/text.ts';
import { parseUrl } from '../../../kernel/text/url.ts';
import type { Identity } from '../../model/account.ts';
import type { Form } from '../../protocol/form.ts';
import { walletIssuer } from '../accounts/admission.ts';
import { passwordLength } from '../accounts/passwords.ts';
import type { Place } from '../place.ts';
import { formKeyField, formKeyOf } from '../posted-form.ts';

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

/**
 * A new password, typed twice: the fields `password` and `repeated`. `id` distinguishes them from other fields on
 * the page. `isFocused` is for a page that has no other purpose.
 */
export function newPasswordFields(id: string, { isFocused = false } = {}): Html {
  const { least, most } = passwordLength;
  return html`<label for="${id}-password">New password</label>
<input id="${id}-password" name="password" type="password" autocomplete="new-password" required minlength="${least}" maxlength="${most}" aria-describedby="${id}-rule" ${isFocused ? 'autofocus' : ''}>
<p class="hint" id="${id}-rule">At least ${least} characters. A few words that you remember are better than a short, complicated password.</p>
<label for="${id}-repeated">The same once more</label>
<input id="${id}-repeated" name="repeated" type="password" autocomplete="new-password" required minlength="${least}" maxlength="${most}">`;
}

/** A piece of a name; `note` says what the letter really is where it could be taken for another. */
type NamePart = { readonly text: string; readonly note?: string };

/** Alphabets with letters that look like Latin ones (Unicode Technical Standard 39, confusables). */
const lookAlikeScripts =
  /[\p{sc=Cyrl}\p{sc=Grek}\p{sc=Armn}\p{sc=Cher}\p{sc=Copt}\p{sc=Lisu}\p{sc=Deva}]/u;
const latin = /\p{sc=Latn}/u;
/** Cyrillic and Greek letters that no reader tells from Latin ones: a word of these alone deceives too. */
const twins = /^[аеорсухѕіјһԁԛԝӏгпАВЕКМНОРСТУХЅІЈοαινρυκΑΒΕΖΗΙΚΜΝΟΡΤΥΧ]$/u;
const letter = /\p{L}/u;
/** Controls, direction marks, joiners, fillers and anything else that shows nothing or moves its neighbours. */
const unseen = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]|[^\P{Zs} ]/u;
/** Enough for any honest name; a longer one could push the rest of the page away. */
const longestName = 80;

/**
 * A name that a stranger chose, made safe to judge (A11): invisible characters are named, and letters that only
 * look Latin carry their code point. A name in one honest foreign alphabet stays as it is. Does not escape
 * HTML: the page does.
 */
export function visibleName(name: string): readonly NamePart[] {
  const characters = [...normalizeText(name, 'NFC', 2 * longestName)];
  const shown = characters.slice(0, longestName);
  const letters = shown.filter((character) => letter.test(character));
  const mixes = letters.some((one) => latin.test(one));
  const isAllTwins = letters.length > 0 && letters.every((one) => twins.test(one));
  const isOdd = (character: string) =>
    unseen.test(character) ||
    // Letters of mathematics, full width and the like, which fold into plain ones.
    (letter.test(character) &&
      /^[a-z]+$/i.test(normalizeText(character, 'NFKC', longestName)) &&
      !/[a-z]/i.test(character)) ||
    ((mixes || isAllTwins) && lookAlikeScripts.test(character));

  const parts: NamePart[] = [];
  let plain = '';
  for (const character of shown) {
    if (!isOdd(character)) {
      plain += character;
      continue;
    }
    if (plain !== '') parts.push({ text: plain });
    plain = '';
    parts.push({ text: unseen.test(character) ? '' : character, note: codePointOf(character) });
  }
  if (characters.length > longestName) plain += '…';
  return plain === '' ? parts : [...parts, { text: plain }];
}

export function hasOddLetters(name: string): boolean {
  return visibleName(name).some(({ note }) => note !== undefined);
}

function codePointOf(character: string): string {
  const hex = (character.codePointAt(0) ?? 0).toString(16).toUpperCase();
  return `U+${hex.padStart(4, '0')}`;
}

/** What leads to an account besides its password, as its person knows it. */
export function describeWay({ issuer, subject }: Identity): Html {
  return issuer === walletIssuer
    ? html`Wallet <code>${subject}</code>`
    : html`Your account at <strong>${parseUrl(issuer)?.host ?? issuer}</strong>`;
}
