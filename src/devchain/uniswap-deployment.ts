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
