import { parsePairTarget } from '../applications/pair-target.ts';
import type { FieldViolation } from '../events-error.ts';
import { invalidArgument } from '../invalid-argument.ts';
import type { SwapOptions } from '../model/subscription.ts';

/** `swapOptions` as a request gives them. */
export type SwapOptionsInput = {
  readonly [Name in keyof SwapOptions]?: SwapOptions[Name] | undefined;
};

// One percent: more than the noise of a pool, less than what a trader would want to miss.
const defaultThresholdBps = 100;
const largestAmount = 2n ** 256n - 1n;
const weekInSeconds = 604_800;

/**
 * The options by which a pair is watched, completed with their defaults; undefined for targets other
 * than pairs. Throws `INVALID_ARGUMENT` for options on such a target and for values out of range (E14.12).
 */
export function readSwapOptions(
  targetResource: string,
  given: SwapOptionsInput | undefined,
): SwapOptions | undefined {
  if (parsePairTarget(targetResource) === undefined) {
    if (given === undefined) return undefined;
    throw invalidArgument([
      {
        field: 'swapOptions',
        description: `belongs to pairs of the swap application, not to ${targetResource}`,
      },
    ]);
  }
  const { amount, thresholdBps = defaultThresholdBps, intervalSeconds = 0 } = given ?? {};
  const violations: FieldViolation[] = [];
  const check = (isRight: boolean, name: string, rule: string) => {
    if (!isRight) violations.push({ field: `swapOptions.${name}`, description: `must be ${rule}` });
  };
  check(amount === undefined || isAmount(amount), 'amount', 'a whole number above 0 as text');
  check(isWithin(thresholdBps, 10_000), 'thresholdBps', 'from 0 to 10000');
  check(isWithin(intervalSeconds, weekInSeconds), 'intervalSeconds', `from 0 to ${weekInSeconds}`);
  if (violations.length > 0) throw invalidArgument(violations);
  return { ...(amount === undefined ? {} : { amount }), thresholdBps, intervalSeconds };
}

function isAmount(text: string): boolean {
  return /^[1-9]\d{0,77}$/.test(text) && BigInt(text) <= largestAmount;
}

function isWithin(value: number, maximum: number): boolean {
  return Number.isInteger(value) && value >= 0 && value <= maximum;
}
