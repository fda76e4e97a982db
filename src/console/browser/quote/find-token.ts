import { callApi } from '../api.ts';
import { type Chain, nativeAddress, type QuoteAnswer, type Token } from './quote-answer.ts';

/** The tokens of a chain that can be named by their symbols. */
export type ListedTokens = {
  readonly chainId: number;
  readonly tokens: readonly Token[];
  /** The chain could not be asked for the names of any but its native token. */
  readonly isNativeAlone: boolean;
};

/** The native token of a chain and then those known by name, which only the chain itself can tell. */
export async function listTokens(chain: Chain, signal?: AbortSignal): Promise<ListedTokens> {
  const { chainId, nativeCurrency } = chain;
  const native = { address: nativeAddress, ...nativeCurrency };
  try {
    const { tokens } = await callApi<{ tokens: readonly Token[] }>(`/v1/tokens/${chainId}`, {
      ...(signal === undefined ? {} : { signal }),
    });
    return { chainId, tokens: [native, ...tokens], isNativeAlone: false };
  } catch {
    return { chainId, tokens: [native], isNativeAlone: true };
  }
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
