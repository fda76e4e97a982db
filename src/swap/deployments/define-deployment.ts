import type { Address } from '../model.ts';
import type { ChainDeployment } from './deployment.ts';

/**
 * Takes a chain's facts as they are written in `chains/` and gives them their types. It checks
 * nothing when the program runs: a test checks the form and the checksum of every address in the
 * registry, so that a start pays nothing for data that cannot change.
 */
export function defineDeployment(facts: AsWritten<ChainDeployment>): ChainDeployment {
  // Holds because AsWritten differs from the type only in the brand of addresses.
  return facts as ChainDeployment;
}

/** The same shape with addresses as plain text. */
type AsWritten<T> = T extends Address
  ? `0x${string}`
  : T extends object
    ? { [Key in keyof T]: AsWritten<T[Key]> }
    : T;

/**
 * Where the facts of the registry were read: package, version and path inside it. The packages are under MIT unless the
 * entry says otherwise. Only contract addresses are taken from other sources.
 */
export const source = {
  viemAndSushi:
    'viem 2.57.1 chains/definitions; tokens: sushi 7.3.15 evm/config/tokens, @gfxlabs/oku-chains 1.12.36',
  sushiChain: 'sushi 7.3.15 evm/chain/chains.ts and evm/config/tokens',
  sushi: 'sushi 7.3.15 evm/config/features/sushiswap-v2.ts',
  sushiPancakeswapV2: 'sushi 7.3.15 evm/config/features/pancakeswap-v2.ts',
  uniswapSdkCore: '@uniswap/sdk-core 7.19.4 dist/esm/src/addresses.js',
  /** Uniswap's own record of its deployments, with their constructor arguments. */
  uniswapContracts: 'github.com/Uniswap/contracts deployments/json',
  /** Uniswap V3 as put on further chains by GFX Labs, with the consent of Uniswap's governance. */
  okuChains: '@gfxlabs/oku-chains 1.12.36 dist/index-mjs.js',
  okuSdkCore: '@gfxlabs/uniswap-sdk-core 4.0.9-17 dist/uniswap-sdk-core.cjs.development.js',
  okuSdks: 'github.com/oku-trade/uniswap-sdks sdks/sdk-core/src/addresses.ts at 39f1ec0',
  pancakeswapV3Sdk: '@pancakeswap/v3-sdk 3.10.2 dist/index.mjs',
  /** The address alone is taken from this package, whose code is under GPL-3.0. */
  pancakeswapSmartRouter: '@pancakeswap/smart-router 7.7.3 dist/evm/constants/exchange.d.ts',
  quickswapInterface: 'github.com/QuickSwap/interface-v2 src/constants/v3/addresses.ts',
  /** Zyberswap's deployer and hash also stand in @1delta/dex-registry 0.0.98 src/data/dex/uniV3.ts. */
  algebraV1: 'github.com/paraswap/paraswap-dex-lib src/dex/algebra/config.ts',
  /**
   * The deployer of pools on Arbitrum: @1delta/dex-registry 0.0.98 src/data/dex/uniV3.ts. That on ApeChain is published
   * nowhere; it is the one account from which both of its known pools follow (tests/vectors/known-pools.ts).
   */
  camelot: 'docs.camelot.exchange/contracts',
  zkLinkNova:
    'viem 2.57.1 chains/definitions; tokens: github.com/gfx-labs/chain-config src/definitions/zklink.ts at 7329ec7',
  velodrome: 'github.com/velodrome-finance/contracts README.md at 1ea5fee',
  velodromeSlipstream: 'github.com/velodrome-finance/slipstream README.md at 193a6b8',
  aerodrome: 'github.com/aerodrome-finance/contracts README.md at a5fae2e',
  aerodromeSlipstream: 'github.com/aerodrome-finance/slipstream README.md at 7844368',
  curveContracts: 'github.com/curvefi/curve-contract contracts/pools/susd/pooldata.json',
  quickswapSdk: 'quickswap-sdk 3.0.43 dist/sdk.esm.js',
  apeswapSdk: '@ape.swap/sdk 4.4.7 dist/sdk.esm.js',
  traderJoeSdk: '@traderjoe-xyz/sdk 5.0.16 dist/index.mjs',
  pangolinSdk: '@pangolindex/sdk 5.8.8 dist/sdk.esm.js',
  symbiosisSdk: 'symbiosis-js-sdk 3.12.0 dist/esm/crosschain/trade/uniV3Trade.js',
  baseswapSdkCore: '@baseswapfi/sdk-core 1.3.22 dist/sdk-core.cjs.development.js',
  baseswapV3Sdk: '@baseswapfi/v3-sdk2 3.12.0 dist/v3-sdk2.cjs.development.js',
  /** The verified sources of factory and router; the hash: @1delta/dex-registry 0.0.98. */
  cronosExplorer: 'cronos.org/explorer, verified contracts VVSFactory and VVSRouter',
} as const;

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
