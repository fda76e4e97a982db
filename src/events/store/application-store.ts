import type { Database, Transaction } from '../../kernel/database/database.ts';
import { sql, sqlList } from '../../kernel/database/sql.ts';
import type { Application, Target } from '../model/application.ts';

/** An application as an operator defines it. */
export type ApplicationDefinition = Pick<Application, 'name' | 'scopes'> & {
  readonly targets: readonly Pick<Target, 'pattern' | 'eventTypes'>[];
};

/** In the order of their names. */
export async function listApplications(database: Database): Promise<ApplicationDefinition[]> {
  const rows = await database.all<{ definition: string }>(
    sql`SELECT definition FROM events_applications ORDER BY name`,
  );
  return rows.map(({ definition }) => JSON.parse(definition));
}

/** Returns false, and changes nothing, where the name is taken. */
export async function addApplication(
  database: Database,
  { name, targets, scopes }: ApplicationDefinition,
  addedAt: number,
): Promise<boolean> {
  const definition = JSON.stringify({ name, targets, scopes });
  const added = await database.run(sql`
    INSERT INTO events_applications (name, definition, added_at)
    VALUES (${name}, ${definition}, ${addedAt}) ON CONFLICT (name) DO NOTHING`);
  return added === 1;
}

/** Removes an application unless a subscription to one of its event types is active; the caller suspends those. */
export function removeUnusedApplication(
  database: Database,
  name: string,
  eventTypes: readonly string[],
): Promise<'removed' | 'missing' | 'in use'> {
  return database.transaction(async (tx) => {
    if (!(await holdApplication(tx, name))) return 'missing';
    const used = await tx.first(sql`
      SELECT 1 AS used FROM events_matches
      JOIN events_subscriptions ON events_subscriptions.id = subscription_id
      WHERE event_type IN ${sqlList(eventTypes)} AND state = 'ACTIVE' LIMIT 1`);
    if (used !== undefined) return 'in use';
    await tx.run(sql`DELETE FROM events_applications WHERE name = ${name}`);
    return 'removed';
  });
}

/**
 * Whether an added application exists. If so, it is locked until the transaction ends. So a subscription becomes active
 * either before its application is removed, and the removal sees it, or not at all.
 */
export async function holdApplication(tx: Transaction, name: string): Promise<boolean> {
  const row = await tx.first(
    sql`SELECT name FROM events_applications WHERE name = ${name} ${tx.dialect.forUpdate}`,
  );
  return row !== undefined;
}
