/**
 * The addresses of Uniswap and its neighbours on Ethereum mainnet, and therefore on the development
 * chain. Source: https://docs.uniswap.org/contracts, the deployment pages of v2 and v3.
 */
export const uniswapDeployment = {
  wrappedNative: '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2',
  multicall3: '0xcA11bde05977b3631167028862bE2a173976CA11',
  constantProductFactory: '0x5C69bEe701ef814a2B6a3EDD4B1652CB9cc5aA6f',
  constantProductRouter: '0x7a250d5630B4cF539739dF2C5dAcb4c659F2488D',
  concentratedFactory: '0x1F98431c8aD98523631AE4a59f267346ea31F984',
  positionManager: '0xC36442b4a4522E871399CD717aBDD847Ab11FE88',
  tickLens: '0xbfd8137f7d1516D3ea5cA83523914859ec47F573',
  quoterV2: '0x61fFE014bA17989E743c5F6cB21bF9697530B21e',
  swapRouter02: '0x68b3465833fb72A70ecDF485E0e4C7bD8665Fc45',
  /** github.com/Arachnid/deterministic-deployment-proxy: creates by CREATE2 whatever it is sent. */
  create2Deployer: '0x4e59b44847b379578588920cA78FbF26c0B4956C',
} as const;

/** Hashes of the pools' creation code, which their CREATE2 addresses are derived from. */
export const poolInitCodeHash = {
  constantProduct: '0x96e8ac4277198ff8b6f785478aa9a39f403cb768dd02cbee326c3e7da348845f',
  concentrated: '0xe34f199b19b2b4f47f68442619d555527d244f78a3297ea89325f843f87b8b54',
} as const;

export const concentratedFeeTiers = [
  { fee: 100, tickSpacing: 1 },
  { fee: 500, tickSpacing: 10 },
  { fee: 3000, tickSpacing: 60 },
  { fee: 10000, tickSpacing: 200 },
] as const;

export type ConcentratedFee = (typeof concentratedFeeTiers)[number]['fee'];

/**
 * The addresses of PancakeSwap V3, Uniswap V4 and the contract that makes pools in both, on the development
 * chain. They follow from the code of the contracts by CREATE2, and are not those of mainnet.
 */
export const moreExchanges = {
  pancakeFactory: '0x68361562292aB1779Cc72f377DeaB5757D8D531f',
  pancakePoolDeployer: '0x357F780bbB4C146c54298f937032663D609C8381',
  /** Of the pool's creation code, the same as on every chain. */
  pancakeInitCodeHash: '0x6ce8eb472fa82df5469c6ab6d485f17c3ad13c8cd7af59b3d4a8026c5ce0f7e2',
  poolManager: '0x9c39D577Ab5DE6Af87671b676A158bf2995845B9',
  poolProvider: '0x8be8B98F7Cdf9E5D36aC676Ea4F24E5B06259DaE',
} as const;

export const pancakeFeeTiers = [
  { fee: 100, tickSpacing: 1 },
  { fee: 500, tickSpacing: 10 },
  { fee: 2500, tickSpacing: 50 },
  { fee: 10000, tickSpacing: 200 },
] as const;
