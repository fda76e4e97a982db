/** A watched pair: the chain and the two tokens as the target names them, in lower case. */
export type PairTarget = {
  readonly chainId: number;
  readonly tokenIn: string;
  readonly tokenOut: string;
};

const pairShape = /^\/\/swap\/chains\/([1-9]\d{0,14})\/pairs\/(0x[0-9a-f]{40})-(0x[0-9a-f]{40})$/i;

/** Reads `//swap/chains/{chain}/pairs/{in}-{out}` (E14.11); undefined for anything else. */
export function parsePairTarget(targetResource: string): PairTarget | undefined {
  const [, chain, tokenIn, tokenOut] = pairShape.exec(targetResource) ?? [];
  if (tokenIn === undefined || tokenOut === undefined) return undefined;
  const pair = { tokenIn: tokenIn.toLowerCase(), tokenOut: tokenOut.toLowerCase() };
  return pair.tokenIn === pair.tokenOut ? undefined : { chainId: Number(chain), ...pair };
}
