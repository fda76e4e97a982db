import type { Queries, Transactional } from '../../kernel/database/database.ts';
import { type Sql, sql, sqlList } from '../../kernel/database/sql.ts';
import type { AccountId } from '../model/account.ts';
import type { ClientId } from '../model/client.ts';
import type { Grant, GrantId } from '../model/grant.ts';
import type { Scope } from '../protocol/scope.ts';
import type { Page } from './page.ts';

/** A grant with what the store knows of its refresh tokens, all of it hashed. */
export type StoredGrant = Grant & {
  readonly expiresAt: number;
  readonly refresh: StoredRefresh | undefined;
};

type StoredRefresh = {
  /** The hash of the token that is good now. */
  readonly hash: string;
  /** The hash of the previous token, when it was spent, and the salt that leads from it to this one. */
  readonly previous:
    | { readonly hash: string; readonly salt: string; readonly spentAt: number }
    | undefined;
  readonly dpopThumbprint: string | undefined;
};

/** The first refresh token of a grant. */
type FirstRefresh = {
  readonly refreshId: string;
  readonly refreshHash: string;
  readonly dpopThumbprint: string | undefined;
};

export async function insertGrant(tx: Queries, grant: Grant, expiresAt: number): Promise<void> {
  await tx.run(sql`
    INSERT INTO grants (id, account_id, client_id, scope, resources, third_party_session_id,
      session_id, created_at, expires_at, is_begun)
    VALUES (${grant.id}, ${grant.accountId}, ${grant.clientId}, ${grant.scope.join(' ')},
      ${grant.resources.join(' ')}, ${grant.identityProviderSessionId ?? null},
      ${grant.sessionId ?? null}, ${grant.createdAt}, ${expiresAt}, 0)`);
}

/**
 * Begins a grant: it lasts until `expiresAt`, with its first refresh token if it has one. Returns whether the grant
 * still existed.
 */
export async function beginGrant(
  tx: Queries,
  id: GrantId,
  { expiresAt, refresh }: { expiresAt: number; refresh: FirstRefresh | undefined },
): Promise<boolean> {
  const begun = await tx.run(sql`
    UPDATE grants SET is_begun = 1, expires_at = ${expiresAt}, refresh_id = ${refresh?.refreshId ?? null},
      refresh_hash = ${refresh?.refreshHash ?? null},
      dpop_thumbprint = ${refresh?.dpopThumbprint ?? null}
    WHERE id = ${id}`);
  return begun === 1;
}

/**
 * Replaces the current refresh token by its successor. Of several concurrent calls one succeeds. Without `expiresAt`
 * the grant lasts as long as before, and no index is written.
 */
export async function rotateRefresh(
  queries: Queries,
  rotation: {
    readonly id: GrantId;
    readonly from: string;
    readonly to: string;
    readonly salt: string;
    readonly now: number;
    readonly expiresAt: number | undefined;
  },
): Promise<boolean> {
  const { id, from, to, salt, now, expiresAt } = rotation;
  const extension = expiresAt === undefined ? sql`` : sql`, expires_at = ${expiresAt}`;
  const rotated = await queries.run(sql`
    UPDATE grants SET refresh_hash = ${to}, refresh_previous_hash = ${from}, refresh_salt = ${salt},
      refreshed_at = ${now}${extension}
    WHERE id = ${id} AND refresh_hash = ${from}`);
  return rotated === 1;
}

export async function findGrantByRefreshId(
  queries: Queries,
  refreshId: string,
): Promise<StoredGrant | undefined> {
  const row = await queries.first<GrantRow>(
    sql`SELECT ${grantColumns} FROM grants WHERE refresh_id = ${refreshId}`,
  );
  return row && toGrant(row);
}

/** The grants of an account, newest first: all of them, or at most so many. */
export async function listGrants(
  queries: Queries,
  accountId: AccountId,
  { now, limit }: { readonly now: number; readonly limit?: number | undefined },
): Promise<readonly StoredGrant[]> {
  const most = limit === undefined ? sql`` : sql`LIMIT ${limit}`;
  const rows = await queries.all<GrantRow>(sql`
    SELECT ${grantColumns} FROM grants WHERE account_id = ${accountId} AND expires_at > ${now}
    ORDER BY created_at DESC, id DESC ${most}`);
  return rows.map(toGrant);
}

/** What one person allowed one client, each once, newest first. */
export async function listAllowed(
  queries: Queries,
  { accountId, clientId }: Pick<Grant, 'accountId' | 'clientId'>,
  now: number,
): Promise<readonly Pick<Grant, 'scope' | 'resources'>[]> {
  const rows = await queries.all<Pick<GrantRow, 'scope' | 'resources'>>(sql`
    SELECT scope, resources FROM grants
    WHERE account_id = ${accountId} AND client_id = ${clientId} AND expires_at > ${now}
    GROUP BY scope, resources ORDER BY MAX(created_at) DESC, scope, resources`);
  return rows.map(({ scope, resources }) => ({
    scope: words(scope) as Scope[], // as insertGrant wrote them
    resources: words(resources),
  }));
}

/** The sessions at the identity provider by which a person allowed a client anything; undefined for a sign-in here. */
export async function listSignIns(
  queries: Queries,
  { accountId, clientId }: { readonly accountId: string; readonly clientId: string },
): Promise<readonly (string | undefined)[]> {
  const rows = await queries.all<Pick<GrantRow, 'third_party_session_id'>>(sql`
    SELECT DISTINCT third_party_session_id FROM grants
    WHERE account_id = ${accountId} AND client_id = ${clientId}`);
  return rows.map(({ third_party_session_id: id }) => id ?? undefined);
}

/** Whether any grant was made in a session at an identity provider. */
export async function hasProviderGrants(queries: Queries): Promise<boolean> {
  const row = await queries.first(
    sql`SELECT id FROM grants WHERE third_party_session_id IS NOT NULL LIMIT 1`,
  );
  return row !== undefined;
}

/** The grants of one account or of all, to one client or to all, in the order in which they were made. */
export async function pageGrants(
  queries: Queries,
  {
    accountId,
    clientId,
    after,
    limit,
    now,
  }: Page & {
    readonly accountId: string | undefined;
    readonly clientId?: string | undefined;
    readonly now: number;
  },
): Promise<readonly StoredGrant[]> {
  const isOfAccount = accountId === undefined ? sql`` : sql`account_id = ${accountId} AND`;
  const isToClient = clientId === undefined ? sql`` : sql`client_id = ${clientId} AND`;
  const rows = await queries.all<GrantRow>(sql`
    SELECT ${grantColumns} FROM grants
    WHERE ${isOfAccount} ${isToClient} expires_at > ${now} AND (created_at, id) > (${after.at}, ${after.id})
    ORDER BY created_at, id LIMIT ${limit}`);
  return rows.map(toGrant);
}

/** The grants with one of the scopes or for the resource, whoever allowed them. */
export async function findGrantsOn(
  queries: Queries,
  { scopes, resource }: { scopes: readonly Scope[]; resource: string },
): Promise<readonly StoredGrant[]> {
  // A name may contain LIKE wildcards, which only match more rows; the filter below removes those.
  const isOnScope = scopes
    .map((name) => sql`OR ' ' || scope || ' ' LIKE ${`% ${name} %`}`)
    .reduce((all, one) => sql`${all} ${one}`, sql``);
  const rows = await queries.all<GrantRow>(sql`
    SELECT ${grantColumns} FROM grants
    WHERE ' ' || resources || ' ' LIKE ${`% ${resource} %`} ${isOnScope}`);
  return rows
    .map(toGrant)
    .filter(
      (grant) =>
        grant.resources.includes(resource) || grant.scope.some((each) => scopes.includes(each)),
    );
}

export async function findGrant(queries: Queries, id: GrantId): Promise<StoredGrant | undefined> {
  const row = await queries.first<GrantRow>(
    sql`SELECT ${grantColumns} FROM grants WHERE id = ${id}`,
  );
  return row && toGrant(row);
}

/**
 * Selects grants: one, several, all of a client, of an account, of a browser session, or of a session at the identity
 * provider. Or a few of the oldest of an account beyond a number, but not its newest: either of those whose code was
 * redeemed and that have not expired, or of those whose code waits.
 */
export type GrantSelection =
  | { readonly id: GrantId }
  | { readonly ids: readonly GrantId[] }
  | { readonly clientId: ClientId }
  | { readonly accountId: AccountId }
  | OldestGrants
  | { readonly sessionId: string }
  | { readonly identityProviderSessionId: string };

type OldestGrants = {
  /** Stays, even if the clock was wrong when the others were made. */
  readonly newest: Pick<Grant, 'id' | 'accountId'>;
  readonly which: 'begun' | 'waiting';
  /** How many stay beside the newest. */
  readonly kept: number;
  readonly now: number;
};

/** Removes grants with their refresh tokens and codes, and returns what they were. */
export async function deleteGrants(
  tx: Queries,
  selection: GrantSelection,
): Promise<readonly StoredGrant[]> {
  if ('ids' in selection) {
    const deleted: (readonly StoredGrant[])[] = [];
    for (const id of selection.ids) deleted.push(await deleteGrants(tx, { id }));
    return deleted.flat();
  }
  const rows = await tx.all<GrantRow>(
    sql`DELETE FROM grants WHERE ${isSelected(selection)} RETURNING ${grantColumns}`,
  );
  for (const { id } of rows) {
    await tx.run(sql`DELETE FROM authorization_codes WHERE grant_id = ${id}`);
  }
  return rows.map(toGrant);
}

/**
 * Removes some expired grants, and returns how many. Their codes go with them and not earlier: a grant lasts at least
 * as long as its code, and a spent code must be known as long as there are tokens that its replay revokes (R1).
 */
export function pruneGrants(
  database: Pick<Transactional, 'transaction'>,
  { now, limit }: { readonly now: number; readonly limit: number },
): Promise<number> {
  return database.transaction(async (tx) => {
    const ended = await tx.all<Pick<GrantRow, 'id'>>(sql`
      DELETE FROM grants WHERE id IN (
        SELECT id FROM grants WHERE expires_at <= ${now} LIMIT ${limit})
      RETURNING id`);
    if (ended.length === 0) return 0;
    const ids = sqlList(ended.map(({ id }) => id));
    await tx.run(sql`DELETE FROM authorization_codes WHERE grant_id IN ${ids}`);
    return ended.length;
  });
}

function isSelected(selection: Exclude<GrantSelection, { ids: unknown }>): Sql {
  if ('id' in selection) return sql`id = ${selection.id}`;
  if ('clientId' in selection) return sql`client_id = ${selection.clientId}`;
  if ('sessionId' in selection) return sql`session_id = ${selection.sessionId}`;
  if ('accountId' in selection) return sql`account_id = ${selection.accountId}`;
  if ('newest' in selection) return isOldest(selection);
  return sql`third_party_session_id = ${selection.identityProviderSessionId}`;
}

function isOldest({ newest, which, kept, now }: OldestGrants): Sql {
  const isOfThese =
    which === 'begun'
      ? sql`is_begun = 1 AND expires_at > ${now}`
      : // One with a refresh token was begun by a process that did not note it yet.
        sql`is_begun = 0 AND refresh_id IS NULL`;
  return sql`id IN (
    SELECT id FROM grants
    WHERE account_id = ${newest.accountId} AND id <> ${newest.id} AND ${isOfThese}
    ORDER BY created_at DESC, id DESC LIMIT 10 OFFSET ${kept})`;
}

export const grantColumns = sql`grants.id, account_id, client_id, scope, resources,
  third_party_session_id, created_at, grants.expires_at, refresh_hash, refresh_previous_hash,
  refresh_salt, refreshed_at, grants.dpop_thumbprint`;

export type GrantRow = {
  id: string;
  account_id: string;
  client_id: string;
  scope: string;
  resources: string;
  third_party_session_id: string | null;
  created_at: number;
  expires_at: number;
  refresh_hash: string | null;
  refresh_previous_hash: string | null;
  refresh_salt: string | null;
  refreshed_at: number | null;
  dpop_thumbprint: string | null;
};

export function toGrant(row: GrantRow): StoredGrant {
  // The casts hold as these columns are written by insertGrant alone, from values of these types.
  return {
    id: row.id as GrantId,
    accountId: row.account_id as AccountId,
    clientId: row.client_id as ClientId,
    scope: words(row.scope) as Scope[],
    resources: words(row.resources),
    identityProviderSessionId: row.third_party_session_id ?? undefined,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    refresh: toRefresh(row),
  };
}

function toRefresh(row: GrantRow): StoredRefresh | undefined {
  const { refresh_hash: hash, refresh_previous_hash, refresh_salt, refreshed_at } = row;
  if (hash === null) return undefined;
  const wasRotated =
    refresh_previous_hash !== null && refresh_salt !== null && refreshed_at !== null;
  return {
    hash,
    previous: wasRotated
      ? { hash: refresh_previous_hash, salt: refresh_salt, spentAt: refreshed_at }
      : undefined,
    dpopThumbprint: row.dpop_thumbprint ?? undefined,
  };
}

/** Neither scopes nor URLs hold a space. */
function words(text: string): string[] {
  return text === '' ? [] : text.split(' ');
}
