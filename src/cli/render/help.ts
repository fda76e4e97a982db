import type { Command, CommandEntry, CommandOption } from '../command.ts';
import { commonOptions } from '../input/parse-command-line.ts';

/** What `tradewind --help` prints. */
export function overviewHelp(commands: readonly CommandEntry[]): string {
  const width = Math.max(...commands.map(({ name }) => name.length));
  return [
    'Tradewind: swap quotes, authorization and change notifications from one self-hosted server.',
    '',
    'Usage: tradewind <command> [flags]',
    '',
    'Commands:',
    ...commands.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`),
    '',
    'tradewind <command> --help describes a command; --version prints the version.',
    '',
  ].join('\n');
}

/** Wider text is hard to read, and the help texts are written for this width. */
const widest = 120;

/** What `tradewind <command> --help` prints on a terminal of `columns`, which is absent if the output is no terminal. */
export function commandHelp(
  { name, summary }: CommandEntry,
  command: Command,
  columns?: number,
): string {
  const width = Math.min(columns || widest, widest);
  const usage = ['tradewind', name, command.operands, '[flags]'].filter(Boolean).join(' ');
  const options = Object.entries({ ...command.options, ...commonOptions });
  return [
    summary,
    '',
    ...wrap(usage, { width, first: 'Usage: ', indent: ' '.repeat(7) }),
    '',
    ...paragraphsOf(command.description).flatMap((text) =>
      isExample(text) ? text : wrap(text, { width }),
    ),
    '',
    'Flags:',
    ...options.flatMap((option) => describeOption(option, width)),
    '',
  ].join('\n');
}

function describeOption([name, option]: [string, CommandOption], width: number): string[] {
  const flag = `--${name}${option.argument ? ` ${option.argument}` : ''}`;
  const short = option.short ? `-${option.short}, ` : '';
  return [`  ${short}${flag}`, ...wrap(option.help, { width, indent: ' '.repeat(8) })];
}

/** Paragraphs, each in one line, empty lines and examples. */
function paragraphsOf(text: string): string[] {
  const paragraphs: string[] = [];
  for (const line of text.split('\n')) {
    const last = paragraphs.at(-1) ?? '';
    const isMore = last !== '' && line !== '' && !isExample(last) && !isExample(line);
    if (isMore) paragraphs[paragraphs.length - 1] = `${last} ${line}`;
    else paragraphs.push(line);
  }
  return paragraphs;
}

const isExample = (line: string) => line.startsWith(' ');

/** Lines of whole words, none wider than `width` unless a word is. */
function wrap(
  text: string,
  { width, indent = '', first = indent }: { width: number; indent?: string; first?: string },
): string[] {
  const lines: string[] = [];
  let line = first;
  let isEmpty = true;
  for (const word of text.split(' ')) {
    if (!isEmpty && line.length + 1 + word.length > width) {
      lines.push(line);
      line = indent;
      isEmpty = true;
    }
    line += isEmpty ? word : ` ${word}`;
    isEmpty = false;
  }
  return [...lines, line];
}
