import { AuthorizationError } from '../../../authorization-error.ts';
import type { Form } from '../../../protocol/read-form.ts';
import type { Scope, Scopes } from '../../../protocol/scope.ts';
import type { Client } from '../../model/client.ts';

/**
 * The scopes that the client asks for, or its default ones if it names none. Unknown scopes are
 * left out, since clients send the same list to several servers. Throws `invalid_scope` if none is
 * left, or if the client may not ask for one of them.
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
