import { loadConfig } from '../../app/settings/load-config.ts';
import { type ServerFacts, startServer } from '../../app/start-server.ts';
import { createLogger, gatherLines } from '../../kernel/telemetry/logger.ts';
import type { Command } from '../command.ts';
import { settingOptions, textFlags } from '../input/setting-options.ts';
import { hasColours } from '../terminal.ts';

/** `tradewind serve`: runs the server until the system asks it to end. */
export const serveCommand: Command = {
  description:
    'Serves until SIGTERM or Ctrl-C; then it finishes running requests and exits 0.\nSIGHUP makes it read its certificate and key again. Results go to standard output, logs to standard error.\nEvery flag is also an environment variable.',
  options: {
    ...settingOptions(),
    json: { type: 'boolean', help: 'Print one line of JSON when the server is ready.' },
  },
  async run({ flags, terminal }) {
    const { environment, stdout, stderr } = terminal;
    const { config, warnings } = loadConfig({ environment, flags: textFlags(flags) });
    const { logLevel, logFormat } = config.server;
    const log = {
      write: (text: string) => stderr.draw(text),
      get writableLength() {
        return stderr.writableLength;
      },
    };
    const lines = gatherLines(log, {
      onLost: (count) => logger.warn({ count }, 'log lines were lost because nothing read them'),
    });
    terminal.onExit(lines.flush);
    const logger = createLogger({
      level: logLevel,
      format: logFormat === 'auto' ? (stderr.isTTY ? 'pretty' : 'json') : logFormat,
      isColoured: hasColours(stderr, environment),
      write: lines.write,
    });
    for (const warning of warnings) logger.warn({}, warning);

    const terminated = new Promise<void>((resolve) => terminal.onTerminate(resolve));
    const server = await startServer({ config, logger });
    // From now on: an error at the start should end the process.
    terminal.onFault?.((error) => server.reportFault(error, 'process'));
    terminal.onReload(() => void server.reloadTls());
    stdout.write(flags.json ? `${JSON.stringify(server.facts)}\n` : renderWelcome(server.facts));
    await terminated;
    await server.stop();
    return 0;
  },
};

/** What a newcomer reads once the server is ready: where it is, what it serves, how to sign in, what to try next. */
export function renderWelcome(facts: ServerFacts): string {
  const { url, version, database, services, tryNext } = facts;
  return [
    '',
    `  Tradewind ${version} is ready on ${url}`,
    '',
    `  Console    ${url}/`,
    `  Reference  ${url}/docs`,
    `  Services   ${services.join(', ')}`,
    `  Database   ${database}`,
    ...(services.includes('authorization') ? signIn(facts) : []),
    ...strangersGet(facts),
    '',
    '  Try',
    ...tryNext.map((command) => `    ${command}`),
    '',
    '  Ctrl-C stops the server.',
    '',
    '',
  ].join('\n');
}

/** What the settings give to whom nobody here knows, so that an operator sees it at each start (N22). */
function strangersGet({ strangers }: ServerFacts): string[] {
  if (strangers.length === 0) return [];
  const lines = strangers.map(({ of, get }) => `    ${of.padEnd(12)}  ${get}`);
  return ['', '  Strangers get', ...lines];
}

function signIn({ url, setUpLink }: ServerFacts): string[] {
  return [
    '',
    '  Sign in',
    ...(setUpLink === undefined
      ? ['    as owner, with the password you chose, on the page that a client opens']
      : [`    first choose the password of the owner: ${setUpLink}`]),
    `    npx tradewind login ${url}`,
  ];
}
