import { type DevelopmentChain, nativeToken } from '../swap/index.ts';

/** Commands that show a newcomer what this process can do, the most telling first. */
export function suggestCommands(
  publicUrl: URL,
  development: DevelopmentChain | undefined,
): string[] {
  const { origin } = publicUrl;
  if (development === undefined) return [`curl ${origin}/health`, `open ${origin}/docs`];
  const { deployment, account } = development;
  const dollar = deployment.baseTokens.find((token) => token !== deployment.wrappedNative);
  const query = new URLSearchParams({
    tokenIn: nativeToken,
    tokenOut: dollar ?? '',
    amount: '1000000000000000000',
    sender: account,
  });
  return [
    `curl '${origin}/v1/swap/${deployment.chainId}?${query}'`,
    'npx tradewind quote 1 ETH USDC --execute',
    `open ${origin}/docs`,
  ];
}
