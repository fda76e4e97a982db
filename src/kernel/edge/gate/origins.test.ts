import { describe, expect, test } from 'vitest';
import { addressOf } from '../request.ts';
import { foreignPages } from './origins.ts';

const isForeignPage = foreignPages({
  publicUrl: new URL('http://localhost:8787'),
  allowedOrigins: ['https://friend.example'],
});
const isForeign = (given: Record<string, string>, url = 'http://localhost:8787/token') => {
  const headers = new Headers(given);
  return isForeignPage({
    address: addressOf(url),
    header: (name) => headers.get(name) ?? undefined,
  });
};

describe('a request comes from a foreign page [F5]', () => {
  test.each([
    'https://evil.example',
    'http://localhost:9999',
    'http://127.0.0.1:8787',
    'https://localhost:8787',
    'http://localhost:8787.evil.example',
    'http://localhost:8787, https://evil.example',
    'chrome-extension://abcdef',
    'null',
    '',
  ])('by the origin "%s"', (Origin) => {
    expect(isForeign({ Origin })).toBe(true);
    expect(isForeign({ Origin, 'Sec-Fetch-Site': 'same-origin' })).toBe(true);
  });

  test.each(['cross-site', 'same-site', 'whatever comes next'])(
    'without an origin, marked as %s by the browser',
    (site) => expect(isForeign({ 'Sec-Fetch-Site': site })).toBe(true),
  );
});

describe('a request does not come from a foreign page', () => {
  test('without the headers that only browsers send', () => expect(isForeign({})).toBe(false));

  test.each(['http://localhost:8787', 'https://friend.example'])('by the origin %s', (Origin) => {
    expect(isForeign({ Origin, 'Sec-Fetch-Site': 'cross-site' })).toBe(false);
  });

  test('by the loopback name under which it was sent', () => {
    const Origin = 'http://127.0.0.1:8787';
    expect(isForeign({ Origin }, 'http://127.0.0.1:8787/token')).toBe(false);
  });

  test.each(['same-origin', 'none'])('without an origin, marked as %s', (site) => {
    expect(isForeign({ 'Sec-Fetch-Site': site })).toBe(false);
  });
});
