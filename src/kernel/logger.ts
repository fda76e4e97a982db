import { styleText } from 'node:util';
import { type Logger as PinoLogger, pino } from 'pino';
import { redact } from './redact.ts';

/** What is told of a happening: the facts first, then a short sentence. */
type Log = (facts: object, message: string) => void;

/** Structured logs. Secrets in the facts are hidden before they are written. */
export type Logger = {
  readonly debug: Log;
  readonly info: Log;
  readonly warn: Log;
  readonly error: Log;
  /** A logger that adds the facts to everything it writes. */
  child(facts: object): Logger;
};

export const logLevels = ['debug', 'info', 'warn', 'error', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

export type LoggerOptions = {
  readonly level: LogLevel;
  /** `json` for machines, one record a line; `pretty` for people at a terminal. */
  readonly format: 'json' | 'pretty';
  /** Whether what is written for people is coloured. */
  readonly isColoured?: boolean;
  write(line: string): void;
};

export function createLogger(options: LoggerOptions): Logger {
  const { level, format, isColoured = false, write } = options;
  const logger = pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: {
        level: (label) => ({ level: label }),
        log: (facts) => redact(facts) as Record<string, unknown>, // an object stays an object
      },
      serializers: { err: (error) => error },
    },
    { write: format === 'json' ? write : (line) => write(toPretty(line, isColoured)) },
  );
  return redactingChildren(logger);
}

/** pino runs no formatter over the facts of a child, so they are redacted on the way in. */
function redactingChildren(logger: PinoLogger): Logger {
  return {
    debug: (facts, message) => logger.debug(facts, message),
    info: (facts, message) => logger.info(facts, message),
    warn: (facts, message) => logger.warn(facts, message),
    error: (facts, message) => logger.error(facts, message),
    child: (facts) => redactingChildren(logger.child(redact(facts) as object)),
  };
}

const levelColours = { debug: 'gray', info: 'green', warn: 'yellow', error: 'red' } as const;

function toPretty(line: string, isColoured: boolean): string {
  const { level, time, msg, ...facts } = JSON.parse(line);
  const colour = levelColours[level as keyof typeof levelColours]; // written by the formatter above
  const paint = (paintedIn: typeof colour | 'gray', text: string) =>
    isColoured ? styleText(paintedIn, text, { validateStream: false }) : text;
  const rest = Object.entries(facts)
    .map(([key, value]) => `${key}=${typeof value === 'object' ? JSON.stringify(value) : value}`)
    .join(' ');
  return `${paint('gray', time.slice(11, 23))} ${paint(colour, level.padEnd(5))} ${msg} ${paint('gray', rest)}\n`;
}
