import { describe, expect, it } from 'vitest';
import { readToken } from './read-token.ts';

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
