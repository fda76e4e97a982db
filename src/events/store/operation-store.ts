import type { Queries } from '../../kernel/database/database.ts';
import { type Sql, sql } from '../../kernel/database/sql.ts';
import type { SubscriptionResource } from '../model/subscription-message.ts';

/**
 * Stores an operation, or finishes one that was stored unfinished; a finished one stays (E3.37).
 * Throws `UNIQUE_VIOLATION` if another operation of this principal has the same request id (E8.24).
 */
export async function putOperation(queries: Queries, operation: Operation): Promise<void> {
  const { name, principal, kind, subscriptionId, requestId, createdAt, result } = operation;
  const [response, error] = [result?.response, result?.error].map((part) =>
    part === undefined ? null : JSON.stringify(part),
  );
  await queries.run(sql`
    INSERT INTO events_operations (name, principal, kind, subscription_id, request_id, created_at,
      response, error)
    VALUES (${name}, ${principal}, ${kind}, ${subscriptionId}, ${requestId ?? null}, ${createdAt},
      ${response ?? null}, ${error ?? null})
    ON CONFLICT (name) DO UPDATE SET response = excluded.response, error = excluded.error
    WHERE events_operations.response IS NULL AND events_operations.error IS NULL`);
}

export async function findOperation(
  queries: Queries,
  name: string,
): Promise<Operation | undefined> {
  const row = await findRow(queries, sql`name = ${name}`);
  return row && toOperation(row);
}

export async function findOperationOfRequest(
  queries: Queries,
  {
    principal,
    requestId,
  }: {
    principal: string;
    requestId: string;
  },
): Promise<Operation | undefined> {
  const row = await findRow(queries, sql`principal = ${principal} AND request_id = ${requestId}`);
  return row && toOperation(row);
}

/** The latest deletion of a subscription by a principal since a time (E8.23). */
export async function findDeletionOperation(
  queries: Queries,
  {
    principal,
    subscriptionId,
    since,
  }: {
    principal: string;
    subscriptionId: string;
    since: number;
  },
): Promise<Operation | undefined> {
  const row = await findRow(
    queries,
    sql`subscription_id = ${subscriptionId}
    AND principal = ${principal} AND kind = 'Delete' AND created_at >= ${since}
    ORDER BY created_at DESC LIMIT 1`,
  );
  return row && toOperation(row);
}

/** Deletes some operations older than a time; returns how many. */
export function pruneOperations(
  queries: Queries,
  { createdBefore, limit }: { createdBefore: number; limit: number },
): Promise<number> {
  return queries.run(sql`
    DELETE FROM events_operations WHERE name IN (
      SELECT name FROM events_operations WHERE created_at < ${createdBefore}
      ORDER BY created_at LIMIT ${limit})`);
}

/** Deletes some operations beyond the `kept` latest ones; returns how many. */
export function pruneOldestOperations(
  queries: Queries,
  { kept, limit }: { kept: number; limit: number },
): Promise<number> {
  return queries.run(sql`
    DELETE FROM events_operations WHERE name IN (
      SELECT name FROM events_operations ORDER BY created_at DESC LIMIT ${limit} OFFSET ${kept})`);
}

/** The same for each principal; returns the largest number that was deleted for one. */
export async function pruneOldestOperationsOfEach(
  queries: Queries,
  { kept, limit }: { kept: number; limit: number },
): Promise<number> {
  const principals = await queries.all<{ principal: string }>(sql`
    SELECT principal FROM events_operations
    GROUP BY principal HAVING COUNT(*) > ${kept} LIMIT ${limit}`);
  let most = 0;
  for (const { principal } of principals) {
    const pruned = await queries.run(sql`
      DELETE FROM events_operations WHERE name IN (
        SELECT name FROM events_operations WHERE principal = ${principal}
        ORDER BY created_at DESC LIMIT ${limit} OFFSET ${kept})`);
    most = Math.max(most, pruned);
  }
  return most;
}

function findRow(queries: Queries, condition: Sql): Promise<OperationRow | undefined> {
  return queries.first<OperationRow>(sql`SELECT * FROM events_operations WHERE ${condition}`);
}

type OperationRow = {
  name: string;
  principal: string;
  kind: string;
  subscription_id: string;
  request_id: string | null;
  created_at: number;
  response: string | null;
  error: string | null;
};

function toOperation(row: OperationRow): Operation {
  return {
    name: row.name,
    principal: row.principal,
    kind: row.kind as Operation['kind'], // as `putOperation` wrote it
    subscriptionId: row.subscription_id,
    requestId: row.request_id ?? undefined,
    createdAt: row.created_at,
    result: toResult(row),
  };
}

function toResult({ response, error }: OperationRow): Operation['result'] {
  if (response !== null) return { response: JSON.parse(response) };
  return error === null ? undefined : { error: JSON.parse(error) };
}

export type OperationKind = 'Create' | 'Update' | 'Delete' | 'Reactivate';

/** What a finished operation failed with (google.rpc.Status): `code` is the gRPC number (E4.4). */
export type OperationError = {
  readonly code: number;
  readonly message: string;
  readonly details: readonly object[];
};

/** A mutation and its outcome. */
export type Operation = {
  /** `operations/…` */
  readonly name: string;
  readonly principal: string;
  readonly kind: OperationKind;
  /** '' if the subscription did not exist. */
  readonly subscriptionId: string;
  /** The request id that create was given, to detect repetitions (E8.24). */
  readonly requestId: string | undefined;
  readonly createdAt: number;
  /** Undefined while it runs, then exactly one of the two (E4.3). */
  readonly result:
    | undefined
    | { readonly response: SubscriptionResource; readonly error?: undefined }
    | { readonly error: OperationError; readonly response?: undefined };
};
