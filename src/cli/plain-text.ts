const longest = 1_000;

/**
 * Text from outside, made fit for a terminal: a token may call itself anything, a sequence that moves
 * the cursor included. Control and invisible characters become spaces, and very long texts are cut.
 */
export function plainText(text: string): string {
  const plain = withoutControls(text);
  return plain.length > longest ? `${plain.slice(0, longest)}…` : plain;
}

/** The same for a text of several lines that is wanted whole. */
export function plainLines(text: string): string {
  return text.split('\n').map(withoutControls).join('\n');
}

function withoutControls(text: string): string {
  return text.replaceAll(/\p{C}/gu, ' ');
}
