import { endOfCurve, type TradingCurve } from '../trading-curve.ts';
import type { ConstantProductState } from './constant-product-pool.ts';

/** One segment, and the end where a reserve would overflow. */
export function constantProductCurve(
  pool: ConstantProductState,
  zeroForOne: boolean,
): TradingCurve {
  const reserveIn = Number(zeroForOne ? pool.reserve0 : pool.reserve1);
  const reserveOut = Number(zeroForOne ? pool.reserve1 : pool.reserve0);
  const keep = Number(pool.feeNumerator) / Number(pool.feeDenominator);
  const room = (fullReserve - reserveIn) * keep;
  if (!(reserveIn > 0 && reserveOut > 0 && room > 0)) {
    return { keep, segments: [endOfCurve], compounds: true };
  }
  const liquidity = Math.sqrt(reserveIn * reserveOut);
  const whole = {
    start: Math.sqrt(reserveOut / reserveIn),
    liquidity,
    inputBefore: 0,
    outputBefore: 0,
  };
  const full = {
    start: liquidity / (reserveIn + room),
    liquidity: 0,
    inputBefore: room,
    outputBefore: reserveOut * (room / (reserveIn + room)),
  };
  return { keep, segments: [whole, full], compounds: true };
}

/** A pair counts its reserves in `uint112`. */
const fullReserve = 2 ** 112 - 1;
