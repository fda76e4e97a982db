import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createFakeClock } from '../../../tests/support/fake-clock.ts';
import { systemClock } from '../wait/clock.ts';
import { createFactsWriter, createLogger, gatherLines, type LogLevel } from './logger.ts';
import { redact } from './redact.ts';

function record(level: LogLevel = 'info', format: 'json' | 'pretty' = 'json', isColoured = false) {
  const lines: string[] = [];
  const write = (line: string) => lines.push(line);
  return { lines, logger: createLogger({ level, format, isColoured, write }) };
}

describe('createLogger', () => {
  it('writes one JSON record a line with level, time, facts and message [H8]', () => {
    const { lines, logger } = record();
    logger.child({ worker: 'relay' }).info({ count: 2 }, 'relayed');
    expect(JSON.parse(lines[0]!)).toEqual({
      level: 'info',
      time: expect.stringMatching(/^\d{4}-.*Z$/),
      worker: 'relay',
      count: 2,
      msg: 'relayed',
    });
    expect(lines[0]).toMatch(/\n$/);
  });

  it('writes the time to the millisecond, even if the clock goes back [H8]', () => {
    const times = [
      '2026-01-01T00:00:00.009Z',
      '2026-01-01T00:00:00.999Z',
      '2025-12-31T23:59:59.000Z',
    ];
    const left = times.map((time) => Date.parse(time));
    const lines: string[] = [];
    const clock = { ...systemClock, now: () => left.shift() ?? 0 };
    const write = (line: string) => lines.push(line);
    const logger = createLogger({ level: 'info', format: 'json', clock, write });
    for (const _ of times) logger.info({}, 'now');
    expect(lines.map((line) => JSON.parse(line).time)).toEqual(times);
  });

  it('hides secrets in facts, in child facts and in errors [H8]', () => {
    const { lines, logger } = record();
    logger
      .child({ token: 's1' })
      .error({ password: 's2', err: new Error('at postgres://u:s3@h/d') }, 'failed');
    expect(lines.join()).not.toMatch(/s1|s2|s3/);
  });

  it('keeps quiet below its level', () => {
    const { lines, logger } = record('warn');
    logger.info({}, 'unheard');
    expect(lines).toEqual([]);
  });

  it('writes for people where asked to, in colours only where told so [H8, H53]', () => {
    const { lines, logger } = record('info', 'pretty');
    logger.warn({ path: '/health' }, 'slow');
    expect(lines[0]).toMatch(/^[\d:.]+ warn {2}slow path=\/health\n$/);
    const coloured = record('info', 'pretty', true);
    coloured.logger.warn({}, 'slow');
    expect(coloured.lines[0]).toContain('\u001b[33mwarn');
  });

  it('escapes line breaks and control sequences of callers [H8]', () => {
    const { lines, logger } = record('info', 'pretty');
    logger.info({ path: '/\n12:00 info forged\u001b[2J\u009b1m' }, 'two\rin one');
    expect(lines[0]).toContain(
      'two\\u000din one path=/\\u000a12:00 info forged\\u001b[2J\\u009b1m\n',
    );
  });

  it.each(['json', 'pretty'] as const)(
    'escapes control and direction characters in the form %s [N6]',
    (format) => {
      const { lines, logger } = record('info', format);
      logger.info({ path: '/\u202egpj\u2066\u009b2J\u2028x\u007f\n' }, 'read\u202e');
      expect(lines[0]?.slice(0, -1)).not.toMatch(/[\p{Cc}\p{Bidi_Control}\p{Zl}]/u);
      expect(lines[0]).toContain('/\\u202egpj\\u2066\\u009b2J\\u2028x\\u007f');
    },
  );
});

describe('createFactsWriter', () => {
  const writeFacts = createFactsWriter();
  const facts: [string, object][] = [
    ['plain facts', { method: 'GET', path: '/a', status: 200, isNew: true, nothing: null }],
    ['what JSON leaves out', { traceId: undefined, call: () => {}, after: 1 }],
    [
      'numbers that JSON does not know',
      { rate: Number.NaN, most: Number.POSITIVE_INFINITY, big: 7n },
    ],
    ['quotes, backslashes and other alphabets', { 'a"b': 'c"d\\e', name: 'Zoë' }],
    ['secrets by their name', { token: 'abc', password: ['x'], secretKey: { a: 1 }, dpop: 'y' }],
    [
      'secrets inside texts',
      { err: new Error('at postgres://u:p@h/d?k=v'), text: 'Bearer abcdefgh' },
    ],
    ['secrets inside objects', { request: { authorization: 'x', list: [{ cookie: 'y' }] } }],
    ['nothing', {}],
  ];
  it.each(facts)('writes %s as a redacted copy would be written [H8]', (_, told) => {
    const expected = JSON.parse(JSON.stringify(redact(told)));
    expect(JSON.parse(`{${writeFacts(told)}}`)).toEqual(expected);
  });

  it('writes controls of others as escapes, in names too [N6]', () => {
    const written = writeFacts({ path: '/\u202e\u009b2J', '\u2066': 1, deep: ['\u2028\u007f'] });
    expect(written).not.toMatch(/[^\x20-\x7e]/);
    expect(JSON.parse(`{${written}}`)).toMatchObject({ path: '/\u202e\u009b2J', '\u2066': 1 });
  });
});

it('writes the lines of 10 milliseconds together and in order [H8]', async () => {
  const clock = createFakeClock();
  const texts: string[] = [];
  const lines = gatherLines({ write: (text) => texts.push(text) }, { clock });
  lines.write('one\n');
  clock.advance(9);
  lines.write('two\n');
  await setImmediate();
  expect(texts).toEqual([]);
  clock.advance(1);
  await setImmediate();
  lines.write('three\n');
  clock.advance(10);
  await setImmediate();
  expect(texts).toEqual(['one\ntwo\n', 'three\n']);
});

it('writes the remaining lines when the process ends, and none twice [H8]', async () => {
  const texts: string[] = [];
  const clock = createFakeClock();
  const lines = gatherLines({ write: (text) => texts.push(text) }, { clock });
  lines.write('last words\n');
  lines.flush();
  clock.advance(10);
  await setImmediate();
  expect(texts).toEqual(['last words\n']);
});

it('drops lines while the output is not read, and reports their number once afterwards [H8]', () => {
  const texts: string[] = [];
  const stream = { write: (text: string) => texts.push(text), writableLength: 2 ** 24 + 1 };
  const lines = gatherLines(stream, { onLost: (count) => lines.write(`${count} lost\n`) });
  lines.write('one\n');
  lines.write('two\n');
  lines.flush();
  expect(texts).toEqual([]);
  stream.writableLength = 0;
  lines.write('three\n');
  lines.flush();
  lines.write('four\n');
  lines.flush();
  expect(texts).toEqual(['three\n2 lost\n', 'four\n']);
});
