import type { Create2Exchange } from '../exchange.ts';
import type { Pool } from '../pool.ts';
import type { PoolState } from '../pool-state.ts';

/** Which iteration finds the output of a stable pair: that of Solidly, or the one of Velodrome V2 and Aerodrome. */
export type SolidlyGeneration = 'solidly' | 'velodrome-v2';

export type SolidlyExchange = Create2Exchange & {
  readonly kind: 'solidly';
  readonly generation: SolidlyGeneration;
  /** In ten-thousandths, or `factory` where `getFee` of the factory tells it for each pair. */
  readonly feeBps: 'factory' | { readonly volatile: number; readonly stable: number };
};

export type SolidlyPool = Pool & {
  readonly kind: 'solidly';
  readonly generation: SolidlyGeneration;
  readonly isStable: boolean;
  /** Undefined where the factory tells it. */
  readonly feeBps: bigint | undefined;
  readonly factory: SolidlyExchange['factory'];
};

/** A pair of Solidly or one of its forks. The fee leaves the reserves with every swap. */
export type SolidlyState = PoolState & {
  readonly kind: 'solidly';
  readonly generation: SolidlyGeneration;
  /** The curve: `x³y + y³x = k` for a stable pair, `x · y = k` for a volatile one. */
  readonly isStable: boolean;
  readonly reserve0: bigint;
  readonly reserve1: bigint;
  /** One whole token in units: 10 to the power of its decimals. */
  readonly unit0: bigint;
  readonly unit1: bigint;
  /** The fee on the input, in ten-thousandths. */
  readonly feeBps: bigint;
};
