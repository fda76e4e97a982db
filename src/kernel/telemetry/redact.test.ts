import { describe, expect, it } from 'vitest';
import { hostileTexts } from '../../../tests/support/hostile-texts.ts';
import { longestStall } from '../../../tests/support/longest-stall.ts';
import { redact } from './redact.ts';

describe('redact', () => {
  it('hides values under names of secrets, however deep [H8]', () => {
    expect(
      redact({ user: 'ada', password: 'p', headers: [{ Authorization: 'x', cookie: 'y' }] }),
    ).toEqual({
      user: 'ada',
      password: '[hidden]',
      headers: [{ Authorization: '[hidden]', cookie: '[hidden]' }],
    });
  });

  it.each([
    ['access_token', 'refreshToken', 'client_secret', 'clientSecret', 'signingKey', 'DPoP'],
  ])('hides values under %s and similar names', (...keys) => {
    for (const key of keys) expect(redact({ [key]: 'v' })).toEqual({ [key]: '[hidden]' });
  });

  it('keeps values under names that only resemble those of secrets', () => {
    const record = { tokenIn: '0x1', tokens: 3, passed: true, secretary: undefined };
    expect(redact(record)).toEqual(record);
  });

  it('hides credentials, bearer tokens and query strings inside texts [H8]', () => {
    expect(redact('postgres://u:p@host/db failed')).toBe('postgres://[hidden]@host/db failed');
    expect(redact('sent Bearer abc.def-ghi')).toBe('sent Bearer [hidden]');
    expect(redact('GET https://h/p?key=1&x=2 gave 500')).toBe('GET https://h/p?[hidden] gave 500');
  });

  it('turns an error and its causes into data without secrets [H8]', () => {
    const error = new Error('no https://u:p@h/', { cause: new Error('Basic dXNlcjpwYXNz') });
    const text = JSON.stringify(redact({ error }));
    expect(text).toContain('no https://[hidden]@h/');
    expect(text).toContain('Basic [hidden]');
    expect(text).not.toContain('u:p');
  });

  it('survives an endless structure and big integers', () => {
    const loop: Record<string, unknown> = { amount: 1n };
    loop.self = loop;
    expect(JSON.stringify(redact(loop))).toContain('"amount":"1"');
  });

  it('hides a password that holds an @, and several query strings of one text [H8]', () => {
    expect(redact('amqp://u:p@ss@host failed')).toBe('amqp://[hidden]@host failed');
    expect(redact('"https://a/?k=1","https://b/?k=2"')).toBe(
      '"https://a/?[hidden]","https://b/?[hidden]"',
    );
  });

  it('takes time linear in the text, whatever it holds [F1]', async () => {
    const quoted = `/${'a.'.repeat(7_700)}://`;
    expect(await longestStall([quoted, ...hostileTexts(60_000)], redact)).toBeLessThan(500);
  });
});
