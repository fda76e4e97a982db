import { expect, it } from 'vitest';
import { migrations } from '../../src/app/installation/installation-of.ts';
import { productMigrations } from '../support/product-migrations.ts';

it('tests migrate by the same list as the product, in the same order', () => {
  const idsOf = (list: readonly { readonly id: string }[]) => list.map(({ id }) => id);
  expect(idsOf(productMigrations)).toEqual(idsOf(migrations));
});
