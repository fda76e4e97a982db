import { expect, it } from 'vitest';
import { writeChallenge } from './write-challenge.ts';

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
