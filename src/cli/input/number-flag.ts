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
