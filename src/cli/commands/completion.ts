import type { Command, CommandEntry, CommandOption } from '../command.ts';
import { commonOptions } from '../input/parse-command-line.ts';
import { UsageError } from '../input/usage-error.ts';
import { type CompletedCommand, renderCompletion, shells } from '../render/completion.ts';

const anyOf = new Intl.ListFormat('en-GB', { type: 'disjunction' });

/** `tradewind completion`: prints a completion script for a shell, made from the declarations of commands and flags. */
export const completionCommand: Command = {
  operands: shells.join(' | '),
  description:
    'Prints a script for the shell. It knows the commands of this version; print it again after an upgrade.\n\n  tradewind completion bash > ~/.local/share/bash-completion/completions/tradewind\n  tradewind completion zsh > ~/.zsh/completions/_tradewind\n  tradewind completion fish > ~/.config/fish/completions/tradewind.fish',
  options: { json: { type: 'boolean', help: 'Print the commands and flags as JSON.' } },
  async run({ operands: [wanted, ...more], flags, terminal: { stdout }, commands = [] }) {
    const shell = shells.find((known) => known === wanted);
    if (more.length > 0 || (shell === undefined && !(flags.json && wanted === undefined))) {
      throw new UsageError(`Name the shell: ${anyOf.format(shells)}.`);
    }
    const described = await Promise.all(commands.map(describe));
    stdout.write(
      flags.json || shell === undefined
        ? `${JSON.stringify({ commands: described })}\n`
        : renderCompletion(shell, described),
    );
    return 0;
  },
};

async function describe({ name, summary, load }: CommandEntry): Promise<CompletedCommand> {
  const { operands = '', options } = await load();
  return { name, summary, actions: actionsOf(operands), flags: flagsOf(options) };
}

/** The actions of operands such as `add | list | remove <id>`: `add`, `list` and `remove`. */
function actionsOf(operands: string): string[] {
  if (!operands.includes('|')) return [];
  return operands.split('|').flatMap((part) => /^[a-z][a-z-]*/.exec(part.trim())?.[0] ?? []);
}

function flagsOf(options: Command['options']): CompletedCommand['flags'] {
  const all: Record<string, CommandOption> = { ...options, ...commonOptions };
  return Object.entries(all)
    .filter(([name]) => !name.includes('<'))
    .map(([name, { type, help }]) => ({
      name,
      takesValue: type === 'string',
      help: /^[^.:\n]*/.exec(help)?.[0] ?? '',
    }));
}
