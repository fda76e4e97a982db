import type { Database } from '../../../kernel/database/database.ts';
import { isUniqueViolation } from '../../../kernel/database/database-error.ts';
import { drawHex } from '../../../kernel/random/draw-text.ts';
import type { Random } from '../../../kernel/random/random.ts';
import { notFound } from '../../../kernel/rpc-status/not-found.ts';
import { StatusError } from '../../../kernel/rpc-status/status-error.ts';
import type { ScopeDeclaration } from '../../../kernel/scope-declaration.ts';
import type { Clock } from '../../../kernel/time/clock.ts';
import { AuthorizationError } from '../../authorization-error.ts';
import { authorizationLimits } from '../../limits.ts';
import { parseOwnResource } from '../../protocol/resource.ts';
import type { Grants } from '../grants/create-grants.ts';
import { findGrantsOn } from '../store/grant-store.ts';
import { type AddedResource, deleteResource, insertResource } from '../store/resource-store.ts';
import type { Resources } from './open-resources.ts';

export type NewResource = {
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
