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
