import { withoutTrailing } from '../../kernel/text/text.ts';
import type { CommandInput } from '../command.ts';
import { UsageError } from './usage-error.ts';

/** The flags that say which exchanges a route may use. */
export const exchangeOptions = {
  dexes: {
    type: 'string',
    argument: '<ids>',
    help: 'Use only these exchanges: ids from `tradewind chains`, separated by commas.',
  },
  'exclude-dexes': {
    type: 'string',
    argument: '<ids>',
    help: 'Use none of these exchanges.',
  },
} as const;

export function readExchanges(flags: CommandInput['flags']) {
  const text = (flag: unknown) => (flag === undefined ? undefined : String(flag));
  return { dexes: text(flags.dexes), excludeDexes: text(flags['exclude-dexes']) };
}

const percentage = /^((?:0|[1-9]\d?)(?:\.\d{1,20})?|100)%$/;

/**
 * Reads `0.5%` into what the interface takes, exactly: `0.5e-2`. The sign is required,
 * because a bare 0.5 may mean a half or half a percent. Throws {@link UsageError}.
 */
export function parseSlippageFlag(text: string): string {
  const match = percentage.exec(text);
  if (match?.[1] !== undefined) return `${match[1]}e-2`;
  const problem = percentage.test(`${text}%`)
    ? 'has no percent sign'
    : 'is not a percentage from 0% to 100%';
  throw new UsageError(
    `The slippage ${JSON.stringify(text)} ${problem}: write it as in --slippage 0.5%.`,
  );
}

/**
 * Reads a whole-token amount, such as `1.5`, into the token's smallest unit, exactly. Throws
 * {@link UsageError} for anything that is not a plain decimal number above zero, and for more
 * decimals than the token has, which rounding would hide.
 */
export function parseTokenAmount(
  text: string,
  { symbol, decimals }: { symbol: string; decimals: number },
): bigint {
  const match = /^(\d+)(?:\.(\d+))?$/.exec(text);
  if (!match) {
    throw new UsageError(
      `The amount ${JSON.stringify(text)} is not a plain number: write it as in 1 or 0.25.`,
    );
  }
  const [, whole = '', fraction = ''] = match;
  const significant = withoutTrailing(fraction, '0');
  if (significant.length > decimals) {
    throw new UsageError(
      `The amount ${text} has ${significant.length} decimals, but ${symbol} has only ${decimals}: shorten it.`,
    );
  }
  const units = BigInt(whole + significant.padEnd(decimals, '0'));
  if (units === 0n) throw new UsageError(`The amount ${text} is zero: give an amount above 0.`);
  return units;
}
