import { chainsOperation, nativeToken, tokensOperation } from '../../../swap/wire.ts';
import type { ServerClient } from '../create-server-client.ts';
import type { Token } from './find-token.ts';

/** The tokens that a server knows by symbol on a chain, and the chain's own currency as one of them. */
export type KnownTokens = {
  /** Absent for a chain that is not in the server's list, such as one behind an upstream. */
  readonly native: Token | undefined;
  readonly tokens: readonly Token[];
};

/** Requests the known tokens, or the native currency alone if no symbol must be looked up. Throws `ServerError`. */
export async function listKnownTokens(
  server: ServerClient,
  chainId: string,
  { isListNeeded = true }: { readonly isListNeeded?: boolean } = {},
): Promise<KnownTokens> {
  const [{ chains }, listed] = await Promise.all([
    server.get(chainsOperation),
    isListNeeded ? server.get(tokensOperation, { chainId }) : { tokens: [] },
  ]);
  const chain = chains.find((candidate) => String(candidate.chainId) === chainId);
  // On the interface the native token has 18 decimals on every chain, whatever wallets show.
  const native =
    chain && ({ ...chain.nativeCurrency, address: nativeToken, decimals: 18 } satisfies Token);
  const others = listed.tokens.filter(({ address }) => address !== nativeToken);
  return { native, tokens: native === undefined ? others : [native, ...others] };
}
