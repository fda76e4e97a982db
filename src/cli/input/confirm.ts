import type { CommandInput, CommandOption } from '../command.ts';
import { plainText } from '../plain-text.ts';
import { UsageError } from './usage-error.ts';

/** The flag of commands that ask before they remove or end something, or spend what somebody owns. */
export const yesOption: CommandOption = {
  type: 'boolean',
  help: 'Do it without asking.',
};

/**
 * Describes the effects and asks for confirmation, unless `--yes` was given. Returns `false` if the person
 * declines. Throws {@link UsageError} if nobody can answer.
 */
export async function confirm(
  { flags, terminal }: CommandInput,
  effects: string,
): Promise<boolean> {
  if (flags.yes === true) return true;
  const { stderr, readLine } = terminal;
  // With `--json` in a pipe, the question would precede the JSON of the failure.
  const isShown = !flags.json || stderr.isTTY === true;
  if (isShown) stderr.write(`${plainText(effects)} Go on? [y/N] `);
  const line = await readLine?.();
  if (line === undefined && !isShown) {
    throw new UsageError(`${plainText(effects)} Add --yes to do it without asking.`);
  }
  if (line === undefined) {
    stderr.write('\n'); // ends the line of the question, so that the error gets its own
    throw new UsageError('Nobody can answer here: add --yes to do it without asking.');
  }
  if (/^\s*y(es)?\s*$/i.test(line)) return true;
  stderr.write('Nothing was changed.\n');
  return false;
}

/**
 * As {@link confirm}, for commands that existing scripts call without `--yes`: unless a person types at a terminal,
 * it returns `true` without asking.
 */
export async function confirmAtTerminal(input: CommandInput, effects: string): Promise<boolean> {
  const { isTyped, stderr } = input.terminal;
  return !isTyped || !stderr.isTTY || confirm(input, effects);
}
