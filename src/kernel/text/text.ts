/** A number of things, in words: `1 session`, `3 sessions`. */
export function count(number: number, thing: string): string {
  return `${number} ${thing}${number === 1 ? '' : 's'}`;
}

const controls = /[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}]/gu;
/** Most texts contain none of these, and this test costs a tenth of the one above. */
const beyondPlain = /[^\x20-\x7e]/;

/**
 * Makes text of others harmless (N6): characters that begin a line, control a terminal or change the
 * reading direction become their JSON escapes, so that a line of JSON keeps its meaning.
 */
export function escapeControls(text: string): string {
  if (!beyondPlain.test(text)) return text;
  return text.replace(
    controls,
    (control) => `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/**
 * Normalizes a text to a Unicode form and cuts it to `longest`. A long text is also cut before, since ordering the combining
 * marks of a letter takes time that grows with the square of their number [N1].
 */
export function normalizeText(text: string, form: 'NFC' | 'NFKC', longest: number): string {
  return text
    .slice(0, 4 * longest)
    .normalize(form)
    .slice(0, longest);
}

/**
 * A text without the characters of one kind at its end. A pattern such as `/0+$/` would scan the rest of
 * a run again from each character in it, so its time grows with the square of what a caller sends (F2).
 */
export function withoutTrailing(text: string, character: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === character) end -= 1;
  return text.slice(0, end);
}
