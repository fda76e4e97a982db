const controls = /[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}]/gu;
/** Nothing else is in most texts, and looking for this costs a tenth of looking for the others. */
const beyondPlain = /[^\x20-\x7e]/;

/**
 * A text of somebody else as text and nothing else (N6): what begins a line, commands a terminal or turns
 * the direction of reading is written as its escape in JSON, so that a line of JSON keeps its meaning.
 */
export function escapeControls(text: string): string {
  if (!beyondPlain.test(text)) return text;
  return text.replace(
    controls,
    (control) => `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
