import { expect, it } from 'vitest';
import type { Flags } from '../command.ts';
import { UsageError } from '../input/usage-error.ts';
import { serverUrlOf } from './server-option.ts';

const urlOf = (environment: Record<string, string>, flags: Flags = {}) => {
  const nothing = () => {};
  const stream = { write: nothing, draw: nothing };
  const terminal = { environment, stdout: stream, stderr: stream };
  const signals = { onTerminate: nothing, onExit: nothing, onReload: nothing };
  return serverUrlOf({ operands: [], flags, terminal: { ...terminal, ...signals } });
};

it('asks at the port of the server, unless an address is given [T8]', () => {
  const port = { TRADEWIND_PORT: '9000' };
  const address = { ...port, TRADEWIND_PUBLIC_URL: 'https://tradewind.example' };
  expect(urlOf({})).toBe('http://localhost:8787');
  expect(urlOf({ TRADEWIND_PORT: '' })).toBe('http://localhost:8787');
  expect(urlOf(port)).toBe('http://localhost:9000');
  const certificate = { TRADEWIND_TLS_CERT: 'cert.pem', TRADEWIND_TLS_KEY: 'key.pem' };
  expect(urlOf(certificate)).toBe('https://localhost:8787');
  expect(urlOf({ ...certificate, ...port })).toBe('https://localhost:9000');
  expect(urlOf(address)).toBe('https://tradewind.example');
  expect(urlOf(address, { server: 'http://127.0.0.1:1' })).toBe('http://127.0.0.1:1');
});

it('quotes an invalid address, including one made from the port', () => {
  expect(() => urlOf({ TRADEWIND_PORT: 'eighty' })).toThrow(UsageError);
  expect(() => urlOf({ TRADEWIND_PORT: 'eighty' })).toThrow(
    '"http://localhost:eighty" is not a URL',
  );
  expect(() => urlOf({}, { server: 'here' })).toThrow('"here" is not a URL');
  for (const server of ['ftp://x', 'localhost:8787']) {
    expect(() => urlOf({}, { server })).toThrow(
      `"${server}" must begin with http:// or https://: write it as in http://localhost:8787.`,
    );
  }
});
