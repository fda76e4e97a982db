import type { Queries } from '../../kernel/database/database.ts';
import { sql } from '../../kernel/database/sql.ts';
import type { Scope, Scopes } from '../protocol/scope.ts';
import { findStoredClient } from '../store/client-store.ts';
import { isClientDocumentUrl } from './client-documents.ts';

/** A client that acts for a person, or for itself. */
export type Authority = {
  readonly clientId: string;
  /** Undefined where the client acts for itself. */
  readonly accountId: string | undefined;
  /** Must still exist, where it is given. */
  readonly grantId?: string | undefined;
};

type HeldScopesOptions = {
  readonly scopes: Scopes;
  readonly isBuiltIn: (clientId: string) => boolean;
  readonly now: number;
};

/**
 * The scopes that an authority holds by what is stored now: nothing once its person, its client, all its grants or the
 * given one are gone. In a transaction nobody withdraws any of it before the transaction ends. Locks the client before
 * its grants, as the removal of a client does.
 */
export async function findHeldScopes(
  queries: Queries,
  authority: Authority,
  options: HeldScopesOptions,
): Promise<readonly Scope[]> {
  const { scopes, now } = options;
  const bound = await scopesOfClient(queries, authority, options);
  const { clientId, accountId, grantId } = authority;
  if (accountId === undefined || bound.length === 0) return bound;
  const grants = await queries.all<{ id: string; scope: string }>(sql`
    SELECT id, scope FROM grants
    WHERE account_id = ${accountId} AND client_id = ${clientId}
      AND (expires_at > ${now} OR id = ${grantId ?? ''})
    ORDER BY id ${queries.dialect.forUpdate}`);
  if (grantId !== undefined && !grants.some(({ id }) => id === grantId)) return [];
  const held = new Set(grants.flatMap(({ scope }) => scope.split(' ')));
  return bound.filter((scope) => held.has(scope) && scopes.has(scope));
}

/** The most that the client may hold, for itself or for a person. */
async function scopesOfClient(
  queries: Queries,
  { clientId, accountId }: Authority,
  { scopes, isBuiltIn, now }: HeldScopesOptions,
): Promise<readonly Scope[]> {
  const isForItself = accountId === undefined;
  const mayHold = (scope: Scope) => !isForItself || !scopes.isForAdmins(scope);
  // Neither can be removed here.
  if (isBuiltIn(clientId) || isClientDocumentUrl(clientId)) return scopes.names().filter(mayHold);
  await queries.first(sql`
    SELECT client_id FROM clients WHERE client_id = ${clientId} ${queries.dialect.forUpdate}`);
  const client = (await findStoredClient(queries, clientId, { now, scopes }))?.client;
  if (client === undefined) return [];
  if (isForItself && !client.grantTypes.includes('client_credentials')) return [];
  return isForItself && client.origin !== 'operator' ? client.scope.filter(mayHold) : client.scope;
}
