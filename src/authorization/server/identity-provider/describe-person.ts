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

/** Whom the claims of an identity provider are about. Throws `server_error` for a subject that could pass for another. */
export function toPerson(
  claims: { sub: string } & Readonly<Record<string, unknown>>,
): IdentityProviderPerson {
  if (/\p{Cc}/u.test(claims.sub)) {
    throw new AuthorizationError(
      'server_error',
      'The identity provider names the person by control characters, which no person can be told by.',
    );
  }
  const names = [claims.name, claims.preferred_username, claims.email, claims.sub];
  const [name = ''] = names.map(cleanName).filter((given) => given !== '');
  return { subject: claims.sub, name };
}

/** A name as it is kept: without characters that show nothing or move their neighbours, as names of our own are (F55). */
function cleanName(given: unknown): string {
  if (typeof given !== 'string') return '';
  return given.slice(0, 1_000).replaceAll(/\p{C}/gu, '').trim().slice(0, 80);
}
