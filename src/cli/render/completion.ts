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
