import * as oauth from 'oauth4webapi';
import { AuthorizationError } from '../../authorization-error.ts';
import type { DiscoveredProvider } from './create-provider-discovery.ts';

/** Somebody as the identity provider knows them. */
export type IdentityProviderPerson = { readonly subject: string; readonly name: string };

/** Who signed in. Asks in the way that fits the server: an OpenID provider tells by user info, an OAuth server by introspection. */
export async function describePerson(
  discovered: DiscoveredProvider,
  signedIn: {
    readonly accessToken: string;
    readonly claims: oauth.IDToken | undefined;
    readonly isOpenId: boolean;
  },
): Promise<IdentityProviderPerson> {
  const { accessToken, claims, isOpenId } = signedIn;
  const { server, client, library } = discovered;
  const { userinfo_endpoint: userInfo, introspection_endpoint: introspection } = server;
  if (userInfo !== undefined && (isOpenId || introspection === undefined)) {
    const response = await oauth.userInfoRequest(server, client, accessToken, library);
    const expected = claims?.sub ?? oauth.skipSubjectCheck;
    return toPerson(await oauth.processUserInfoResponse(server, client, expected, response));
  }
  if (claims !== undefined) return toPerson(claims);
  const { sub, username } =
    introspection === undefined ? {} : await introspect(discovered, accessToken);
  if (sub !== undefined) return toPerson({ sub, preferred_username: username });
  throw new AuthorizationError('server_error', 'The identity provider does not say who signed in.');
}

/** What the identity provider knows of a token (RFC 7662). */
export async function introspect(discovered: DiscoveredProvider, accessToken: string) {
  const { server, client, authentication, library } = discovered;
  const response = await oauth.introspectionRequest(
    server,
    client,
    authentication,
    accessToken,
    library,
  );
  return oauth.processIntrospectionResponse(server, client, response);
}

function toPerson(
  claims: { sub: string } & Readonly<Record<string, unknown>>,
): IdentityProviderPerson {
  const names = [claims.name, claims.preferred_username, claims.email, claims.sub];
  const name = names.find((given) => typeof given === 'string' && given.trim() !== '');
  return { subject: claims.sub, name: String(name).slice(0, 80) };
}
