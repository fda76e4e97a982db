import type { ServerClient } from '../create-server-client.ts';
import { findToken, isAddress } from './find-token.ts';
import { listKnownTokens } from './list-known-tokens.ts';

const pair = /^([^\s/]+)\/([^\s/]+)$/;

/** Whether a word of the command line is two tokens, as `ETH/USDC`, and not the address of a resource. */
export function isPair(word: string): boolean {
  return pair.test(word);
}

/**
 * The resource of a pair of symbols or addresses, the token that is sold first. Throws `UsageError`
 * for a symbol that no known token has or that several share, and `ServerError`.
 */
export async function findPairTarget(
  server: ServerClient,
  { word, chainId }: { readonly word: string; readonly chainId: string },
): Promise<string> {
  const [, from = '', to = ''] = pair.exec(word) ?? [];
  const isListNeeded = !isAddress(from) || !isAddress(to);
  const tokens = isListNeeded ? (await listKnownTokens(server, chainId)).tokens : [];
  const addressOf = (token: string) =>
    isAddress(token) ? token : findToken(token, tokens).address;
  return `//swap/chains/${chainId}/pairs/${addressOf(from)}-${addressOf(to)}`;
}
