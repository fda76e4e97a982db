/** Multicall3 where its author put it, at one address on most chains (mds1/multicall3). */
export const canonicalMulticall3 = '0xcA11bde05977b3631167028862bE2a173976CA11';
