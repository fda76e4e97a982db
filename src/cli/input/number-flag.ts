import type { Flags } from '../command.ts';
import { UsageError } from './usage-error.ts';

/** The whole number of a flag, if it is given. Throws {@link UsageError} for anything else and for less than `least`. */
export function numberFlag(
  flags: Flags,
  name: string,
  { least }: { readonly least: number },
): number | undefined {
  const given = flags[name];
  if (given === undefined) return undefined;
  const number = Number(given);
  if (/^\d+$/.test(String(given)) && number >= least && Number.isSafeInteger(number)) return number;
  throw new UsageError(
    `--${name} ${given} is no whole number from ${least} on: write it as in --${name} 10.`,
  );
}
