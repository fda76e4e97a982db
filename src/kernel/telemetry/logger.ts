import { styleText } from 'node:util';
import { escapeControls } from '../text/text.ts';
import { type Clock, systemClock } from '../wait/clock.ts';
import { createBoundedMap } from '../wait/remembered.ts';
import { isSecretName, redact } from './redact.ts';
import { currentSpan } from './trace.ts';

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

type LoggerOptions = {
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

/** A text without any of these needs no escapes in JSON and hides no secret: it is visible ASCII, no address. */
const beyondPlain = /[^\x21\x23-\x39\x3b-\x5b\x5d-\x7e]/;

/** The code uses a few dozen names of facts. An evicted one is formatted again. */
const namesKept = 500;

/**
 * Returns a function that writes facts as the inside of a JSON object, with secrets hidden as by {@link redact} and
 * control characters escaped. It works in one pass, since a server writes a line for each request, and a redacted
 * copy would cost more than the line.
 */
export function createFactsWriter(): (facts: object) => string {
  const names = createBoundedMap<string, { readonly begin: string; readonly isSecret: boolean }>(
    namesKept,
  );
  const nameOf = (key: string) => {
    const known = names.get(key);
    if (known !== undefined) return known;
    const name = { begin: `${escapeControls(JSON.stringify(key))}:`, isSecret: isSecretName(key) };
    names.set(key, name);
    return name;
  };

  return (facts) => {
    let written = '';
    const record: Readonly<Record<string, unknown>> = { ...facts };
    for (const key in record) {
      const value = record[key];
      const { begin, isSecret } = nameOf(key);
      const text = value === undefined ? undefined : isSecret ? hidden : writeValue(value);
      if (text === undefined) continue;
      written += written === '' ? begin + text : `,${begin}${text}`;
    }
    return written;
  };
}

const hidden = '"[hidden]"';

/** Undefined for what JSON leaves out, such as a function. */
function writeValue(value: unknown): string | undefined {
  if (typeof value === 'string' && !beyondPlain.test(value)) return `"${value}"`;
  if (typeof value === 'number') return Number.isFinite(value) ? `${value}` : 'null';
  const json: string | undefined = JSON.stringify(redact(value, 1));
  return json === undefined ? undefined : escapeControls(json);
}

/** Lines on their way to a file or terminal. */
type GatheredLines = {
  write(line: string): void;
  /** Writes the gathered lines at once. Call it last before ending the process. */
  flush(): void;
};

/** Where lines go. */
type LineStream = {
  write(text: string): unknown;
  /** How much of what was written is still buffered, in bytes. */
  readonly writableLength?: number | undefined;
};

/** Bytes: minutes of a busy server's log, for a reader that pauses. */
const mostWaiting = 16 * 1024 * 1024;

/** No reader notices it, and a busy server writes hundreds of lines in it. */
const gatherMs = 10;

/**
 * Writes all lines of 10 milliseconds as one text, since each write is a system call. The process does not end by
 * itself before they are written. If nobody reads the stream, lines are dropped before memory runs out; `onLost`
 * reports how many once someone reads again.
 */
export function gatherLines(
  stream: LineStream,
  {
    onLost = () => {},
    clock = systemClock,
  }: { onLost?(count: number): void; clock?: Pick<Clock, 'sleep'> } = {},
): GatheredLines {
  let [gathered, count, lost] = ['', 0, 0];
  const flush = () => {
    if (gathered === '') return;
    if ((stream.writableLength ?? 0) > mostWaiting) lost += count;
    else handOn();
    [gathered, count] = ['', 0];
  };
  const handOn = () => {
    const missing = lost;
    lost = 0;
    if (missing > 0) onLost(missing);
    stream.write(gathered);
  };
  return {
    write(line) {
      if (gathered === '') void clock.sleep(gatherMs).then(flush);
      gathered += line;
      count += 1;
    },
    flush,
  };
}
