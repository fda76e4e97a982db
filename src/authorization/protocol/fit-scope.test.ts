import { expect, test } from 'vitest';
import { createScopes, fitScope } from './scope.ts';

const own = { description: '', holders: 'anyone', isDefault: false } as const;
const crm = 'https://crm.example/mcp';
const here = 'https://tradewind.example';
const scopes = createScopes(
  [{ ...own, name: 'swap.read' }],
  [{ ...own, name: 'crm.read', resource: crm }],
);
const both = ['crm.read', 'swap.read'];

test.each([
  [[crm], ['crm.read']],
  [[here], ['swap.read']],
  [[here, crm], both],
  [[`${here}/mcp`], ['swap.read']],
  // A server that the settings name has no scopes of its own.
  [['https://other.example'], ['swap.read']],
])('a token for %s has the scopes of these servers alone [F55]', (audiences, expected) => {
  expect(fitScope(both, { audiences, scopes })).toEqual(expected);
});

test('a scope of this server alone does not exist at an added one [F55]', () => {
  expect(() => fitScope(['swap.read'], { audiences: [crm], scopes })).toThrow(
    /swap.read belongs to this server and does not exist at/,
  );
});
