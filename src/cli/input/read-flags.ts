import type { Flags } from '../command.ts';
import { UsageError } from './usage-error.ts';

type Range = {
  readonly least: number;
  readonly most?: number;
  /** The value that the message suggests. */
  readonly example?: number;
};

/** The whole number of a flag, if it is given. Throws {@link UsageError} for anything else, for less than `least` and for more than `most`. */
export function numberFlag(
  flags: Flags,
  name: string,
  { least, most = Number.MAX_SAFE_INTEGER, example = 10 }: Range,
): number | undefined {
  const given = flags[name];
  if (given === undefined) return undefined;
  const number = Number(given);
  if (/^\d+$/.test(String(given)) && number >= least && number <= most) return number;
  const range =
    most === Number.MAX_SAFE_INTEGER ? `of at least ${least}` : `from ${least} to ${most}`;
  throw new UsageError(
    `--${name} ${given} is not a whole number ${range}: write it as in --${name} ${example}.`,
  );
}

/** Refuses a missing operand and one too many. `taken` is what the action takes, such as `<person>` and `<role>`. */
export function checkOperands(
  action: string,
  taken: readonly string[],
  given: readonly string[],
): void {
  const [missing, tooMany] = [taken[given.length], given[taken.length]];
  const all = taken.join(' ');
  if (missing !== undefined) {
    throw new UsageError(`${missing} is missing: write tradewind ${action} ${all}.`);
  }
  if (tooMany !== undefined) {
    throw new UsageError(
      `${JSON.stringify(tooMany)} is one word too many: tradewind ${action} takes ${all || 'only flags'}.`,
    );
  }
}

/** The object that a JSON text holds; nothing where it is no JSON, or JSON of another kind. */
export function parseJsonObject(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The name of a subscription or topic as it was typed: a bare id is that of a subscription. */
export function toSubscriptionName(given: string): string {
  return given.includes('/') ? given : `subscriptions/${given}`;
}
