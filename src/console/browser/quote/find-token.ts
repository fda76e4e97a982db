import { callApi } from '../api.ts';
import { type Chain, nativeAddress, type QuoteAnswer, type Token } from './quote-answer.ts';

/** The tokens of a chain that a person can name by symbol. */
export type ListedTokens = {
  readonly chainId: number;
  readonly tokens: readonly Token[];
  /** Whether only the native token is known, because the server could not list the others. */
  readonly isNativeAlone: boolean;
};

/** The native token of a chain and then the tokens that the server knows there. */
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

/** The token for a symbol or an address; `undefined` if the text is neither. */
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

/** Finds the decimals of a token by its address: the answer for a price describes the token. */
export async function describeToken(chainId: number, address: string): Promise<Token | undefined> {
  const query = { tokenIn: address, tokenOut: nativeAddress, amount: '1' };
  const answer = await callApi<QuoteAnswer>(`/v1/price/${chainId}`, { query });
  return answer.tokenFrom;
}
