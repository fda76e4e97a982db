import type { ScopeDeclaration } from '../../kernel/edge/operation.ts';
import { AuthorizationError } from '../authorization-error.ts';
import { isAudienceOf } from './resource.ts';

/** The name of a scope that this server has or had. */
export type Scope = string;

/** A scope of an added server. Its tokens are valid at that server only. */
type ResourceScope = ScopeDeclaration & {
  /** The address of the server, as `parseResource` spells it. */
  readonly resource: string;
};

/** The scopes of this server, as its domains declared them, and those of servers that an admin added. */
export type Scopes = {
  /** All of them, in the order in which they were declared. */
  names(): readonly Scope[];
  /** Those that its domains declared. */
  ownNames(): readonly Scope[];
  /** The scopes of an authorization request without `scope`, unless the client registered others. */
  defaults(): readonly Scope[];
  has(scope: Scope): boolean;
  /** The scopes in a space-separated text, each once; words that are no scope of this server are left out. */
  parse(text: string): readonly Scope[];
  /** What the scope allows, in words for people; its name if it is no longer declared. */
  describe(scope: Scope): string;
  /** Whether only admins can hold and grant the scope. An undeclared scope counts as such. */
  isForAdmins(scope: Scope): boolean;
  /** The server that the scope belongs to, if an admin added that server (T4). */
  resourceOf(scope: Scope): string | undefined;
};

/** Makes the scopes of a server out of the declarations of its domains and of the servers added to it. */
export function createScopes(
  declarations: readonly ScopeDeclaration[],
  added: readonly ResourceScope[] = [],
): Scopes {
  const declared = new Map<string, ScopeDeclaration & { readonly resource?: string }>(
    [...added, ...declarations].map((one) => [one.name, one]),
  );
  const ownNames = declarations.map(({ name }) => name);
  const names = [...new Set([...ownNames, ...declared.keys()])];
  const defaults = names.filter((name) => declared.get(name)?.isDefault);
  return {
    names: () => names,
    ownNames: () => ownNames,
    defaults: () => defaults,
    has: (scope) => declared.has(scope),
    parse: (text) => [...new Set(text.split(' '))].filter((word) => declared.has(word)),
    describe: (scope) => declared.get(scope)?.description ?? scope,
    isForAdmins: (scope) => declared.get(scope)?.holders !== 'anyone',
    resourceOf: (scope) => declared.get(scope)?.resource,
  };
}

/**
 * The scopes that apply at these audiences: a scope of an added server goes only into tokens for that server (T4), and
 * no other scope into tokens for servers with scopes of their own alone (F55). Throws `invalid_scope` if none is left.
 */
export function fitScope(
  scope: readonly Scope[],
  { audiences, scopes }: { readonly audiences: readonly string[]; readonly scopes: Scopes },
): readonly Scope[] {
  const added = new Set(scopes.names().map(scopes.resourceOf));
  const isOurs = audiences.some((one) => !added.has(one));
  const fits = (each: Scope) => {
    const resource = scopes.resourceOf(each);
    return resource === undefined ? isOurs : audiences.some((one) => isAudienceOf(one, resource));
  };
  if (scope.every(fits)) return scope;
  const fitting = scope.filter(fits);
  if (fitting.length > 0) return fitting;
  const [first = ''] = scope;
  throw new AuthorizationError(
    'invalid_scope',
    `The scope ${first} belongs to ${scopes.resourceOf(first) ?? 'this server'} and does not exist at ${audiences.join(', ')}: ask for it with that resource.`,
  );
}

/**
 * The audiences of tokens if a request names no resource: the servers that its scopes belong to, and
 * this server for all other scopes.
 */
export function audiencesOf(
  scope: readonly Scope[],
  { origin, scopes }: { readonly origin: string; readonly scopes: Scopes },
): readonly string[] {
  const audiences = new Set(scope.map((each) => scopes.resourceOf(each) ?? origin));
  return audiences.size === 0 ? [origin] : [...audiences];
}
