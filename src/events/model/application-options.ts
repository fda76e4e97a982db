import { z } from 'zod';
import type { FieldViolation } from './events-error.ts';
import { flag, int32, text } from './proto-fields.ts';

/** The value of one application's options, as JSON. */
export type OptionsValue = Readonly<Record<string, unknown>>;

/** The options of a subscription, by the fields of its resource that hold them: `swapOptions`. */
export type SubscriptionOptions = Readonly<Record<string, OptionsValue>>;

/** The options that an application brings to a subscription, in a field of their own. */
export type ApplicationOptions = {
  readonly field: string;
  /** The field as requests bring it and as answers show it. */
  readonly message: z.ZodType<OptionsValue>;
  /**
   * The options of a subscription to this target of the application, completed with their defaults.
   * The value is undefined if the target has none.
   */
  read(targetResource: string, given: OptionsValue | undefined): OptionsReading;
};

type OptionsReading = {
  readonly value?: OptionsValue | undefined;
  readonly violations?: readonly FieldViolation[];
};

/** A watched pair: the chain and the two tokens as the target names them, in lower case. */
type PairTarget = {
  readonly chainId: number;
  readonly tokenIn: string;
  readonly tokenOut: string;
};

const pairShape = /^\/\/swap\/chains\/([1-9]\d{0,14})\/pairs\/(0x[0-9a-f]{40})-(0x[0-9a-f]{40})$/i;

/** Reads `//swap/chains/{chain}/pairs/{in}-{out}` (E14.11); undefined for anything else. */
export function parsePairTarget(targetResource: string): PairTarget | undefined {
  const [, chain, tokenIn, tokenOut] = pairShape.exec(targetResource) ?? [];
  if (tokenIn === undefined || tokenOut === undefined) return undefined;
  const pair = { tokenIn: tokenIn.toLowerCase(), tokenOut: tokenOut.toLowerCase() };
  return pair.tokenIn === pair.tokenOut ? undefined : { chainId: Number(chain), ...pair };
}

/** When the price of a watched pair counts as moved. */
type SwapOptions = {
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

const driveField = 'driveOptions';

/** Whether a drive target stands for everything below it (E2.16). A shared drive always does. */
export const driveOptions: ApplicationOptions = {
  field: driveField,
  message: z
    .strictObject(
      {
        includeDescendants: flag
          .optional()
          .describe('On a folder: false for the folder itself, true for everything below it.'),
      },
      'must be an object',
    )
    .meta({ id: 'DriveOptions', description: 'Options of Drive targets.' }),
  read(targetResource, given) {
    const isSharedDrive = targetResource.startsWith('//drive.googleapis.com/drives/');
    if (isSharedDrive && given?.includeDescendants !== true) {
      const description = 'must be true for a shared drive';
      return { violations: [{ field: `${driveField}.includeDescendants`, description }] };
    }
    return { value: given && { includeDescendants: given.includeDescendants ?? false } };
  },
};

/** Whether a subscription to a drive target wants the events of everything below it. */
export function includesDescendants(options: SubscriptionOptions): boolean {
  return options[driveField]?.includeDescendants === true;
}

/** The options that built-in applications bring, each a field of the Subscription of the interface. */
export const applicationOptions: readonly ApplicationOptions[] = [driveOptions, swapOptions];
