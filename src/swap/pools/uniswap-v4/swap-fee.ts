import type { UniswapV4State } from './uniswap-v4-pool.ts';

/**
 * What a swap pays in all, in hundredths of a basis point: the protocol takes its part of the input first
 * and the providers theirs of the rest, `ProtocolFeeLibrary.calculateSwapFee`.
 */
export function swapFee(
  { fee, protocolFeeZeroForOne, protocolFeeOneForZero }: UniswapV4State,
  zeroForOne: boolean,
): number {
  const protocolFee = zeroForOne ? protocolFeeZeroForOne : protocolFeeOneForZero;
  return protocolFee + fee - Math.floor((protocolFee * fee) / 1_000_000);
}
