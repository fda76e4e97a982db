import type { Queries } from '../../kernel/database/database.ts';
import { type Sql, sql, sqlList } from '../../kernel/database/sql.ts';
import type { AfterWithin, Reach } from '../model/caller.ts';
import type { Subscription, SubscriptionId } from '../model/subscription.ts';
import { inChunks } from './rows.ts';

export type ListQuery = {
  readonly principal: string;
  /** The id after which to continue; '' at the beginning. */
  readonly after: string;
  readonly now: number;
  readonly limit: number;
};

export type ReachQuery = Omit<ListQuery, 'principal'> & {
  readonly reach: Reach;
  /** Any if left out. */
  readonly state?: 'ACTIVE' | 'SUSPENDED' | undefined;
};

/**
 * Returns false, and writes nothing, if the principal has a subscription to this target (E6.4), or an MCP client has
 * one with this key (M15). Must run in a transaction.
 */
export async function insertSubscription(
  queries: Queries,
  subscription: Subscription,
): Promise<boolean> {
  const row = toRow(subscription);
  const inserted = await queries.run(sql`
    INSERT INTO events_subscriptions (id, uid, principal, client_id, user_id, target_resource,
      target_spelling, event_types, payload_options, notification_endpoint, options, state,
      suspension_reason, created_at, updated_at, expires_at, revision, mcp_id, mcp)
    VALUES (${row.id}, ${row.uid}, ${row.principal}, ${row.client_id}, ${row.user_id},
      ${row.target_resource}, ${row.target_spelling}, ${row.event_types}, ${row.payload_options},
      ${row.notification_endpoint}, ${row.options}, ${row.state},
      ${row.suspension_reason}, ${row.created_at}, ${row.updated_at}, ${row.expires_at},
      ${row.revision}, ${row.mcp_id}, ${row.mcp})
    ON CONFLICT DO NOTHING`);
  if (inserted === 1) await insertMatches(queries, subscription);
  return inserted === 1;
}

/** The one with this id or uid (E1.13), `DELETED` ones included. */
export function findSubscription(
  queries: Queries,
  idOrUid: string,
): Promise<Subscription | undefined> {
  return firstWhere(queries, sql`id = ${idOrUid} OR uid = ${idOrUid}`);
}

export function findSubscriptionOfTarget(
  queries: Queries,
  {
    principal,
    targetResource,
  }: {
    principal: string;
    targetResource: string;
  },
): Promise<Subscription | undefined> {
  return firstWhere(
    queries,
    sql`principal = ${principal} AND target_resource = ${targetResource}
        AND state <> 'DELETED' AND mcp_id IS NULL`,
  );
}

/** The one that an MCP client knows by this id; `DELETED` ones are left out. */
export function findSubscriptionOfMcp(
  queries: Queries,
  mcpId: string,
): Promise<Subscription | undefined> {
  return firstWhere(queries, sql`mcp_id = ${mcpId} AND state <> 'DELETED'`);
}

/** How many subscriptions an account, or all together, have, without `DELETED` ones. */
export async function countSubscriptions(queries: Queries, owner?: Owner): Promise<number> {
  const whose = owner === undefined ? sql`1 = 1` : isOfAccount(owner);
  const row = await queries.first<{ count: number }>(sql`
    SELECT COUNT(*) AS count FROM events_subscriptions WHERE state <> 'DELETED' AND ${whose}`);
  return row?.count ?? 0;
}

/** Whose subscriptions are counted together: those of a person by any client, or of a client that acts for itself (F87). */
type Owner = Pick<Subscription, 'principal' | 'userId'>;

export function isOfAccount({ principal, userId }: Owner): Sql {
  return userId === undefined ? sql`principal = ${principal}` : sql`user_id = ${userId}`;
}

/** The subscriptions of a principal that are neither deleted nor expired, in the order of their ids. */
export async function listOwnSubscriptions(
  queries: Queries,
  { principal, after, now, limit }: ListQuery,
): Promise<Subscription[]> {
  const rows = await queries.all<SubscriptionRow>(sql`
    SELECT * FROM events_subscriptions
    WHERE principal = ${principal} AND state <> 'DELETED' AND id > ${after}
      AND expires_at > ${now}
    ORDER BY id LIMIT ${limit}`);
  return rows.map(toSubscription);
}

/**
 * The subscriptions of a client for a person, of a client for anybody and for itself, or of a person by any client, that
 * are neither deleted nor expired, in the order of their ids. None if neither is given.
 */
export async function listSubscriptionsOfAuthority(
  queries: Queries,
  {
    clientId,
    userId,
    after,
    now,
    limit,
  }: Omit<ListQuery, 'principal'> & {
    readonly clientId: string | undefined;
    readonly userId: string | undefined;
  },
): Promise<Subscription[]> {
  if (clientId === undefined && userId === undefined) return [];
  const ofClient = clientId === undefined ? sql`1 = 1` : sql`client_id = ${clientId}`;
  const ofPerson = userId === undefined ? sql`1 = 1` : sql`user_id = ${userId}`;
  const rows = await queries.all<SubscriptionRow>(sql`
    SELECT * FROM events_subscriptions
    WHERE ${ofClient} AND ${ofPerson} AND state <> 'DELETED' AND id > ${after}
      AND expires_at > ${now}
    ORDER BY id LIMIT ${limit}`);
  return rows.map(toSubscription);
}

/** The subscriptions within reach that are neither deleted nor expired, in the order of their ids. */
export async function listSubscriptionsWithin(
  queries: Queries,
  { reach, state, after, now, limit }: ReachQuery,
): Promise<Subscription[]> {
  const rows = await queries.all<SubscriptionRow>(sql`
    SELECT * FROM events_subscriptions
    WHERE state <> 'DELETED' AND ${inReach(reach)} AND id > ${after} AND expires_at > ${now}
      AND ${state === undefined ? sql`1 = 1` : sql`state = ${state}`}
    ORDER BY id LIMIT ${limit}`);
  return rows.map(toSubscription);
}

/** Those within reach that were changed after a time, `DELETED` ones included, in the order of their changes. */
export async function listChangedSubscriptions(
  queries: Queries,
  { reach, after, limit }: AfterWithin,
): Promise<Subscription[]> {
  const rows = await queries.all<SubscriptionRow>(sql`
    SELECT * FROM events_subscriptions WHERE updated_at > ${after} AND ${inReach(reach)}
    ORDER BY updated_at, id LIMIT ${limit}`);
  return rows.map(toSubscription);
}

/** The event types and the target of each of these subscriptions that is still known, deleted ones included. */
export async function listSubscribed(
  queries: Queries,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Pick<Subscription, 'eventTypes' | 'targetResource'>>> {
  const found = new Map<string, Pick<Subscription, 'eventTypes' | 'targetResource'>>();
  for (const some of inChunks(ids)) {
    const rows = await queries.all<Pick<SubscriptionRow, 'id' | 'event_types' | 'target_resource'>>(
      sql`SELECT id, event_types, target_resource FROM events_subscriptions WHERE id IN ${sqlList(some)}`,
    );
    for (const { id, event_types, target_resource } of rows)
      found.set(id, { eventTypes: JSON.parse(event_types), targetResource: target_resource });
  }
  return found;
}

/** Ids of the subscriptions to one of these event types, in order, each once. */
export async function listSubscriptionsOfTypes(
  queries: Queries,
  {
    eventTypes,
    after,
    limit,
  }: {
    eventTypes: readonly string[];
    after: string;
    limit: number;
  },
): Promise<SubscriptionId[]> {
  if (eventTypes.length === 0) return [];
  const rows = await queries.all<{ subscription_id: string }>(sql`
    SELECT DISTINCT subscription_id FROM events_matches
    WHERE event_type IN ${sqlList(eventTypes)} AND subscription_id > ${after}
    ORDER BY subscription_id LIMIT ${limit}`);
  return rows.map((row) => row.subscription_id as SubscriptionId); // as `insertMatches` wrote it
}

/** Replaces `previous` by `next` unless it was changed since; returns whether it did. Must run in a transaction. */
export async function replaceSubscription(
  queries: Queries,
  previous: Subscription,
  next: Subscription,
): Promise<boolean> {
  const { event_types, state, suspension_reason, updated_at, expires_at } = toRow(next);
  const replaced = await queries.run(sql`
    UPDATE events_subscriptions SET event_types = ${event_types}, state = ${state},
      suspension_reason = ${suspension_reason}, updated_at = ${updated_at},
      expires_at = ${expires_at}, revision = ${next.revision}
    WHERE id = ${previous.id} AND revision = ${previous.revision}`);
  if (replaced === 0) return false;
  const isOver = next.state === 'DELETED';
  if (isOver || next.eventTypes !== previous.eventTypes) await deleteMatches(queries, next.id);
  if (!isOver && next.eventTypes !== previous.eventTypes) await insertMatches(queries, next);
  return true;
}

/** Deletes some of the subscriptions that ended before a time; returns how many. */
export function pruneSubscriptions(
  queries: Queries,
  { endedBefore, limit }: { endedBefore: number; limit: number },
): Promise<number> {
  return queries.run(sql`
    DELETE FROM events_subscriptions WHERE id IN (
      SELECT id FROM events_subscriptions
      WHERE state = 'DELETED' AND updated_at < ${endedBefore}
      ORDER BY updated_at LIMIT ${limit})`);
}

/** Deletes some of the ended subscriptions beyond the `kept` latest ones; returns how many. */
export function pruneOldestSubscriptions(
  queries: Queries,
  { kept, limit }: { kept: number; limit: number },
): Promise<number> {
  return queries.run(sql`
    DELETE FROM events_subscriptions WHERE id IN (
      SELECT id FROM events_subscriptions WHERE state = 'DELETED'
      ORDER BY updated_at DESC LIMIT ${limit} OFFSET ${kept})`);
}

async function insertMatches(
  queries: Queries,
  { id, targetResource, eventTypes }: Subscription,
): Promise<void> {
  const rows = eventTypes
    .map((type) => sql`(${type}, ${targetResource}, ${id})`)
    .reduce((before, row) => sql`${before}, ${row}`);
  await queries.run(
    sql`INSERT INTO events_matches (event_type, target, subscription_id) VALUES ${rows}`,
  );
}

function deleteMatches(queries: Queries, id: SubscriptionId): Promise<number> {
  return queries.run(sql`DELETE FROM events_matches WHERE subscription_id = ${id}`);
}

async function firstWhere(queries: Queries, condition: Sql): Promise<Subscription | undefined> {
  const row = await queries.first<SubscriptionRow>(
    sql`SELECT * FROM events_subscriptions WHERE ${condition}`,
  );
  return row && toSubscription(row);
}

function inReach(reach: Reach): Sql {
  switch (reach.of) {
    case 'everybody':
      return sql`1 = 1`;
    case 'person':
      return sql`user_id = ${reach.userId}`;
    case 'principal':
      return sql`principal = ${reach.principal}`;
  }
}

type SubscriptionRow = {
  id: string;
  uid: string;
  principal: string;
  client_id: string;
  user_id: string | null;
  target_resource: string;
  target_spelling: string | null;
  event_types: string;
  payload_options: string | null;
  notification_endpoint: string;
  options: string;
  state: string;
  suspension_reason: string | null;
  created_at: number;
  updated_at: number;
  expires_at: number;
  revision: number;
  mcp_id: string | null;
  mcp: string | null;
};

function toRow(subscription: Subscription): SubscriptionRow {
  const { payloadOptions, options, mcp } = subscription;
  return {
    id: subscription.id,
    uid: subscription.uid,
    principal: subscription.principal,
    client_id: subscription.clientId,
    user_id: subscription.userId ?? null,
    target_resource: subscription.targetResource,
    target_spelling: subscription.targetSpelling ?? null,
    event_types: JSON.stringify(subscription.eventTypes),
    payload_options: payloadOptions ? JSON.stringify(payloadOptions) : null,
    notification_endpoint: JSON.stringify(subscription.notificationEndpoint),
    options: JSON.stringify(options),
    state: subscription.state,
    suspension_reason: subscription.suspensionReason ?? null,
    created_at: subscription.createdAt,
    updated_at: subscription.updatedAt,
    expires_at: subscription.expiresAt,
    revision: subscription.revision,
    mcp_id: mcp?.id ?? null,
    mcp: mcp ? JSON.stringify(mcp) : null,
  };
}

function toSubscription(row: SubscriptionRow): Subscription {
  return {
    // The casts hold because `toRow` wrote these values.
    id: row.id as SubscriptionId,
    uid: row.uid,
    principal: row.principal,
    clientId: row.client_id,
    userId: row.user_id ?? undefined,
    targetResource: row.target_resource,
    targetSpelling: row.target_spelling ?? undefined,
    eventTypes: JSON.parse(row.event_types),
    payloadOptions: row.payload_options === null ? undefined : JSON.parse(row.payload_options),
    notificationEndpoint: JSON.parse(row.notification_endpoint),
    options: JSON.parse(row.options),
    state: row.state as Subscription['state'],
    suspensionReason: (row.suspension_reason ?? undefined) as Subscription['suspensionReason'],
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    expiresAt: row.expires_at,
    revision: row.revision,
    mcp: row.mcp === null ? undefined : JSON.parse(row.mcp),
  };
}
