/** The ticks a concentrated pool knows, `TickMath.MIN_TICK` and `MAX_TICK`: prices of 2⁻¹²⁸ to 2¹²⁸. */
export const MIN_TICK = -887_272;
export const MAX_TICK = 887_272;

/** The square roots of the prices at the outermost ticks, in Q64.96, as `TickMath` rounds them. */
export const MIN_SQRT_RATIO = 4295128739n;
export const MAX_SQRT_RATIO = 1461446703485210103287273052203988822378723970342n;
