import { AuthorizationError } from '../authorization-error.ts';
import { isAudienceOf } from './resource.ts';
import type { Scope, Scopes } from './scope.ts';

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
