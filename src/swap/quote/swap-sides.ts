import type { ChainDeployment } from '../deployments/deployment.ts';
import { type Address, nativeToken, SwapError, type TokenMetadata } from '../model.ts';
import type { QuoteRequest } from './quote.ts';

/** The two ends of a swap as contracts see them: the native token in its wrapped form [Q6]. */
export type SwapSides = {
  readonly tokenIn: Address;
  readonly tokenOut: Address;
  readonly isNativeIn: boolean;
  readonly isNativeOut: boolean;
};

const native = nativeToken.toLowerCase();

export function isNative(token: Address): boolean {
  return token.toLowerCase() === native;
}

/**
 * Throws `INVALID_PARAMS` for the native token of a chain that has no token form of it. Where the
 * native currency is itself a token (Celo), it is paid and received as that token.
 */
export function swapSides(
  deployment: Pick<ChainDeployment, 'wrappedNative' | 'nativeIsToken' | 'name'>,
  request: Pick<QuoteRequest, 'tokenIn' | 'tokenOut'>,
): SwapSides {
  const { wrappedNative, nativeIsToken = false, name } = deployment;
  const contractOf = (token: Address) => {
    if (!isNative(token)) return token;
    if (wrappedNative !== undefined) return wrappedNative;
    throw new SwapError(
      'INVALID_PARAMS',
      `${token} means the native token, but ${name} has no wrapped native token that pools could hold; name a token contract.`,
    );
  };
  return {
    tokenIn: contractOf(request.tokenIn),
    tokenOut: contractOf(request.tokenOut),
    isNativeIn: isNative(request.tokenIn) && !nativeIsToken,
    isNativeOut: isNative(request.tokenOut) && !nativeIsToken,
  };
}

/** The native token as a token object; it has 18 decimals wherever the sentinel is used [Q6]. */
export function nativeTokenMetadata({
  nativeCurrency,
}: Pick<ChainDeployment, 'nativeCurrency'>): TokenMetadata {
  const { symbol, name } = nativeCurrency;
  return { address: nativeToken, symbol, name, decimals: 18 };
}
