import { expect, it } from 'vitest';
import { isAbout } from './discover.ts';

const server = new URL('https://api.example.com/v1/mcp');

it.each([
  ['https://api.example.com/v1/mcp', true],
  ['https://api.example.com/v1/mcp/', true],
  ['https://api.example.com/v1', true],
  ['https://api.example.com', true],
  ['https://api.example.com/v1/mc', false],
  ['https://api.example.com/v1/mcp/more', false],
  ['http://api.example.com/v1/mcp', false],
  ['https://api.example.com:8443/v1/mcp', false],
  ['https://api.example.com.evil.example/v1/mcp', false],
  ['no address', false],
])('%s identifies the server: %s', (resource, expected) => {
  expect(isAbout(resource, server)).toBe(expected);
});
