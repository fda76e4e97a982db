import { AuthorizationError } from '../authorization-error.ts';
import { isAudienceOf } from './resource.ts';
import type { Scope, Scopes } from './scope.ts';

/**
 * What of a scope means something at these audiences: a scope of an added server goes into tokens for
 * that server alone (T4). Throws `invalid_scope` where nothing is left of it.
 */
export function fitScope(
  scope: readonly Scope[],
  { audiences, scopes }: { readonly audiences: readonly string[]; readonly scopes: Scopes },
): readonly Scope[] {
  const fits = (each: Scope) => {
    const resource = scopes.resourceOf(each);
    return resource === undefined || audiences.some((one) => isAudienceOf(one, resource));
  };
  if (scope.every(fits)) return scope;
  const fitting = scope.filter(fits);
  if (fitting.length > 0) return fitting;
  const [first = ''] = scope;
  throw new AuthorizationError(
    'invalid_scope',
    `The scope ${first} belongs to ${scopes.resourceOf(first)} and means nothing at ${audiences.join(', ')}: ask for it with that resource.`,
  );
}

/**
 * Where tokens of a scope are good when a request names no resource: at the servers that its scopes
 * belong to, and at this server for all others.
 */
export function audiencesOf(
  scope: readonly Scope[],
  { origin, scopes }: { readonly origin: string; readonly scopes: Scopes },
): readonly string[] {
  const audiences = new Set(scope.map((each) => scopes.resourceOf(each) ?? origin));
  return audiences.size === 0 ? [origin] : [...audiences];
}
