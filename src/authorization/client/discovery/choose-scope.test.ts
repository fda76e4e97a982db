import { expect, it } from 'vitest';
import { chooseScope } from './choose-scope.ts';

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
