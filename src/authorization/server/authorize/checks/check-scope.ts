import { AuthorizationError } from '../../../authorization-error.ts';
import type { Form } from '../../../protocol/read-form.ts';
import type { Scope, Scopes } from '../../../protocol/scope.ts';
import type { Client } from '../../model/client.ts';

/**
 * What the client asks for. Without a scope that is its default. Words that are no scope of this
 * server are left out, since clients ask several servers for the same; but something must be left.
 * Throws `invalid_scope` then, and where the client may not ask for it.
 */
export function checkScope(
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
