import { expect, test } from 'vitest';
import type { NewEvent } from '../model/event.ts';
import { checkPublishedTypes } from './check-published-types.ts';

const catalogue = {
  applicationOf: async (type: string) =>
    type.startsWith('shop.')
      ? {
          name: 'shop',
          targets: [{ pattern: '//shop/{thing}', eventTypes: ['shop.thing.v1.created'] }],
          scopes: [],
          batchTypes: { 'shop.thing.v1.created': 'shop.thing.v1.batchCreated' },
          resourceData: 'always' as const,
          identities: {},
          isBuiltIn: false,
        }
      : undefined,
};
const check = (...types: string[]) =>
  checkPublishedTypes(
    types.map((type) => ({ type }) as NewEvent), // nothing else is looked at
    catalogue,
  );

test('takes types of the catalogue', async () => {
  await expect(check('shop.thing.v1.created')).resolves.toBeUndefined();
});

test.each([
  ['a type that no application has', 'other.thing.v1.created'],
  ['what this server alone publishes', 'tradewind.swap.price.v1.moved'],
  ['a batch type, which comes of many events', 'shop.thing.v1.batchCreated'],
])('refuses %s, by its index [E14.5]', async (_, type) => {
  await expect(check('shop.thing.v1.created', type)).rejects.toMatchObject({
    code: 'INVALID_ARGUMENT',
    fieldViolations: [{ field: 'events[1].type' }],
  });
});
