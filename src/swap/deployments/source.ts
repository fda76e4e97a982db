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
