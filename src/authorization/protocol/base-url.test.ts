import { expect, it } from 'vitest';
import { authorizationBaseUrl } from './base-url.ts';

it.each([
  ['https://api.example.com/v1/mcp?x=1#y', 'https://api.example.com'],
  ['http://localhost:8787/mcp', 'http://localhost:8787'],
  ['https://user:secret@api.example.com:443/', 'https://api.example.com'],
])('discards everything but scheme and host of %s [C4]', (serverUrl, baseUrl) => {
  expect(authorizationBaseUrl(serverUrl)).toBe(baseUrl);
});

it('refuses an address that is not on the web', () => {
  expect(() => authorizationBaseUrl('file:///etc/passwd')).toThrow(/https:\/\/ or http:\/\//);
});
