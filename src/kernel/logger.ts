import { styleText } from 'node:util';
import { type Clock, systemClock } from './clock.ts';
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
  readonly clock?: Clock;
  write(line: string): void;
};

/** What is written; the facts stand between time and message. */
type LogRecord = {
  readonly level: Exclude<LogLevel, 'silent'>;
  readonly time: string;
  readonly msg: string;
  readonly [fact: string]: unknown;
};

export function createLogger(options: LoggerOptions): Logger {
  const { level: least, format, isColoured = false, clock = systemClock, write } = options;
  const toLine = format === 'json' ? toJson : toPretty(isColoured);
  return loggerWith({});

  /** Facts are redacted on the way in, those of a child once. */
  function loggerWith(own: object): Logger {
    const logAt = (level: LogRecord['level']): Log => {
      if (logLevels.indexOf(level) < logLevels.indexOf(least)) return () => {};
      return (facts, message) => {
        const time = new Date(clock.now()).toISOString();
        write(toLine({ level, time, ...own, ...redacted(facts), msg: message }));
      };
    };
    return {
      debug: logAt('debug'),
      info: logAt('info'),
      warn: logAt('warn'),
      error: logAt('error'),
      child: (facts) => loggerWith({ ...own, ...redacted(facts) }),
    };
  }
}

function redacted(facts: object): object {
  return redact(facts) as object; // an object stays an object
}

function toJson(record: LogRecord): string {
  return `${JSON.stringify(record)}\n`;
}

const levelColours = { debug: 'gray', info: 'green', warn: 'yellow', error: 'red' } as const;

function toPretty(isColoured: boolean) {
  const paint = (colour: (typeof levelColours)[LogRecord['level']], text: string) =>
    isColoured ? styleText(colour, text, { validateStream: false }) : text;
  return ({ level, time, msg, ...facts }: LogRecord): string => {
    const rest = Object.entries(facts)
      .filter(([, value]) => value !== undefined)
      .map(([key, value]) => `${key}=${typeof value === 'object' ? JSON.stringify(value) : value}`)
      .join(' ');
    return `${paint('gray', time.slice(11, 23))} ${paint(levelColours[level], level.padEnd(5))} ${msg} ${paint('gray', rest)}\n`;
  };
}
