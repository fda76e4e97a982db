import { type DevelopmentChain, nativeToken } from '../swap/index.ts';
import type { ServiceName } from './server-settings.ts';

/** Commands that show a newcomer what this process can do, the most telling first. */
export function suggestCommands(options: {
  readonly publicUrl: URL;
  readonly services: readonly ServiceName[];
  /** The chain that this process runs itself, where it does. */
  readonly development: DevelopmentChain | undefined;
}): string[] {
  const { publicUrl, services, development } = options;
  const { origin } = publicUrl;
  return [
    ...(development === undefined ? [`curl ${origin}/health`] : suggestQuotes(origin, development)),
    ...(services.includes('context') ? [`npx tradewind tools ${origin}`] : []),
    ...(services.includes('swap') ? [`open ${origin}/docs`] : []),
  ];
}

function suggestQuotes(origin: string, { deployment, account }: DevelopmentChain): string[] {
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
  ];
}
