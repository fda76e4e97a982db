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
