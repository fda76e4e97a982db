import { describe, expect, it } from 'vitest';
import { bearerChallenge, readBearerToken } from './bearer.ts';

const request = (authorization?: string, query = '') =>
  new Request(`https://server.example/mcp${query}`, {
    headers: authorization === undefined ? {} : { authorization },
  });

describe('readBearerToken', () => {
  it.each(['Bearer abc.def_-~+/=', 'bearer abc.def_-~+/=', 'BEARER  abc.def_-~+/='])(
    'reads %j in any letter case',
    (header) => expect(readBearerToken(request(header))).toBe('abc.def_-~+/='),
  );

  it.each([
    undefined,
    '',
    'Bearer',
    'Bearer ',
    'Basic abc',
    'Bearer a b',
    'Bearer a,b',
    'xBearer a',
  ])('finds no token in %j', (header) => expect(readBearerToken(request(header))).toBeUndefined());

  it('never looks at the query string [S4]', () => {
    expect(readBearerToken(request(undefined, '?access_token=abc'))).toBeUndefined();
  });
});

describe('bearerChallenge', () => {
  it('is bare when no token came', () => {
    expect(bearerChallenge({})).toBe('Bearer');
  });

  it('names the error, the scope needed and the metadata document', () => {
    expect(
      bearerChallenge({
        error: 'insufficient_scope',
        scope: ['swap.read', 'subscriptions.read'],
        resourceMetadata: 'https://s.example/.well-known/oauth-protected-resource',
      }),
    ).toBe(
      'Bearer error="insufficient_scope", scope="swap.read subscriptions.read", resource_metadata="https://s.example/.well-known/oauth-protected-resource"',
    );
  });

  it('cannot be broken out of by a description', () => {
    expect(bearerChallenge({ error: 'invalid_token', errorDescription: 'a", x="\\' })).toBe(
      `Bearer error="invalid_token", error_description="a', x=''"`,
    );
  });
});
