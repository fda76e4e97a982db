import type { Command, CommandEntry, CommandOption } from '../command.ts';
import { commonOptions } from '../input/parse-command-line.ts';

/** What `tradewind --help` prints. */
export function overviewHelp(commands: readonly CommandEntry[]): string {
  const width = Math.max(...commands.map(({ name }) => name.length));
  return [
    'Tradewind: swap quotes, authorization and change notifications from one server of your own.',
    '',
    'Usage: tradewind <command> [flags]',
    '',
    'Commands:',
    ...commands.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`),
    '',
    'tradewind <command> --help says more of a command; --version prints the version.',
    '',
  ].join('\n');
}

/** What `tradewind <command> --help` prints. */
export function commandHelp({ name, summary }: CommandEntry, command: Command): string {
  const usage = ['tradewind', name, command.operands, '[flags]'].filter(Boolean).join(' ');
  return [
    summary,
    '',
    `Usage: ${usage}`,
    '',
    command.description,
    '',
    'Flags:',
    ...Object.entries({ ...command.options, ...commonOptions }).map(describeOption),
    '',
  ].join('\n');
}

function describeOption([name, option]: [string, CommandOption]): string {
  const flag = `--${name}${option.argument ? ` ${option.argument}` : ''}`;
  const indent = ' '.repeat(8);
  return `  ${option.short ? `-${option.short}, ` : ''}${flag}\n${indent}${option.help}`;
}
