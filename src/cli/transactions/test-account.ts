/**
 * The first account that every Ethereum development tool derives from the mnemonic "test test test test
 * test test test test test test test junk". Its key is public, so it is for the development chain and
 * nothing else.
 */
export const testAccount = {
  address: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
  privateKey: '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80',
} as const;

/** The development chain, the only one on which the test account may sign. */
export const developmentChainId = 31337;
