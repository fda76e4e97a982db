import { ConfigError } from '../app/settings/load-config.ts';
import { version } from '../app/version.ts';
import { DomainError } from '../kernel/model/domain-error.ts';
import type { CommandEntry, SystemTerminal, Terminal } from './command.ts';
import { findClosest, parseCommandLine } from './input/parse-command-line.ts';
import { Interrupted, UsageError } from './input/usage-error.ts';
import { plainLines, plainText, textOnly } from './plain-text.ts';
import { commandHelp, overviewHelp } from './render/help.ts';

const interruptedCode = 130; // 128 + SIGINT, as shells count it

/**
 * Runs one command line and returns its exit code; every failure is written to `stderr` in words that a person can
 * act on.
 */
export async function runCommandLine(
  commands: readonly CommandEntry[],
  argv: readonly string[],
  given: SystemTerminal,
): Promise<number> {
  const terminal = { ...given, stdout: textOnly(given.stdout), stderr: textOnly(given.stderr) };
  try {
    return await dispatch(commands, argv, terminal);
  } catch (error) {
    return explainFailure(error, { commands, argv, terminal });
  }
}

async function dispatch(
  commands: readonly CommandEntry[],
  argv: readonly string[],
  terminal: Terminal,
): Promise<number> {
  const [name, ...rest] = argv;
  if (name === '--version' || name === '-v') {
    terminal.stdout.write(`${version}\n`);
    return 0;
  }
  const isHelp = name === undefined || name === 'help' || name === '--help' || name === '-h';
  if (isHelp && rest[0] === undefined) {
    terminal.stdout.write(overviewHelp(commands));
    return 0;
  }
  const entry = findCommand(commands, isHelp ? rest[0] : name);
  const command = await entry.load();
  const { flags, operands } = parseCommandLine(isHelp ? [] : rest, command.options, {
    takesAmount: command.operands?.startsWith('<amount>') ?? false,
  });
  if (isHelp || flags.help) {
    terminal.stdout.write(commandHelp(entry, command, terminal.stdout.columns));
    return 0;
  }
  const tooMany = operands[mostOperands(command.operands)];
  if (tooMany !== undefined) {
    const { operands: taken = 'only flags' } = command;
    throw new UsageError(
      `${JSON.stringify(tooMany)} is one word too many: tradewind ${entry.name} takes ${taken}.`,
    );
  }
  return command.run({ operands, flags, terminal, commands });
}

/** How many operands a command takes. A command with actions, or with any number of operands, checks them itself. */
function mostOperands(taken = ''): number {
  if (/[|…]/.test(taken)) return Number.POSITIVE_INFINITY;
  return taken.match(/<[^<>]+>|\[[^[\]]+\]/g)?.length ?? 0;
}

function findCommand(commands: readonly CommandEntry[], name: string | undefined): CommandEntry {
  const command = commands.find((candidate) => candidate.name === name);
  if (command) return command;
  const close = findClosest(
    name ?? '',
    commands.map((candidate) => candidate.name),
  );
  throw new UsageError(
    `${JSON.stringify(name)} is not a command${close ? `; did you mean tradewind ${close}?` : '.'}`,
  );
}

function explainFailure(
  error: unknown,
  options: { commands: readonly CommandEntry[]; argv: readonly string[]; terminal: Terminal },
): number {
  const { commands, argv, terminal } = options;
  if (error instanceof Interrupted) return interruptedCode;
  const { stderr } = terminal;
  const code = error instanceof DomainError ? error.code : 'INTERNAL_ERROR';
  const said = error instanceof Error ? error.message : String(error);
  // The message refers to the endpoints that were tried, and the JSON of a failure has no field for them (H51).
  const tried = error instanceof DomainError ? renderTried(error.details) : '';
  const message = `${said}${tried && `\n${tried.trimEnd()}`}`;
  if (argv.includes('--json')) {
    const problems = error instanceof ConfigError ? { problems: error.problems } : {};
    stderr.write(`${JSON.stringify({ error: { code, message, ...problems } })}\n`);
  } else if (error instanceof DomainError) {
    stderr.write(`tradewind: ${plainLines(message)}\n`);
    const known = commands.find(({ name }) => name === argv[0]);
    const command = known === undefined ? 'tradewind' : `tradewind ${known.name}`;
    if (error instanceof UsageError) stderr.write(`See ${command} --help.\n`);
  } else {
    stderr.write(`tradewind: unexpected internal error: ${message}\n`);
    stderr.write(`${error instanceof Error ? error.stack : ''}\n`);
  }
  return error instanceof UsageError || error instanceof ConfigError ? 2 : 1;
}

/** More than the endpoints of any chain. */
const most = 50;

/** A line for each tried endpoint in the details of an error: which one, and why it failed. */
function renderTried(details: DomainError['details']): string {
  const { attempts } = details ?? {};
  const listed: readonly unknown[] = Array.isArray(attempts) ? attempts.slice(0, most) : [];
  return listed.map(renderAttempt).join('');
}

function renderAttempt(attempt: unknown): string {
  const { endpoint, message } = (attempt ?? {}) as { endpoint?: unknown; message?: unknown }; // checked below
  if (typeof endpoint !== 'string' || typeof message !== 'string') return '';
  return `  ${plainText(`${endpoint}: ${message}`)}\n`;
}
