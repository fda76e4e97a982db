const longest = 200;

/**
 * Text from outside, made fit for a terminal: a token may call itself anything, a sequence that moves
 * the cursor included. Control and invisible characters become spaces, and long texts are cut.
 */
export function plainText(text: string): string {
  return text.replaceAll(/\p{C}/gu, ' ').slice(0, longest);
}
