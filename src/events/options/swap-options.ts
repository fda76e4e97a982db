import { z } from 'zod';
import type { FieldViolation } from '../errors/events-error.ts';
import { int32, text } from '../proto-json/fields.ts';
import type { ApplicationOptions, SubscriptionOptions } from './application-options.ts';
import { parsePairTarget } from './pair-target.ts';

/** When the price of a watched pair counts as moved. */
export type SwapOptions = {
  /** In the smallest unit of the token that is sold; defaults to one whole unit of it. */
  readonly amount?: string;
  readonly thresholdBps: number;
  /** The shortest time between two events. */
  readonly intervalSeconds: number;
};

const swapField = 'swapOptions';
// One percent: more than the noise of a pool, less than a move that a trader would not want to
// miss.
const defaultThresholdBps = 100;
const largestAmount = 2n ** 256n - 1n;
const weekInSeconds = 604_800;

const message = z
  .strictObject(
    {
      amount: text.optional().describe('How much is sold, in the smallest unit of the token.'),
      thresholdBps: int32.optional().describe('How far the price moves, in basis points.'),
      intervalSeconds: int32.optional().describe('The shortest time between two events.'),
    },
    'must be an object',
  )
  .meta({ id: 'SwapOptions', description: 'When the price of a watched pair counts as moved.' });

/** How a pair is watched (E14.12). Other targets of swap have no options. */
export const swapOptions: ApplicationOptions = {
  field: swapField,
  message,
  read(targetResource, given) {
    if (parsePairTarget(targetResource) !== undefined) {
      return readPairOptions((given ?? {}) as z.output<typeof message>); // as the message read it
    }
    if (given === undefined) return {};
    const description = `belongs to pairs of tokens, not to ${targetResource}: leave it out`;
    return { violations: [{ field: swapField, description }] };
  },
};

/** The options by which a subscription watches a pair; undefined where its target is no pair. */
export function swapOptionsOf(options: SubscriptionOptions): SwapOptions | undefined {
  return options[swapField] as SwapOptions | undefined; // as `read` completed it
}

function readPairOptions(given: z.output<typeof message>) {
  const { amount, thresholdBps = defaultThresholdBps, intervalSeconds = 0 } = given;
  const violations: FieldViolation[] = [];
  const check = (isRight: boolean, name: string, rule: string) => {
    if (!isRight)
      violations.push({ field: `${swapField}.${name}`, description: `must be ${rule}` });
  };
  check(amount === undefined || isAmount(amount), 'amount', 'a whole number above 0 as text');
  check(isWithin(thresholdBps, 10_000), 'thresholdBps', 'from 0 to 10000');
  check(isWithin(intervalSeconds, weekInSeconds), 'intervalSeconds', `from 0 to ${weekInSeconds}`);
  const value = { ...(amount === undefined ? {} : { amount }), thresholdBps, intervalSeconds };
  return violations.length > 0 ? { violations } : { value };
}

function isAmount(text: string): boolean {
  return /^[1-9]\d{0,77}$/.test(text) && BigInt(text) <= largestAmount;
}

function isWithin(value: number, maximum: number): boolean {
  return Number.isInteger(value) && value >= 0 && value <= maximum;
}
