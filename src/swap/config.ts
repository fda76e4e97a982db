import type { ScopeDeclaration } from '../kernel/edge/operation.ts';
import { listOf, url, wholeNumber } from '../kernel/process/setting-kinds.ts';
import type { Settings } from '../kernel/process/settings.ts';

// EIP-2294 bounds chain ids so that they stay exact in a float64.
const chainId = wholeNumber(1, 4_503_599_627_370_476);

/** The settings of the swap service. */
export const swapSettings = {
  chains: {
    kind: listOf(chainId, 'a chain id'),
    meaning: 'Which chains are served.',
    example: '1,8453',
    default: undefined,
    defaultInWords: '31337 and every registered chain',
  },
  rpc: {
    suffix: { name: 'chain id', kind: chainId },
    kind: listOf(url('http', 'https')),
    meaning: 'RPC endpoints of your own for a chain, tried before the public ones.',
    example: 'https://rpc.example.com',
    secret: true,
  },
  rateLimit: {
    kind: wholeNumber(1, 10_000_000),
    meaning:
      'Quote requests a minute for each caller without an access token; ten times as many with one.',
    example: '600',
    default: '600',
  },
  upstreamUrl: {
    kind: url('http', 'https'),
    meaning:
      'A server with the same quote interface, for chains on which this one knows no exchanges.',
    example: 'https://quotes.example.com',
    default: undefined,
    secret: true,
  },
} as const satisfies Settings;

export const swapScopes: readonly ScopeDeclaration[] = [
  {
    name: 'swap.read',
    description: 'Ask for swap quotes at a higher rate',
    holders: 'anyone',
    isDefault: true,
  },
];
