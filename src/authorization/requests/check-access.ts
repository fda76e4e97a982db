import { AuthorizationError } from '../authorization-error.ts';
import type { Client } from '../model/client.ts';
import type { Form } from '../protocol/form.ts';
import { readOwnResources } from '../protocol/resource.ts';
import { audiencesOf, fitScope, type Scope, type Scopes } from '../protocol/scope.ts';

/**
 * The scopes and resources that a client asks for. A request that names no resource asks for the servers that its
 * scopes belong to. If it names one, scopes that do not apply there are left out (T4). Throws `invalid_scope` and
 * `invalid_target`.
 */
export function checkAccess(
  form: Form,
  rules: { readonly client: Client; readonly scopes: Scopes; readonly resources: ResourceRules },
): { readonly scope: readonly Scope[]; readonly resources: readonly string[] } {
  const { client, scopes } = rules;
  const asked = checkScope(form, { client, scopes });
  const usual = audiencesOf(asked, { origin: rules.resources.origin, scopes });
  const audiences = checkResources(form, { ...rules.resources, usual });
  return { scope: fitScope(asked, { audiences, scopes }), resources: audiences };
}

/**
 * Where tokens of this server are valid: below its own origin, and at other servers that its settings or an admin
 * named.
 */
export type ResourceRules = {
  readonly origin: string;
  /** Addresses of foreign servers, as `parseResource` spells them. */
  readonly foreign: () => readonly string[];
};

/**
 * The audiences that the tokens are for (RFC 8707 section 2); without any, the default ones. Throws `invalid_target`
 * for a resource that this server issues no tokens for.
 */
function checkResources(
  form: Form,
  { origin, foreign, usual }: ResourceRules & { readonly usual: readonly string[] },
): readonly string[] {
  const resources = readOwnResources(form, origin);
  for (const resource of resources) {
    const isOwn = resource === origin || resource.startsWith(`${origin}/`);
    if (isOwn || foreign().includes(resource)) continue;
    throw new AuthorizationError(
      'invalid_target',
      `This server issues no tokens for "${resource.slice(0, 200)}": ask for ${origin} or an address below it, or have an admin add this resource.`,
    );
  }
  return resources.length === 0 ? usual : resources;
}

/**
 * The scopes that the client asks for, or its default ones if it names none. Unknown scopes are
 * left out, since clients send the same list to several servers. Throws `invalid_scope` if none is
 * left, or if the client may not ask for one of them.
 */
function checkScope(
  form: Form,
  { client, scopes }: { client: Client; scopes: Scopes },
): readonly Scope[] {
  const given = form.get('scope');
  if (given === undefined) return client.defaultScope;
  const asked = scopes.parse(given);
  if (asked.length === 0) {
    throw new AuthorizationError(
      'invalid_scope',
      `None of the scopes "${given.slice(0, 200)}" exists here: ask for ${client.scope.join(', ')}.`,
    );
  }
  const forbidden = asked.filter((scope) => !client.scope.includes(scope));
  if (forbidden.length === 0) return asked;
  throw new AuthorizationError(
    'invalid_scope',
    `This client may not ask for ${forbidden.join(', ')}: ask for ${client.scope.join(', ')}.`,
  );
}
