import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { migrations } from '../../src/app/installation/installation-of.ts';
import type { Dialect } from '../../src/kernel/database/database.ts';
import { productMigrations } from '../support/product-migrations.ts';

it('tests migrate by the same list as the product, in the same order', () => {
  const idsOf = (list: readonly { readonly id: string }[]) => list.map(({ id }) => id);
  expect(idsOf(productMigrations)).toEqual(idsOf(migrations));
});

/** The words in which engines differ, as names. */
const dialect = { identity: '<identity>', sortedText: '<sorted text>' } as Dialect;
const digestOf = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 16);

it('what was migrated once is never migrated otherwise [Y17]', () => {
  const recorded = new URL('product-migrations.json', import.meta.url);
  const digests = migrations.map(({ id, statements }) => [
    id,
    digestOf(JSON.stringify(statements(dialect))),
  ]);
  // A new migration is added to the file by hand, with the digest that this test names.
  expect(Object.fromEntries(digests)).toEqual(JSON.parse(readFileSync(recorded, 'utf8')));
});

it('a domain has one file of migrations [Y17]', async () => {
  const domains: string[] = [];
  for await (const path of glob('src/**/*migrations.ts')) domains.push(path.split('/')[1] ?? '');
  expect(domains.sort()).toEqual(['authorization', 'context', 'events', 'kernel', 'swap']);
});
