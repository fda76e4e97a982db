import { ContextError } from '../context-error.ts';
import type { Pair } from '../use-cases.ts';

/** RFC 6570; the addresses of tokens hold no `-`. */
export const pairUriTemplate = 'swap://chains/{chainId}/pairs/{tokenIn}-{tokenOut}';

const pairUri =
  /^swap:\/\/chains\/([1-9]\d{0,15})\/pairs\/(0x[0-9a-fA-F]{40})-(0x[0-9a-fA-F]{40})$/;

/** The pair of a resource address. Does not check that its chain is served. Throws `NOT_A_PAIR`. */
export function parsePairUri(uri: string): Pair {
  const [, chainId, tokenIn, tokenOut] = pairUri.exec(uri) ?? [];
  if (chainId === undefined || tokenIn === undefined || tokenOut === undefined) {
    throw new ContextError(
      'NOT_A_PAIR',
      `${JSON.stringify(uri.slice(0, 200))} is not a resource of this server: write a pair as ${pairUriTemplate}, with the addresses of two tokens.`,
    );
  }
  return { chainId: Number(chainId), tokenIn, tokenOut };
}
