import type { Database, Queries, Transaction } from '../../kernel/database/database.ts';
import { sql } from '../../kernel/database/sql.ts';
import type { ScopeDeclaration } from '../../kernel/edge/operation.ts';

/** An added server that tokens may be for. */
export type AddedResource = {
  readonly id: string;
  /** Its address, as `parseResource` spells it. */
  readonly resource: string;
  /** What people call it. */
  readonly name: string;
  readonly scopes: readonly Pick<ScopeDeclaration, 'name' | 'description' | 'holders'>[];
  readonly createdAt: number;
};

const channel = 'added-resources';

/** All of them, in the order in which they were added. */
export async function loadResources(queries: Queries): Promise<readonly AddedResource[]> {
  // One statement, so that no resource is seen without its scopes.
  const rows = await queries.all<ResourceRow>(sql`
    SELECT id, resource, added_resources.name AS name, created_at,
      added_scopes.name AS scope, description, holders
    FROM added_resources LEFT JOIN added_scopes ON resource_id = id
    ORDER BY created_at, id, position`);
  const ids = [...new Set(rows.map(({ id }) => id))];
  return ids.flatMap((id) => toResource(rows.filter((row) => row.id === id)));
}

/** Adds one, and wakes every process. Throws `UNIQUE_VIOLATION` where its address or a scope is taken. */
export async function insertResource(tx: Transaction, added: AddedResource): Promise<void> {
  const { id, resource, name, scopes, createdAt } = added;
  await tx.run(sql`
    INSERT INTO added_resources (id, resource, name, created_at)
    VALUES (${id}, ${resource}, ${name}, ${createdAt})`);
  for (const [position, scope] of scopes.entries()) {
    await tx.run(sql`
      INSERT INTO added_scopes (name, resource_id, position, description, holders)
      VALUES (${scope.name}, ${id}, ${position}, ${scope.description}, ${scope.holders})`);
  }
  tx.notify(channel);
}

/** Returns whether it was there. */
export async function deleteResource(tx: Transaction, id: string): Promise<boolean> {
  const removed = await tx.run(sql`DELETE FROM added_resources WHERE id = ${id}`);
  await tx.run(sql`DELETE FROM added_scopes WHERE resource_id = ${id}`);
  tx.notify(channel);
  return removed === 1;
}

export function listenForResources(database: Database, wake: () => void) {
  return database.listen(channel, wake);
}

type ResourceRow = {
  id: string;
  resource: string;
  name: string;
  created_at: number;
  scope: string | null;
  description: string | null;
  holders: string | null;
};

function toResource(rows: readonly ResourceRow[]): AddedResource[] {
  return rows.slice(0, 1).map(({ id, resource, name, created_at }) => ({
    id,
    resource,
    name,
    createdAt: created_at,
    scopes: rows.flatMap(({ scope, description, holders }) =>
      scope === null
        ? []
        : [
            {
              name: scope,
              description: description ?? scope,
              holders: holders as ScopeDeclaration['holders'], // written by insertResource alone
            },
          ],
    ),
  }));
}
