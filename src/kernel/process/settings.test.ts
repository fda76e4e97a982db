import { describe, expect, it } from 'vitest';
import { duration, listOf, oneOf, textOfAtLeast, url, wholeNumber } from './setting-kinds.ts';
import { readSettings } from './settings.ts';

const settings = {
  port: { kind: wholeNumber(0, 65_535), meaning: 'port', example: '8787', default: '8787' },
  retryFirst: { kind: duration, meaning: 'first retry', example: '1s', default: '1s' },
  ownerPassword: {
    kind: textOfAtLeast(8),
    meaning: 'password',
    example: '…',
    default: undefined,
    secret: true,
  },
  rpc: {
    suffix: { name: 'chain id', kind: wholeNumber(1, 10_000) },
    kind: listOf(url('http', 'https')),
    meaning: 'endpoints',
    example: 'https://rpc.example.com',
  },
  registration: {
    kind: oneOf('open', 'token', 'off'),
    meaning: 'registration',
    example: 'off',
    default: undefined,
  },
} as const;

const read = (environment: Record<string, string>, flags: Record<string, string> = {}) =>
  readSettings(settings, { environment, flags });

describe('readSettings', () => {
  it('gives defaults where nothing is set and treats an empty variable as not set [H4]', () => {
    const { values, problems } = read({ TRADEWIND_PORT: '' });
    expect(values).toEqual({
      port: 8787,
      retryFirst: 1000,
      ownerPassword: undefined,
      rpc: new Map(),
      registration: undefined,
    });
    expect(problems).toEqual([]);
  });

  it('prefers a flag to the variable of the same name [H4]', () => {
    const { values } = read({ TRADEWIND_PORT: '1' }, { port: '2', 'retry-first': '5m' });
    expect(values.port).toBe(2);
    expect(values.retryFirst).toBe(300_000);
  });

  it('collects numbered settings by the number at the end of their names', () => {
    const { values } = read(
      { TRADEWIND_RPC_1: 'https://a.example, https://b.example', TRADEWIND_RPC_10: 'http://c' },
      { 'rpc-10': 'http://d' },
    );
    expect(values.rpc).toEqual(
      new Map([
        [1, ['https://a.example', 'https://b.example']],
        [10, ['http://d']],
      ]),
    );
  });

  it('reports every problem at once, each with its name, value, rule and a way out [H3]', () => {
    const { problems } = read(
      { TRADEWIND_PORT: 'eighty', TRADEWIND_RPC_x: 'https://a', TRADEWIND_RPC_1: 'ftp://a' },
      { registration: 'maybe' },
    );
    expect(problems).toEqual([
      'TRADEWIND_PORT is "eighty" but must be a whole number from 0 to 65535; for example TRADEWIND_PORT=8787',
      'TRADEWIND_RPC_x ends in "x", but the chain id there must be a whole number from 1 to 10000; for example TRADEWIND_RPC_1=https://rpc.example.com',
      'TRADEWIND_RPC_1 is "ftp://a" but must be a comma-separated list in which each item is a URL that begins with http:// or https://, none of them twice; for example TRADEWIND_RPC_1=https://rpc.example.com',
      '--registration is "maybe" but must be one of open, token, off; for example --registration off',
    ]);
  });

  it('never repeats a secret [H3]', () => {
    const { problems } = read({ TRADEWIND_OWNER_PASSWORD: 'short' });
    expect(problems).toHaveLength(1);
    expect(problems[0]).not.toContain('short');
  });
});
