import type { Command, CommandEntry, CommandOption } from '../command.ts';
import { commonOptions } from '../input/parse-command-line.ts';
import { UsageError } from '../input/usage-error.ts';

export const shells = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof shells)[number];

export type CompletedCommand = {
  readonly name: string;
  readonly summary: string;
  /** Words that may come next, such as `list`. */
  readonly actions: readonly string[];
  readonly flags: readonly {
    readonly name: string;
    readonly takesValue: boolean;
    readonly help: string;
  }[];
};

/** The script by which a shell completes these commands. Where a flag takes a value, files are offered. */
export function renderCompletion(shell: Shell, commands: readonly CompletedCommand[]): string {
  return { bash, zsh, fish }[shell](commands);
}

function bash(commands: readonly CompletedCommand[]): string {
  const cases = commands.map(({ name, actions, flags }) => {
    const values = flags.filter(({ takesValue }) => takesValue).map((flag) => `--${flag.name}`);
    return [
      `    ${name})`,
      `      words="${[...actions, ...flags.map((flag) => `--${flag.name}`)].join(' ')}"`,
      `      valued=" ${values.join(' ')} " ;;`,
    ].join('\n');
  });
  return `# tradewind completion bash
_tradewind() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" words="" valued=""
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "${[...commands.map(({ name }) => name), '--help', '--version'].join(' ')}" -- "$current"))
    return
  fi
  case "\${COMP_WORDS[1]}" in
${cases.join('\n')}
    help) words="${commands.map(({ name }) => name).join(' ')}" ;;
  esac
  if [ -n "$previous" ] && [[ "$valued" == *" $previous "* ]]; then
    COMPREPLY=($(compgen -f -- "$current"))
    return
  fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _tradewind tradewind
`;
}

function zsh(commands: readonly CompletedCommand[]): string {
  const cases = commands.map(({ name, actions, flags }) => {
    const specs = flags.map(({ name: flag, takesValue, help }) =>
      quoted(`--${flag}[${help.replaceAll(/[[\]:]/g, ' ')}]${takesValue ? ':value:_files' : ''}`),
    );
    const first = actions.length > 0 ? [quoted(`1:action:(${actions.join(' ')})`)] : [];
    return `      ${name}) _arguments ${[...first, ...specs, "'*:file:_files'"].join(' ')} ;;`;
  });
  return `#compdef tradewind
# tradewind completion zsh
_tradewind() {
  local -a commands
  commands=(
${commands.map(({ name, summary }) => `    ${quoted(`${name}:${summary.replaceAll(':', ' ')}`)}`).join('\n')}
  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  local command="\${words[2]}"
  shift words
  (( CURRENT-- ))
  case "$command" in
${cases.join('\n')}
  esac
}
_tradewind "$@"
`;
}

function fish(commands: readonly CompletedCommand[]): string {
  const lines = commands.flatMap(({ name, summary, actions, flags }) => {
    const within = `-n '__fish_seen_subcommand_from ${name}'`;
    return [
      `complete -c tradewind -f -n __fish_use_subcommand -a ${name} -d ${quoted(summary)}`,
      ...actions.map((action) => `complete -c tradewind -f ${within} -a ${action}`),
      ...flags.map(
        (flag) =>
          `complete -c tradewind ${within} -l ${flag.name}${flag.takesValue ? ' -r' : ''} -d ${quoted(flag.help)}`,
      ),
    ];
  });
  return `# tradewind completion fish\n${lines.join('\n')}\n`;
}

/** Inside single quotes only the quote itself is special. All three shells take it escaped between two quoted parts. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

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
