import { describe, expect, it } from 'vitest';
import { readToken, writeChallenge } from './challenge.ts';

it('is the bare scheme when the request has no token', () => {
  expect(writeChallenge({ scheme: 'Bearer', scope: [] })).toBe('Bearer');
});

it('names the error, the scope needed and the metadata document', () => {
  expect(
    writeChallenge({
      scheme: 'Bearer',
      error: 'insufficient_scope',
      scope: ['swap.read', 'subscriptions.read'],
      resourceMetadata: 'https://s.example/.well-known/oauth-protected-resource',
    }),
  ).toBe(
    'Bearer error="insufficient_scope", scope="swap.read subscriptions.read", resource_metadata="https://s.example/.well-known/oauth-protected-resource"',
  );
});

it('names the proof algorithms in a DPoP challenge', () => {
  expect(writeChallenge({ scheme: 'DPoP', error: 'invalid_dpop_proof' })).toMatch(
    /^DPoP error="invalid_dpop_proof", algs="Ed25519 EdDSA ES256 /,
  );
});

it('replaces the quotes and line breaks of a description', () => {
  const errorDescription = 'a", x="\\\r\nSet-Cookie: y';
  expect(writeChallenge({ scheme: 'Bearer', error: 'invalid_token', errorDescription })).toBe(
    `Bearer error="invalid_token", error_description="a', x=''??Set-Cookie: y"`,
  );
});

const request = (authorization?: string, query = '') =>
  new Request(`https://server.example/mcp${query}`, {
    headers: authorization === undefined ? {} : { authorization },
  });

describe('readToken', () => {
  it.each(['Bearer abc.def_-~+/=', 'bearer abc.def_-~+/=', 'BEARER  abc.def_-~+/='])(
    'reads %j in any letter case',
    (header) =>
      expect(readToken(request(header))).toEqual({ scheme: 'Bearer', token: 'abc.def_-~+/=' }),
  );

  it('recognizes a DPoP-bound token by its scheme', () => {
    expect(readToken(request('dpop abc'))).toEqual({ scheme: 'DPoP', token: 'abc' });
  });

  it.each([
    undefined,
    '',
    'Bearer',
    'Bearer ',
    'Basic abc',
    'Bearer a b',
    'Bearer a,b',
    'xBearer a',
  ])('finds no token in %j', (header) => expect(readToken(request(header))).toBeUndefined());

  it('never looks at the query string [S4]', () => {
    expect(readToken(request(undefined, '?access_token=abc'))).toBeUndefined();
  });
});
