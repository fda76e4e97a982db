import { AuthorizationError } from '../authorization-error.ts';
import type { AccessTokens } from '../keys/access-tokens.ts';
import { audiencesOf, fitScope, type Scope, type Scopes } from '../protocol/scope.ts';
import { answerTokens } from './token-issuer.ts';
import { type GrantHandler, narrowAudiences, narrowScope } from './token-request.ts';

/**
 * `client_credentials`: a token by which a client acts for itself. It names no person and comes without a refresh
 * token (S11). It has a scope for admins only if the operator made the client and gave it that scope by name.
 * Nothing is stored. Throws `unauthorized_client` for a client that cannot prove who it is.
 */
export function grantClientCredentials(options: {
  readonly issuer: string;
  readonly scopes: Scopes;
  /** Every address that tokens of this server may be for. */
  readonly resources: () => readonly string[];
  readonly accessTokens: AccessTokens;
}): GrantHandler {
  const { issuer, scopes, resources, accessTokens } = options;
  return async ({ client, form, dpopThumbprint }) => {
    if (client.authentication === 'none') {
      throw new AuthorizationError(
        'unauthorized_client',
        'A public client has no credentials to act for itself: register it with a secret or a key.',
      );
    }
    const isAllowed = (one: Scope) => client.origin === 'operator' || !scopes.isForAdmins(one);
    const asked = narrowScope(form, {
      scopes,
      allowed: client.scope.filter(isAllowed),
      usual: client.defaultScope.filter(isAllowed),
    });
    const audiences = narrowAudiences(form, {
      origin: issuer,
      granted: resources(),
      usual: audiencesOf(asked, { origin: issuer, scopes }),
    });
    const scope = fitScope(asked, { audiences, scopes });
    const { clientId } = client;
    const wanted = { subject: clientId, clientId, scope, audiences, dpopThumbprint };
    return answerTokens({ accessTokens, wanted });
  };
}
