import { parseArgs } from 'node:util';
import type { CommandOption, Flags } from '../command.ts';
import { UsageError } from './usage-error.ts';

/** Flags that every command has. */
export const commonOptions = {
  help: { type: 'boolean', short: 'h', help: 'Show this help.' },
} as const satisfies Record<string, CommandOption>;

/**
 * Splits what follows a command's name into flags and operands. An option whose name ends in `-<…>`
 * stands for every flag that begins so: `rpc-<chain id>` takes `--rpc-1`. Throws {@link UsageError}
 * for an unknown flag, a missing or an unwanted value.
 */
export function parseCommandLine(
  args: readonly string[],
  options: Readonly<Record<string, CommandOption>>,
  { takesAmount = false }: { readonly takesAmount?: boolean } = {},
): { flags: Flags; operands: readonly string[] } {
  const known = { ...commonOptions, ...options };
  const families = Object.keys(known).filter((name) => name.includes('<'));
  const familyMembers = args.flatMap((arg) => {
    const name = /^--([^=]+)/.exec(arg)?.[1];
    const isMember = families.some((family) => name?.startsWith(prefixOf(family)));
    return name && isMember ? [[name, { type: 'string' } as const] as const] : [];
  });
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      options: { ...known, ...Object.fromEntries(familyMembers) },
      allowPositionals: true,
      allowNegative: false,
    });
    return { flags: values as Flags, operands: positionals }; // options are text, switches and lists of text
  } catch (error) {
    const word = takesAmount && findNegative(error, args);
    throw new UsageError(
      word ? `The amount ${word} is below 0: give an amount above 0.` : explain(error, known),
      { cause: error },
    );
  }
}

function prefixOf(family: string): string {
  return family.slice(0, family.indexOf('<'));
}

/** The negative number that was taken for an unknown flag, if that is the failure. */
function findNegative(error: unknown, args: readonly string[]): string | undefined {
  const { code, message } = error as NodeJS.ErrnoException; // parseArgs throws nothing else
  const flag = /'(-[\d.])'/.exec(message)?.[1];
  return code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION' && flag !== undefined
    ? args.find((arg) => arg.startsWith(flag))
    : undefined;
}

function explain(error: unknown, known: Readonly<Record<string, CommandOption>>): string {
  const { code, message } = error as NodeJS.ErrnoException; // parseArgs throws nothing else
  const flag = /'(?:-\w, )?(--?[^'\s]+)/.exec(message)?.[1] ?? 'This flag';
  if (code !== 'ERR_PARSE_ARGS_UNKNOWN_OPTION') return explainValue(flag, message, known);
  const close = findClosest(flag.replace(/^-+/, ''), Object.keys(known));
  return `${flag} is not a flag of this command${close ? `; did you mean --${close}?` : '.'}`;
}

function explainValue(
  flag: string,
  message: string,
  known: Readonly<Record<string, CommandOption>>,
): string {
  const name = flag.slice(2);
  const isMeant = (key: string) =>
    key === name || (key.includes('<') && name.startsWith(prefixOf(key)));
  const option = Object.entries(known).find(([key]) => isMeant(key))?.[1];
  if (option?.type === 'boolean') return `${flag} takes no value: write ${flag} alone.`;
  const value = option?.argument ?? '<value>';
  const dashed = `, or ${flag}=${value} if it begins with a dash`;
  const more = message.includes('ambiguous') ? dashed : '';
  return `${flag} needs a value: write ${flag} ${value}${more}.`;
}

/** The candidate that differs in the fewest letters, if it is close enough to be meant. */
export function findClosest(word: string, candidates: readonly string[]): string | undefined {
  const ranked = candidates
    .map((candidate) => ({ candidate, distance: editDistance(word, candidate) }))
    .toSorted((a, b) => a.distance - b.distance);
  const best = ranked[0];
  return best && best.distance <= Math.max(2, Math.floor(word.length / 3))
    ? best.candidate
    : undefined;
}

function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
