import { loadConfig } from '../../app/settings/load-config.ts';
import { startServer } from '../../app/start-server.ts';
import { gatherLines } from '../../kernel/logging/gather-lines.ts';
import { createLogger } from '../../kernel/logging/logger.ts';
import type { Command } from '../command.ts';
import { settingOptions, textFlags } from '../input/setting-options.ts';
import { hasColours } from '../render/has-colours.ts';
import { renderWelcome } from '../render/welcome.ts';

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
