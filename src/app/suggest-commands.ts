import { type DevelopmentChain, nativeToken } from '../swap/index.ts';
import type { ServiceName } from './settings/server-settings.ts';

/** Commands that show a newcomer what this process can do, the most telling first. */
export function suggestCommands(options: {
  readonly publicUrl: URL;
  readonly services: readonly ServiceName[];
  /** The development chain, if this process runs it. */
  readonly development: DevelopmentChain | undefined;
}): string[] {
  const { publicUrl, services, development } = options;
  const { origin } = publicUrl;
  return [
    ...(development === undefined ? [`curl ${origin}/health`] : suggestQuotes(origin, development)),
    ...(development !== undefined && services.includes('events') ? [suggestWatch(origin)] : []),
    ...(services.includes('context') ? [`npx tradewind tools ${origin}`] : []),
  ];
}

/** One basis point: selling 100 ETH moves the price by about twelve. */
function suggestWatch(origin: string): string {
  return `npx tradewind subscribe ETH/USDC --threshold-bps 1${serverFlag(origin)}  # then, elsewhere, the quote above`;
}

function dollarOf({ baseTokens, wrappedNative }: DevelopmentChain['deployment']): string {
  return baseTokens.find((token) => token !== wrappedNative) ?? '';
}

function suggestQuotes(origin: string, { deployment, account }: DevelopmentChain): string[] {
  const query = new URLSearchParams({
    tokenIn: nativeToken,
    tokenOut: dollarOf(deployment),
    amount: '1000000000000000000',
    sender: account,
  });
  return [
    `curl '${origin}/v1/swap/${deployment.chainId}?${query}'`,
    `npx tradewind quote 100 ETH USDC --execute${serverFlag(origin)}`,
  ];
}

/** Commands call the default address unless a flag names another. */
function serverFlag(origin: string): string {
  return origin === 'http://localhost:8787' ? '' : ` --server ${origin}`;
}
