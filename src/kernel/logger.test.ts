import { describe, expect, it } from 'vitest';
import { createLogger, type LogLevel } from './logger.ts';

function record(level: LogLevel = 'info', format: 'json' | 'pretty' = 'json') {
  const lines: string[] = [];
  return { lines, logger: createLogger({ level, format, write: (line) => lines.push(line) }) };
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

  it('writes for people where asked to', () => {
    const { lines, logger } = record('info', 'pretty');
    logger.warn({ path: '/health' }, 'slow');
    expect(lines[0]).toMatch(/warn .*slow .*path=\/health/);
  });
});
