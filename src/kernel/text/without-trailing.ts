/**
 * A text without the characters of one kind at its end. A pattern such as `/0+$/` would scan the rest of
 * a run again from each character in it, so its time grows with the square of what a caller sends (F2).
 */
export function withoutTrailing(text: string, character: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === character) end -= 1;
  return text.slice(0, end);
}
