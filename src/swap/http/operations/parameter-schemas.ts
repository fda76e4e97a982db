import { z } from 'zod';
import { swapLimits } from '../../limits.ts';
import { parseAddress } from '../../model.ts';
import { permitKinds } from '../../permit.ts';
import type { Slippage } from '../../quote/quote.ts';
import { feeUnit } from '../../quote/swap-price.ts';

// The grammar of a JSON number (RFC 8259, section 6).
const jsonNumber = /^(-?)(0|[1-9]\d*)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;
// Exact fractions grow with text and exponent, so both are bounded: 324 is the smallest exponent of a
// float64, which is what "number" means to nearly every client, and 64 characters hold any sane limit.
const longestText = swapLimits.slippageText.value;
const largestExponent = 324;

/**
 * Reads a slippage limit exactly from its decimal text: `0.005` is 5/1000, `5e-3` is the same. Takes what JSON takes
 * as a number, from 0 to 1, and returns undefined for everything else: `.5`, `+1`, `1%`.
 */
export function parseSlippage(text: string): Slippage | undefined {
  if (text.length > longestText) return undefined;
  const [, sign, whole = '', fraction = '', exponentText = '0'] = jsonNumber.exec(text) ?? [];
  const exponent = Number(exponentText) - fraction.length;
  if (sign === undefined || Math.abs(exponent) > largestExponent) return undefined;
  const digits = BigInt(whole + fraction);
  const numerator = exponent > 0 ? digits * 10n ** BigInt(exponent) : digits;
  const denominator = exponent < 0 ? 10n ** BigInt(-exponent) : 1n;
  const isNegative = sign === '-' && numerator > 0n;
  return isNegative || numerator > denominator ? undefined : { numerator, denominator };
}

/**
 * Parameters arrive as text, once, several times (a list) or not at all. The messages follow the name
 * of the parameter, which is their key in `details`.
 *
 * `wire` in a schema's metadata says what the text means to a client, where that is not a string.
 */
const text = z.string({
  error: ({ input }) => (input === undefined ? 'is required' : 'is given more than once'),
});

const longestShown = 80;
const mustBe = (rule: string) => ({
  error: ({ input }: { input?: unknown }) =>
    `is ${JSON.stringify(String(input).slice(0, longestShown))} but must be ${rule}`,
});

export const address = text
  .regex(/^0x[a-fA-F0-9]{40}$/, mustBe('0x and 40 hexadecimal digits'))
  .transform(parseAddress);

/** An address that can receive: what is sent to the zero address is lost. */
export const recipientAddress = address.refine(
  (given) => !/^0x0{40}$/.test(given),
  mustBe('an address other than the zero address'),
);

/** An address that can sign: on every chain the first ones are contracts of the chain itself [F74]. */
export const senderAddress = address.refine(
  (given) => /^0x0{40}$/.test(given) || !/^0x0{36}/.test(given),
  mustBe('an account, and none of the contracts that are part of a chain'),
);

/** Names separated by commas, each as `/v1/chains` writes it. */
export const names = text
  .max(1_000, mustBe('at most 1,000 characters'))
  .transform((given) =>
    given
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== ''),
  )
  .meta({ wire: { type: 'string' } });

/** A kind of router, or `auto` for the best of all. */
export const routerKind = text
  .max(64, mustBe('at most 64 characters'))
  .transform((given) => (given === 'auto' ? undefined : given))
  .meta({ wire: { type: 'string', default: 'auto' } });

/** The kind of signature that allows the input. */
export const permitChoice = text
  .pipe(z.enum(['auto', ...permitKinds], mustBe(`auto, ${permitKinds.join(' or ')}`)))
  .meta({ wire: { type: 'string', enum: ['auto', ...permitKinds] } });

// The largest amount that a token can count; it has 78 digits.
const maxUint256 = 2n ** 256n - 1n;

export const units = text
  .regex(/^\d+$/, mustBe('digits only, in the smallest unit'))
  .max(78, mustBe('at most 2^256 - 1, so no longer than 78 digits'))
  .transform(BigInt)
  .refine((value) => value <= maxUint256, mustBe('at most 2^256 - 1'));

export const positiveUnits = units.refine((value) => value > 0n, mustBe('above 0'));

export const chainId = text
  .regex(/^[1-9]\d*$/, mustBe('a whole number above 0'))
  .transform(Number)
  .refine(Number.isSafeInteger, mustBe('at most 2^53 - 1'))
  .meta({ wire: { type: 'integer', exclusiveMinimum: 0, maximum: Number.MAX_SAFE_INTEGER } });

/** A share of the output in billionths, the finest unit. */
export const feeShare = text
  .transform((given, context) => {
    const share = parseSlippage(given);
    const billionths = share && (share.numerator * feeUnit) / share.denominator;
    const isExact =
      share &&
      billionths !== undefined &&
      billionths * share.denominator === share.numerator * feeUnit;
    if (isExact && billionths < feeUnit) return billionths;
    const { error } = mustBe(
      'a number from 0 to below 1 with at most nine decimals: 0.001 is 0.1 %',
    );
    context.issues.push({ code: 'custom', input: given, message: error({ input: given }) });
    return z.NEVER;
  })
  .meta({ wire: { type: 'number', minimum: 0, exclusiveMaximum: 1 } });

const defaultSlippage = '0.005';

/** Absent, empty and `null` all mean the default (Q2). */
export const slippage = text
  .optional()
  .transform((given, context) => {
    const isDefault = given === undefined || given === '' || given === 'null';
    const value = parseSlippage(isDefault ? defaultSlippage : given);
    if (value !== undefined) return value;
    const { error } = mustBe('a number from 0 to 1, written as in JSON: 0.005 is 0.5 %');
    context.issues.push({ code: 'custom', input: given, message: error({ input: given }) });
    return z.NEVER;
  })
  .meta({
    wire: { type: ['number', 'null'], minimum: 0, maximum: 1, default: Number(defaultSlippage) },
  });
