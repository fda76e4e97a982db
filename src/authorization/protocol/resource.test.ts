import { expect, it } from 'vitest';
import { hostileTexts } from '../../../tests/support/hostile-texts.ts';
import { longestStall } from '../../../tests/support/longest-stall.ts';
import { isAudienceOf, parseOwnResource, parseResource } from './resource.ts';

it.each([
  ['https://API.example.com/', 'https://api.example.com'],
  ['https://api.example.com:443/mcp/', 'https://api.example.com/mcp'],
  ['http://localhost:8787/mcp?a=1', 'http://localhost:8787/mcp?a=1'],
])('spells %s as %s [L2]', (text, spelled) => expect(parseResource(text)).toBe(spelled));

it.each([
  '',
  'mcp',
  '/mcp',
  'urn:x',
  'file:///etc',
  'https://u:p@a.example',
  'https://a.example#f',
])('refuses %j as a resource', (text) =>
  expect(() => parseResource(text)).toThrow(/not an absolute http or https URL/),
);

it.each([
  ['https://a.example', 'https://a.example/mcp', true],
  ['https://a.example', 'https://a.example', true],
  ['https://a.example/mcp', 'https://a.example/mcp', true],
  ['https://a.example/mcp', 'https://a.example/mcp/more', false],
  ['https://a.example/mcp', 'https://a.example', false],
  ['https://a.example/mcp', 'https://a.example/v1/events', false],
  ['https://a.example', 'https://a.example.evil.example/mcp', false],
  ['https://a.example', 'https://a.example:8443/mcp', false],
  ['https://a.example', 'http://a.example/mcp', false],
  ['https:/', 'https://a.example', false],
])('a token for %s at %s: %s [L2, A4]', (audience, resource, isGood) => {
  expect(isAudienceOf(audience, resource)).toBe(isGood);
});

it.each([
  ['http://127.0.0.1:8787/mcp', 'http://localhost:8787', 'http://localhost:8787/mcp'],
  ['http://[::1]:8787', 'http://localhost:8787', 'http://localhost:8787'],
  ['http://localhost:8787/mcp?a=1', 'http://127.0.0.1:8787', 'http://127.0.0.1:8787/mcp?a=1'],
  ['http://127.0.0.1:9999/mcp', 'http://localhost:8787', 'http://127.0.0.1:9999/mcp'],
  ['https://127.0.0.1:8787/mcp', 'http://localhost:8787', 'https://127.0.0.1:8787/mcp'],
  [
    'http://localhost.evil.example:8787',
    'http://localhost:8787',
    'http://localhost.evil.example:8787',
  ],
  ['http://192.168.0.1:8787/mcp', 'http://localhost:8787', 'http://192.168.0.1:8787/mcp'],
  ['https://127.0.0.1/mcp', 'https://a.example', 'https://127.0.0.1/mcp'],
])('%s is, for the server %s, the resource %s [L2, A4]', (text, origin, resource) => {
  expect(parseOwnResource(text, origin)).toBe(resource);
});

it('reads a resource in time linear in its length, whatever it holds [F2]', async () => {
  const quoted = `https://a.example/${'/'.repeat(60_000)}x`;
  const read = (text: string) => {
    try {
      return parseResource(text);
    } catch (error) {
      return error;
    }
  };
  expect(await longestStall([quoted, ...hostileTexts(60_000)], read)).toBeLessThan(500);
});
