import { onTestFinished } from 'vitest';
import { createEdge } from '../../src/kernel/edge/create-edge.ts';
import { openListener } from '../../src/kernel/edge/listener/open-listener.ts';
import { createReferenceMount, describeOpenApi } from '../../src/kernel/edge/open-api.ts';
import { systemRandom } from '../../src/kernel/model/random.ts';
import { systemClock } from '../../src/kernel/wait/clock.ts';
import { createSwapMount, type SwapMountOptions } from '../../src/swap/http/create-swap-mount.ts';
import { toQuoteAnswer } from '../../src/swap/http/to-quote-answer.ts';
import { nativeToken, parseAddress, SwapError, type TokenMetadata } from '../../src/swap/model.ts';
import type { RoutedQuote, UnroutedQuote } from '../../src/swap/quote/quote.ts';
import type { ListedChain } from '../../src/swap/swap-use-cases.ts';

export const sender = parseAddress('0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266');
const router = parseAddress('0x68b3465833fb72a70ecdf485e0e4c7bd8665fc45');

export const ether: TokenMetadata = {
  address: nativeToken,
  symbol: 'ETH',
  name: 'Ether',
  decimals: 18,
};
export const weth: TokenMetadata = {
  address: parseAddress('0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2'),
  symbol: 'WETH',
  name: 'Wrapped Ether',
  decimals: 18,
};
export const usdc: TokenMetadata = {
  address: parseAddress('0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48'),
  symbol: 'USDC',
  name: 'USD Coin',
  decimals: 6,
};

/** One Ether for USD Coin over two pools, as the service behind the interface would answer. */
export const routedQuote: RoutedQuote = {
  status: 'Successful',
  tokenFrom: ether,
  tokenTo: usdc,
  blockNumber: 23_000_000n,
  rpcUrls: [1, 2, 3, 4, 5, 6].map((number) => `https://rpc${number}.example/`),
  swapPrice: 2990.95,
  priceImpact: 0.0031,
  amountIn: 10n ** 18n,
  expectedAmountOut: 2_990_950_000n,
  minAmountOut: 2_975_995_250n,
  tokens: [ether, weth, usdc],
  tx: {
    from: sender,
    to: router,
    data: '0x5ae401dc',
    value: 10n ** 18n,
    gas: 231_000n,
    gasPrice: 1_500_000_000n,
  },
  approval: [],
  route: [
    {
      path: 0,
      pool: parseAddress('0x88e6a0c2ddd26feeb64f039a2c41296fcb3f5640'),
      exchange: 'uniswap-v3',
      tokenIn: weth.address,
      tokenOut: usdc.address,
      share: 0.7,
      amountIn: 7n * 10n ** 17n,
      amountOut: 2_094_000_000n,
    },
    {
      path: 1,
      pool: parseAddress('0xb4e16d0168e52d35cacd2c6185b44281ec28c9dc'),
      exchange: 'uniswap-v2',
      tokenIn: weth.address,
      tokenOut: usdc.address,
      share: 0.3,
      amountIn: 3n * 10n ** 17n,
      amountOut: 896_950_000n,
    },
  ],
  validUntil: Date.UTC(2030, 0, 1, 0, 20),
  optimality: {
    upperBound: 2_990_950_020n,
    gapBps: 0.00007,
    pools: 22,
    poolsCutOff: 0,
    unreadBps: 31,
    isCutShort: false,
    gasCost: 1_230_000n,
  },
};

export const unroutedQuote: UnroutedQuote = {
  status: 'NoRoute',
  tokenFrom: ether,
  tokenTo: usdc,
  blockNumber: 23_000_000n,
  rpcUrls: ['https://rpc1.example/'],
  reason: 'No pool connects ETH and USDC.',
};

/** The same two quotes as the interface writes them. */
export const routedAnswer = toQuoteAnswer(routedQuote);
export const unroutedAnswer = toQuoteAnswer(unroutedQuote);

export const servedChain: ListedChain = {
  chainId: 31337,
  name: 'Development',
  nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  rpcUrls: ['http://localhost:8787/rpc/31337'],
  exchanges: [
    {
      name: 'uniswap-v2',
      kind: 'constant-product',
      factory: parseAddress('0x5c69bee701ef814a2b6a3edd4b1652cb9cc5aa6f'),
      initCodeHash: '0x96e8ac4277198ff8b6f785478aa9a39f403cb768dd02cbee326c3e7da348845f',
      source: 'test',
      feeNumerator: 997,
      feeDenominator: 1000,
    },
  ],
  routers: [{ kind: 'swap-router-02', address: router, exchanges: ['uniswap-v2'], source: 'test' }],
};

/** The options of a mount whose service knows one chain and always returns the same quote. */
export const swapMountOptions = {
  useCases: {
    quote: async ({ chainId }) => {
      checkChain(chainId);
      return routedQuote;
    },
    price: async ({ chainId }) => {
      checkChain(chainId);
      const {
        tx: _tx,
        approval: _approval,
        minAmountOut: _minimum,
        validUntil: _until,
        ...price
      } = routedQuote;
      return price;
    },
    history: async () => [],
    endpoints: async () => [],
    chains: async () => [servedChain],
    tokens: async (chainId) => {
      checkChain(chainId);
      return [ether, weth, usdc];
    },
  },
  limiter: {
    take: async () => ({
      isAllowed: true,
      limit: 600,
      remaining: 599,
      retryAfterSeconds: 0,
      resetSeconds: 60,
    }),
  },
  clock: { ...systemClock, now: () => Date.UTC(2030, 0, 1) },
  publicUrl: new URL('http://localhost:8787'),
  exampleTrade: {
    chainId: servedChain.chainId,
    tokenIn: nativeToken,
    tokenOut: usdc.address,
    amount: 10n ** 18n,
    sender,
  },
} as const satisfies SwapMountOptions;

function checkChain(chainId: number): void {
  if (chainId === servedChain.chainId) return;
  throw new SwapError('UNSUPPORTED_CHAIN', `Chain ${chainId} is not served; use 31337.`, {
    details: { chains: [servedChain.chainId] },
  });
}

/** The interface on an edge, for calls inside the process. `errors` are those that the edge hid from the caller. */
export function createSwapEdge(options: Partial<SwapMountOptions> = {}) {
  const errors: unknown[] = [];
  const mountOptions = { ...swapMountOptions, ...options };
  const mount = createSwapMount(mountOptions);
  const edge = createEdge({
    publicUrl: mountOptions.publicUrl,
    trustedProxies: [],
    mounts: [
      mount,
      createReferenceMount(describeOpenApi([mount.service], mountOptions.publicUrl.origin)),
    ],
    logger: { debug: () => {}, info: () => {}, error: (fields) => void errors.push(fields) },
    clock: mountOptions.clock,
    random: systemRandom,
  });
  return { edge, errors };
}

/** The interface on a real listener, which closes with the test. Returns its address. */
export async function openSwapServer(options: Partial<SwapMountOptions> = {}): Promise<string> {
  const edge = Promise.withResolvers<ReturnType<typeof createSwapEdge>['edge']>();
  const listener = await openListener({
    fetch: async (request, env) => (await edge.promise).fetch(request, env),
    host: '127.0.0.1',
    port: 0,
    trustedProxies: [],
    clock: systemClock,
  });
  onTestFinished(() => listener.close(0));
  edge.resolve(createSwapEdge({ ...options, publicUrl: new URL(listener.url) }).edge);
  return listener.url;
}
