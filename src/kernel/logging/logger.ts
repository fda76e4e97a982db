import { styleText } from 'node:util';
import { escapeControls } from '../text/escape-controls.ts';
import { type Clock, systemClock } from '../time/clock.ts';
import { currentSpan } from '../trace/current-span.ts';
import { redact } from './redact.ts';
import { createFactsWriter } from './write-facts.ts';

/** A log entry: the facts first, then a short sentence. */
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
  /** Whether the `pretty` format is coloured. */
  readonly isColoured?: boolean;
  readonly clock?: Clock;
  write(line: string): void;
};

/** A log entry that is not yet written. Its facts are not yet redacted. */
type LogEntry = {
  readonly level: Exclude<LogLevel, 'silent'>;
  readonly time: string;
  readonly facts: object;
  readonly message: string;
};

export function createLogger(options: LoggerOptions): Logger {
  const { level: least, format, isColoured = false, clock = systemClock, write } = options;
  const toLine = format === 'json' ? toJson() : toPretty(isColoured);
  const timeOf = writeTimes();
  return loggerWith(undefined);

  function loggerWith(own: object | undefined): Logger {
    const join = (facts: object) => (own === undefined ? facts : { ...own, ...facts });
    const logAt = (level: LogEntry['level']): Log => {
      if (logLevels.indexOf(level) < logLevels.indexOf(least)) return () => {};
      return (facts, message) => {
        const time = timeOf(clock.now());
        const span = currentSpan();
        const traced = span === undefined ? facts : { traceId: span.traceId, ...facts };
        write(toLine({ level, time, facts: join(traced), message }));
      };
    };
    return {
      debug: logAt('debug'),
      info: logAt('info'),
      warn: logAt('warn'),
      error: logAt('error'),
      child: (facts) => loggerWith(redacted(join(facts))),
    };
  }
}

/** Formats times. All of one second differ in their milliseconds alone, so the rest is formatted once. */
function writeTimes(): (now: number) => string {
  let [second, text] = [Number.NaN, ''];
  return (now) => {
    const milliseconds = now % 1_000;
    if (now - milliseconds !== second) {
      second = now - milliseconds;
      text = new Date(second).toISOString().slice(0, -'000Z'.length);
    }
    return `${text}${String(milliseconds).padStart(3, '0')}Z`;
  };
}

function redacted(facts: object): object {
  return redact(facts) as object; // an object stays an object
}

/**
 * Facts come from callers too, who must not be able to forge lines or control the terminal. The
 * parts are joined as text, since merging them into one object would cost as much as writing it.
 */
function toJson(): (entry: LogEntry) => string {
  const writeFacts = createFactsWriter();
  return ({ level, time, facts, message }) => {
    const inner = writeFacts(facts);
    const middle = inner === '' ? '' : `${inner},`;
    const msg = escapeControls(JSON.stringify(message));
    return `{"level":"${level}","time":"${time}",${middle}"msg":${msg}}\n`;
  };
}

const levelColours = { debug: 'gray', info: 'green', warn: 'yellow', error: 'red' } as const;

function toPretty(isColoured: boolean) {
  const paint = (colour: (typeof levelColours)[LogEntry['level']], text: string) =>
    isColoured ? styleText(colour, text, { validateStream: false }) : text;
  return ({ level, time, facts, message }: LogEntry): string => {
    const rest = Object.entries(redacted(facts))
      .filter(([, value]) => value !== undefined)
      .map(([key, value]) => `${key}=${typeof value === 'object' ? JSON.stringify(value) : value}`)
      .join(' ');
    return `${paint('gray', time.slice(11, 23))} ${paint(levelColours[level], level.padEnd(5))} ${escapeControls(message)} ${paint('gray', escapeControls(rest))}\n`;
  };
}
