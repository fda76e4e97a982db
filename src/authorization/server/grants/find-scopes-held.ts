import type { Queries } from '../../../kernel/database/database.ts';
import type { Scope } from '../../protocol/scope.ts';
import type { Grant } from '../model/grant.ts';
import { listAllowed } from '../store/grant-store.ts';

/** The scopes that grants allow at each resource. */
type ScopesHeld = ReadonlyMap<string, ReadonlySet<Scope>>;

/**
 * For a revoked grant, returns the scopes that its client may still use for the same person at one of its resources,
 * by the grants that are left (K11). It reads the grants of one person to one client once, however many revoked
 * grants it is asked about, so what is left must not change meanwhile.
 */
export function findScopesHeld(
  queries: Queries,
  now: number,
): (gone: Grant) => Promise<readonly Scope[]> {
  const known = new Map<string, ScopesHeld>();
  return async (gone) => {
    const key = `${gone.accountId} ${gone.clientId}`;
    const held = known.get(key) ?? collectScopes(await listAllowed(queries, gone, now));
    known.set(key, held);
    return [...new Set(gone.resources.flatMap((resource) => [...(held.get(resource) ?? [])]))];
  };
}

function collectScopes(grants: readonly Pick<Grant, 'scope' | 'resources'>[]): ScopesHeld {
  const held = new Map<string, Set<Scope>>();
  for (const { scope, resources } of grants) {
    for (const resource of resources) {
      const scopes = held.get(resource) ?? new Set();
      for (const each of scope) scopes.add(each);
      held.set(resource, scopes);
    }
  }
  return held;
}
