import type { ChainDeployment } from '../../deployments/deployment.ts';
import { publicDeployments } from '../../deployments/public-deployments.ts';
import type { DevelopmentChain } from '../../development-chain.ts';
import { type Address, parseAddress } from '../../model/address.ts';
import { nativeToken } from '../../tokens/native-token.ts';

/** A trade that this server quotes, for samples and pages. */
export type ExampleTrade = {
  readonly chainId: number;
  readonly tokenIn: Address;
  readonly tokenOut: Address;
  readonly amount: bigint;
  readonly sender: Address;
};

// A quote works for any address; this one shows by its form that it is nobody's.
const nobody = parseAddress('0x1111111111111111111111111111111111111111');

/**
 * A trade that this server quotes: one native token for a base token, on the first of its chains. If it
 * serves none itself, a trade that its upstream is likely to quote.
 */
export function exampleTrade(
  deployments: readonly ChainDeployment[],
  development: DevelopmentChain | undefined,
): ExampleTrade {
  for (const { chainId, wrappedNative, baseTokens } of [...deployments, ...publicDeployments]) {
    const tokenOut = baseTokens.find((token) => token !== wrappedNative);
    if (wrappedNative === undefined || tokenOut === undefined) continue;
    const isOurs = chainId === development?.deployment.chainId;
    const sender = isOurs ? development.account : nobody;
    return { chainId, tokenIn: nativeToken, tokenOut, amount: 10n ** 18n, sender };
  }
  throw new Error('The registry holds no chain with a native token and another');
}
