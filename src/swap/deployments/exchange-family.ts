/**
 * What the deployments of one exchange share on every chain; a chain adds the factory and the source.
 * Not here, because prices or calls differ: Liquidity Book, Camelot V2 (fees by direction).
 */
export const exchangeFamily = {
  /** `UniswapV2Library.getAmountOut`: 997/1000. */
  uniswapV2: {
    name: 'uniswap-v2',
    kind: 'constant-product',
    feeNumerator: 997,
    feeDenominator: 1000,
    initCodeHash: '0x96e8ac4277198ff8b6f785478aa9a39f403cb768dd02cbee326c3e7da348845f',
  },
  sushiswapV2: {
    name: 'sushiswap-v2',
    kind: 'constant-product',
    feeNumerator: 997,
    feeDenominator: 1000,
    initCodeHash: '0xe18a34eb0e04b04f7a0ac29a6e80748dca96319b42c54d679cb821dca90c6303',
  },
  /** `SmartRouterHelper.getAmountOut`: 9975/10000. The hash is another on BNB Smart Chain and ZKsync. */
  pancakeswapV2: {
    name: 'pancakeswap-v2',
    kind: 'constant-product',
    feeNumerator: 9975,
    feeDenominator: 10_000,
    initCodeHash: '0x57224589c67f3f30a6b0d7a1b54cf3153ab84563bc609ef41dfb34f8b2974d2d',
  },
  /** Algebra V1; only our own executor swaps in it. */
  quickswapV3: {
    name: 'quickswap-v3',
    kind: 'algebra',
    generation: 'v1',
    initCodeHash: '0x6ec6c9c8091d160c0aa74b2b14ba9c1717e95093bd3ac085cee99a49aab294a4',
  },
  /** Algebra V1 with a fee for each direction; only our own executor swaps in it. */
  camelotV3: {
    name: 'camelot-v3',
    kind: 'algebra',
    generation: 'v1-directional',
    initCodeHash: '0x6c1bebd370ba84753516bc1393c0d0a6c645856da55f5393ac8ab3d6dbc861d3',
    provenBy: 'recorded-swaps',
  },
  uniswapV3: {
    name: 'uniswap-v3',
    kind: 'concentrated',
    feeTiers: [
      { fee: 100, tickSpacing: 1 },
      { fee: 500, tickSpacing: 10 },
      { fee: 3000, tickSpacing: 60 },
      { fee: 10_000, tickSpacing: 200 },
    ],
    initCodeHash: '0xe34f199b19b2b4f47f68442619d555527d244f78a3297ea89325f843f87b8b54',
  },
  /** Its `slot0` packs a 32-bit `feeProtocol` where Uniswap has 8 bits; swaps compute the same. */
  pancakeswapV3: {
    name: 'pancakeswap-v3',
    kind: 'concentrated',
    callsFarm: true,
    feeTiers: [
      { fee: 100, tickSpacing: 1 },
      { fee: 500, tickSpacing: 10 },
      { fee: 2500, tickSpacing: 50 },
      { fee: 10_000, tickSpacing: 200 },
    ],
    initCodeHash: '0x6ce8eb472fa82df5469c6ab6d485f17c3ad13c8cd7af59b3d4a8026c5ce0f7e2',
  },
  /** Pools without hooks; `factory` is the manager. Anyone may add other tiers, but few do. */
  uniswapV4: {
    name: 'uniswap-v4',
    kind: 'uniswap-v4',
    feeTiers: [
      { fee: 100, tickSpacing: 1 },
      { fee: 500, tickSpacing: 10 },
      { fee: 3000, tickSpacing: 60 },
      { fee: 10_000, tickSpacing: 200 },
    ],
  },
  /** Velodrome V2 and Aerodrome; the hash is that of a clone of their pool. */
  velodromeV2: {
    kind: 'solidly',
    generation: 'velodrome-v2',
    feeBps: 'factory',
    provenBy: 'recorded-swaps',
  },
  /** The concentrated pools of both. */
  slipstream: {
    kind: 'slipstream',
    tickSpacings: [1, 50, 100, 200, 2000],
    provenBy: 'recorded-swaps',
  },
} as const;
