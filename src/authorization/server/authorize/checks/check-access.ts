import { audiencesOf, fitScope } from '../../../protocol/fit-scope.ts';
import type { Form } from '../../../protocol/read-form.ts';
import type { Scope, Scopes } from '../../../protocol/scope.ts';
import type { Client } from '../../model/client.ts';
import { checkResources, type ResourceRules } from './check-resources.ts';
import { checkScope } from './check-scope.ts';

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
