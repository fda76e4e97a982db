import type { Database } from '../../../kernel/database/database.ts';
import { createRefresher } from '../../../kernel/lifecycle/create-refresher.ts';
import type { Worker } from '../../../kernel/lifecycle/worker.ts';
import type { ScopeDeclaration } from '../../../kernel/scope-declaration.ts';
import type { Clock } from '../../../kernel/time/clock.ts';
import { createScopes, type Scopes } from '../../protocol/scope.ts';
import { type AddedResource, listenForResources, loadResources } from '../store/resource-store.ts';

/** The servers that tokens may be for besides this one, and all scopes, as this process knows them. */
export type Resources = {
  /** As they are at each call: those that the domains declared, and those of the servers added. */
  readonly scopes: Scopes;
  /** Addresses of other servers, from the settings and added ones, as `parseResource` spells them. */
  addresses(): readonly string[];
  /** Those that an admin added, in the order in which they came. */
  list(): readonly AddedResource[];
  /** Increases with every change, for callers that cache what they derived. */
  version(): number;
  /** Reads what is new. A change awaits this, so that it holds at once in this process. */
  refresh(): Promise<void>;
  /** Keeps this process at most a second behind what other processes change. */
  readonly worker: Worker;
};

/** As for revocations: known elsewhere within a second, even if a wake-up was lost. */
const pauseBetweenLooks = 900;

/** Loads the servers that were added (T4). */
export async function openResources(options: {
  readonly database: Database;
  readonly declarations: readonly ScopeDeclaration[];
  /** Addresses from the settings. */
  readonly configured: readonly string[];
  readonly clock: Clock;
  readonly onFailure?: (error: unknown) => void;
}): Promise<Resources> {
  const { database, declarations, configured, clock, onFailure = () => {} } = options;
  let added: readonly AddedResource[] = [];
  let known = '';
  let version = 0;
  let scopes = createScopes(declarations);
  let addresses: readonly string[] = configured;
  await refresh();

  return {
    scopes: {
      names: () => scopes.names(),
      ownNames: () => scopes.ownNames(),
      defaults: () => scopes.defaults(),
      has: (scope) => scopes.has(scope),
      parse: (text) => scopes.parse(text),
      describe: (scope) => scopes.describe(scope),
      isForAdmins: (scope) => scopes.isForAdmins(scope),
      resourceOf: (scope) => scopes.resourceOf(scope),
    },
    addresses: () => addresses,
    list: () => added,
    version: () => version,
    refresh,
    worker: createRefresher({
      name: 'resources',
      clock,
      pause: pauseBetweenLooks,
      listen: (wake) => listenForResources(database, wake),
      refresh,
      onFailure,
    }),
  };

  async function refresh(): Promise<void> {
    const loaded = await loadResources(database);
    const text = JSON.stringify(loaded);
    if (text === known) return;
    known = text;
    added = loaded;
    addresses = [...new Set([...configured, ...loaded.map(({ resource }) => resource)])];
    scopes = createScopes(
      declarations,
      loaded.flatMap(({ resource, scopes: own }) => own.map((scope) => ({ ...scope, resource }))),
    );
    version += 1;
  }
}
