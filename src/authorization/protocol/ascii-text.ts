/** RFC 6749 section 5.2 allows printable ASCII in an `error_description`, without quote and backslash. */
export function asciiText(text: string): string {
  return text.replace(/["\\]/g, "'").replace(/[^\x20-\x7e]/g, '?');
}
