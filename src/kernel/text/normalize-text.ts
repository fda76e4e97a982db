/**
 * A text in a normal form of Unicode, cut to its first letters: the time that it takes to order the marks of a letter grows with
 * their square, so that a long text has to be cut before [N1].
 */
export function normalizeText(text: string, form: 'NFC' | 'NFKC', longest: number): string {
  return text
    .slice(0, 4 * longest)
    .normalize(form)
    .slice(0, longest);
}
