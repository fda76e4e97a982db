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
