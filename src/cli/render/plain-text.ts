const longest = 1_000;

/**
 * Text from outside, made fit for a terminal: a token may call itself anything, a sequence that moves
 * the cursor included. Control and invisible characters become spaces, and very long texts are cut.
 */
export function plainText(text: string): string {
  const plain = text.replaceAll(/\p{C}/gu, ' ');
  return plain.length > longest ? `${plain.slice(0, longest)}…` : plain;
}
