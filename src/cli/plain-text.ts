const longest = 1_000;

/**
 * Makes text from outside safe for a terminal: the name of a token may hold anything, even a sequence that
 * moves the cursor. Control and invisible characters become spaces, and very long texts are cut.
 */
export function plainText(text: string): string {
  const plain = withoutControls(text);
  return plain.length > longest ? `${plain.slice(0, longest)}…` : plain;
}

/** The same for text of several lines, which is not cut. */
export function plainLines(text: string): string {
  return text.split('\n').map(withoutControls).join('\n');
}

function withoutControls(text: string): string {
  return text.replaceAll(/\p{C}/gu, ' ');
}
