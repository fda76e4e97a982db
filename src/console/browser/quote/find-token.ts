import { callApi } from '../api.ts';
import { type Chain, nativeAddress, type QuoteAnswer, type Token } from './quote-answer.ts';

/** The native token of a chain and then those known by name. */
export async function listTokens(chain: Chain, signal?: AbortSignal): Promise<readonly Token[]> {
  const native = { address: nativeAddress, ...chain.nativeCurrency };
  const { tokens } = await callApi<{ tokens: readonly Token[] }>(`/v1/tokens/${chain.chainId}`, {
    ...(signal === undefined ? {} : { signal }),
  });
  return [native, ...tokens];
}

/** Which token a person means by a symbol or an address; `undefined` for neither. */
export function matchToken(
  text: string,
  tokens: readonly Token[],
): Token | { address: string } | undefined {
  const wanted = text.trim().toLowerCase();
  const known = tokens.find(
    ({ symbol, address }) => symbol.toLowerCase() === wanted || address.toLowerCase() === wanted,
  );
  if (known !== undefined) return known;
  return /^0x[0-9a-f]{40}$/.test(wanted) ? { address: text.trim() } : undefined;
}

/** The decimals of a token by its address alone: a price names the token that it is of. */
export async function describeToken(chainId: number, address: string): Promise<Token | undefined> {
  const query = { tokenIn: address, tokenOut: nativeAddress, amount: '1' };
  const answer = await callApi<QuoteAnswer>(`/v1/price/${chainId}`, { query });
  return answer.tokenFrom;
}
