import type { ClientContext } from './client-context.ts';
import { ClientError } from './client-error.ts';
import type { Discovery } from './discover.ts';
import { createDpopKey, createDpopProver, type DpopProver } from './dpop.ts';
import type { Grant } from './records.ts';
import { findRegistration } from './registration.ts';
import { createTokenEndpoint, isRefusal, requestTokens } from './request-tokens.ts';
import { signIn } from './sign-in/sign-in.ts';

/** What to obtain, and where. */
export type GrantWish = {
  readonly discovery: Discovery;
  readonly scope: readonly string[];
  readonly isDpop: boolean;
  readonly signal?: AbortSignal | undefined;
};

const jwtBearer = 'urn:ietf:params:oauth:grant-type:jwt-bearer';

/**
 * Obtains a grant if there is nothing to refresh: with the assertion, if one was given; as the client
 * itself, if it has a secret or a key; else by asking a person, unless `isInteractive` is false. If the
 * assertion is refused, no other way is tried.
 */
export async function obtainGrant(context: ClientContext, wish: GrantWish): Promise<Grant> {
  const { options } = context;
  const { metadata, resource } = wish.discovery;
  const dpop = wish.isDpop ? await createProver(context) : undefined;
  const registration = await findRegistration(context, metadata);

  if (options.assertion !== undefined) {
    const { assertion } = options;
    const target = { issuer: metadata.issuer, resource };
    return ask(
      jwtBearer,
      {
        assertion: typeof assertion === 'string' ? assertion : await assertion(target),
      },
      wish.scope,
    );
  }
  if (mayActForItself()) {
    try {
      return await withinReach((scope) => ask('client_credentials', {}, scope));
    } catch (error) {
      const isForPeople = metadata.grant_types_supported?.includes('authorization_code') === true;
      const isRefused = isRefusal(error, 'unauthorized_client', 'unsupported_grant_type');
      if (!isForPeople || !isRefused) throw error;
    }
  }
  if (options.isInteractive === false) {
    throw new ClientError(
      'SIGN_IN_NEEDED',
      `${context.serverUrl.origin} wants a person to sign in: run tradewind login ${context.serverUrl.href} first.`,
    );
  }
  return withinReach((scope) => signIn(context, { ...wish, scope, dpop }));

  function mayActForItself(): boolean {
    const hasProof = options.clientSecret !== undefined || options.clientKey !== undefined;
    return hasProof && metadata.grant_types_supported?.includes('client_credentials') === true;
  }

  /**
   * A client may be registered for less scope than the server asks for; then it takes what it is
   * registered for. A scope that the caller configured is requested unchanged.
   */
  async function withinReach(attempt: (scope: readonly string[]) => Promise<Grant>) {
    const isOurChoice = options.scope === undefined && wish.scope.length > 0;
    return attempt(wish.scope).catch((error) => {
      if (!isOurChoice || !isRefusal(error, 'invalid_scope')) throw error;
      return attempt([]);
    });
  }

  function ask(
    grantType: string,
    parameters: Record<string, string>,
    wanted: readonly string[],
  ): Promise<Grant> {
    if (registration === undefined) {
      throw new ClientError('CLIENT_ID_NEEDED', `Give the client id to use at ${metadata.issuer}.`);
    }
    const scope = wanted.filter((word) => word !== 'offline_access');
    return requestTokens(createTokenEndpoint(context, { ...wish, registration, dpop }), {
      grantType,
      parameters: { ...parameters, scope: scope.join(' ') || undefined, resource },
      scope,
    });
  }
}

async function createProver({ clock, random }: ClientContext): Promise<DpopProver> {
  return createDpopProver(await createDpopKey(), { clock, random });
}
