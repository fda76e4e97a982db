import { type Database, isUniqueViolation } from '../../kernel/database/database.ts';
import type { ScopeDeclaration } from '../../kernel/edge/operation.ts';
import { notFound, StatusError } from '../../kernel/edge/status-error.ts';
import { drawHex, type Random } from '../../kernel/model/random.ts';
import { createRefresher, type Worker } from '../../kernel/process/worker.ts';
import type { Clock } from '../../kernel/wait/clock.ts';
import { AuthorizationError } from '../authorization-error.ts';
import type { Grants } from '../grants/grants.ts';
import { authorizationLimits } from '../limits.ts';
import { parseOwnResource } from '../protocol/resource.ts';
import { createScopes, type Scopes } from '../protocol/scope.ts';
import { findGrantsOn } from '../store/grant-store.ts';
import {
  type AddedResource,
  deleteResource,
  insertResource,
  listenForResources,
  loadResources,
} from '../store/resource-store.ts';

type NewResource = {
  readonly resource: string;
  readonly name: string;
  readonly scopes: readonly {
    readonly name: string;
    readonly description: string;
    readonly holders: ScopeDeclaration['holders'];
  }[];
};

/** The added servers that tokens may be for, as admins manage them (T4). */
export type ManageResources = {
  list(): readonly AddedResource[];
  /** Includes how many grants would end with it. Throws `NOT_FOUND`. */
  find(id: string): Promise<{ readonly resource: AddedResource; readonly grants: number }>;
  /** Throws `INVALID_ARGUMENT` for an invalid address or scope, `ALREADY_EXISTS` for one that is taken. */
  add(given: NewResource): Promise<AddedResource>;
  /** Revokes every grant for it, and returns how many these were. Throws `NOT_FOUND`. */
  remove(id: string): Promise<number>;
};

const mostResources = authorizationLimits.resources.value;

export function createManageResources(options: {
  readonly issuer: string;
  readonly database: Database;
  readonly resources: Pick<Resources, 'list' | 'refresh' | 'scopes' | 'addresses'>;
  readonly grants: Pick<Grants, 'transaction'>;
  readonly clock: Clock;
  readonly random: Random;
}): ManageResources {
  const { issuer, database, resources, grants, clock, random } = options;

  function find(id: string): AddedResource {
    const found = resources.list().find((one) => one.id === id);
    if (found === undefined) throw unknownResource(id);
    return found;
  }

  return {
    list: () => resources.list(),
    async find(id) {
      const resource = find(id);
      return { resource, grants: (await findGrantsOn(database, standingOn(resource))).length };
    },
    async add({ resource: given, name, scopes }) {
      const resource = checkAddress(given, issuer);
      const taken = scopes.find((scope) => resources.scopes.has(scope.name));
      if (taken !== undefined) throw scopeTaken(taken.name, resources.scopes);
      if (resources.addresses().includes(resource)) throw addressTaken(resource);
      if (resources.list().length >= mostResources) throw tooMany();
      const id = drawHex(random, 8);
      const added = { id, resource, name, scopes, createdAt: clock.now() };
      await database
        .transaction((tx) => insertResource(tx, added))
        .catch((error) => {
          // Another process added the same at this moment.
          throw isUniqueViolation(error) ? addressTaken(resource) : error;
        });
      await resources.refresh();
      return added;
    },
    async remove(id) {
      const resource = find(id);
      const ended = await grants.transaction(async (tx, revoke) => {
        if (!(await deleteResource(tx, id))) throw unknownResource(id);
        const standing = await findGrantsOn(tx, standingOn(resource));
        await revoke({ ids: standing.map((grant) => grant.id) });
        return standing.length;
      });
      await resources.refresh();
      return ended;
    },
  };
}

function standingOn({ resource, scopes }: AddedResource) {
  return { resource, scopes: scopes.map(({ name }) => name) };
}

/** The normal form of an address. Refuses paths of this server, which have the scopes of its domains. */
function checkAddress(given: string, issuer: string): string {
  const resource = spell(given, issuer);
  if (resource !== issuer && !resource.startsWith(`${issuer}/`)) return resource;
  throw invalid('resource', `is this server itself: give the address of another one`);
}

function spell(given: string, issuer: string): string {
  try {
    return parseOwnResource(given, issuer);
  } catch (error) {
    if (!(error instanceof AuthorizationError)) throw error;
    const expected = 'must be an http or https URL without fragment and user information';
    throw invalid('resource', `${JSON.stringify(given)} ${expected}`);
  }
}

function invalid(field: string, description: string): StatusError {
  return new StatusError('INVALID_ARGUMENT', `The ${field} ${description}.`, {
    reason: 'INVALID_FIELDS',
    fieldViolations: [{ field, description }],
  });
}

function scopeTaken(
  scope: string,
  scopes: { resourceOf(scope: string): string | undefined },
): StatusError {
  const owner = scopes.resourceOf(scope) ?? 'this server itself';
  return new StatusError(
    'ALREADY_EXISTS',
    `The scope ${scope} belongs to ${owner}, and a scope belongs to one resource: choose another name.`,
    { reason: 'SCOPE_TAKEN', metadata: { scope, owner } },
  );
}

function addressTaken(resource: string): StatusError {
  return new StatusError(
    'ALREADY_EXISTS',
    `The resource ${resource}, or one of its scopes, exists already: list the resources, and remove the existing one first.`,
    { reason: 'RESOURCE_TAKEN', metadata: { resource } },
  );
}

function tooMany(): StatusError {
  return new StatusError(
    'RESOURCE_EXHAUSTED',
    `There are ${mostResources} resources, which is the limit: remove one first.`,
    { reason: 'TOO_MANY_RESOURCES', metadata: { most: String(mostResources) } },
  );
}

function unknownResource(given: string): StatusError {
  return notFound(given, {
    type: 'Resource',
    reason: 'RESOURCE_NOT_FOUND',
    message: (id) => `There is no resource ${id}: list the resources to see their ids.`,
  });
}

/** The servers that tokens may be for besides this one, and all scopes, as this process knows them. */
type Resources = {
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
