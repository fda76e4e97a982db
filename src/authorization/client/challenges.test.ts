import { describe, expect, it } from 'vitest';
import { chooseScope, readChallenges, readDemand } from './challenges.ts';

describe('readChallenges', () => {
  it.each([
    [null, []],
    ['', []],
    ['Bearer', [{ scheme: 'bearer', parameters: {} }]],
    [
      'Bearer realm="a, b", error="invalid_token", scope="x y"',
      [{ scheme: 'bearer', parameters: { realm: 'a, b', error: 'invalid_token', scope: 'x y' } }],
    ],
    [
      'bearer scope=x,resource_metadata="https://a.example/?q=1&r=2"',
      [
        {
          scheme: 'bearer',
          parameters: { scope: 'x', resource_metadata: 'https://a.example/?q=1&r=2' },
        },
      ],
    ],
    [
      'DPoP algs="ES256 EdDSA", Bearer, Basic realm="say \\"please\\""',
      [
        { scheme: 'dpop', parameters: { algs: 'ES256 EdDSA' } },
        { scheme: 'bearer', parameters: {} },
        { scheme: 'basic', parameters: { realm: 'say "please"' } },
      ],
    ],
    // The first parameter counts: an attacker may have smuggled a second one in behind a quote.
    ['Bearer scope="a", scope="b"', [{ scheme: 'bearer', parameters: { scope: 'a' } }]],
  ])('reads %j', (header, challenges) => expect(readChallenges(header)).toEqual(challenges));
});

describe('readDemand', () => {
  const demandOf = (header: string) =>
    readDemand(new Response(null, { status: 401, headers: { 'www-authenticate': header } }));

  it('reads what the token must be [L5]', () => {
    expect(demandOf('Bearer error="insufficient_scope", scope="a b a"')).toEqual({
      error: 'insufficient_scope',
      scope: ['a', 'b'],
      resourceMetadata: undefined,
      isDpopOnly: false,
    });
  });

  it.each([
    ['DPoP algs="ES256"', true],
    ['Bearer, DPoP algs="ES256"', false],
    ['Basic realm="x"', false],
  ])('binds the token to a key for %j: %s', (header, isDpopOnly) =>
    expect(demandOf(header)).toMatchObject({ isDpopOnly }),
  );
});

const choose = (options: {
  configured?: string;
  demanded?: string[];
  resource?: string[];
  server?: string[];
}) =>
  chooseScope({
    configured: options.configured,
    demanded: options.demanded,
    discovery: {
      scopesSupported: options.resource,
      metadata: {
        issuer: 'https://a.example',
        token_endpoint: 'https://a.example/token',
        scopes_supported: options.server,
      },
    },
  });

it('asks for what was configured, else demanded, else all that the resource names [L5]', () => {
  expect(choose({ configured: 'a b', demanded: ['c'], resource: ['d'] })).toEqual(['a', 'b']);
  expect(choose({ demanded: ['c'], resource: ['d'] })).toEqual(['c']);
  expect(choose({ resource: ['d'] })).toEqual(['d']);
  expect(choose({ server: ['e'] })).toEqual([]);
});

it('asks for offline access where the server has it, but never for that alone', () => {
  expect(choose({ demanded: ['c'], server: ['offline_access'] })).toEqual(['c', 'offline_access']);
  expect(choose({ server: ['offline_access'] })).toEqual([]);
});
