import { describe, expect, it } from 'vitest';
import { createScopes } from './scope.ts';

const scopes = createScopes([
  { name: 'boats.read', description: 'See boats', holders: 'anyone', isDefault: true },
  { name: 'boats.sink', description: 'Sink boats', holders: 'admins' },
]);

describe('the scopes of a server', () => {
  it('are those that were declared, in their order', () => {
    expect(scopes.names()).toEqual(['boats.read', 'boats.sink']);
    expect(scopes.defaults()).toEqual(['boats.read']);
  });

  it('are found in a text, each once', () => {
    expect(scopes.parse('boats.sink openid boats.read boats.sink __proto__')).toEqual([
      'boats.sink',
      'boats.read',
    ]);
  });

  it('are for admins only where declared so, or where not declared at all', () => {
    expect(['boats.read', 'boats.sink', 'gone'].map(scopes.isForAdmins)).toEqual([
      false,
      true,
      true,
    ]);
    expect(scopes.describe('boats.read')).toBe('See boats');
    expect(scopes.describe('gone')).toBe('gone');
  });
});
