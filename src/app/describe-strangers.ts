import { admissionOf, authorizationScopes } from '../authorization/index.ts';
import { eventsScopes } from '../events/index.ts';
import type { ScopeDeclaration } from '../kernel/edge/operation.ts';
import { isLoopbackHost } from '../kernel/model/network.ts';
import { parseUrl } from '../kernel/text/url.ts';
import { swapScopes } from '../swap/index.ts';
import type { Config } from './settings/all-settings.ts';

/** What a stranger gets of a thing, in words. */
export type StrangersGet = { readonly of: string; readonly get: string };

/** What somebody gets whom nobody here knows, with the settings in force (N22). */
export function describeStrangers({
  server,
  authorization,
  events,
}: Pick<Config, 'server' | 'authorization' | 'events'>): readonly StrangersGet[] {
  const isLoopback = isOnlyThisMachine(server);
  const { registration, signUp } = admissionOf(authorization, { isLoopback });
  const { idpIssuer, walletSignIn } = authorization;
  const provider = idpIssuer && (parseUrl(idpIssuer)?.host ?? idpIssuer);
  const becomes = [
    ...(signUp === 'open' && walletSignIn === 'on' ? ['whoever has a wallet'] : []),
    ...(signUp !== 'invited' && provider !== undefined
      ? [`everybody whom ${provider} signs in`]
      : []),
  ].join(' and ');
  const names = scopeDeclarations
    .filter(({ holders }) => holders === 'anyone')
    .map(({ name }) => name)
    .join(' ');
  const ways = [
    ...(registration === 'open' ? ['by a client that acts for itself'] : []),
    ...(becomes === '' ? [] : ['by consent of their own account']),
  ].join(' and ');
  const ended = {
    of: `people whom ${provider} has ended`,
    get: 'nothing by their sign-in there; a password or wallet that leads to their account signs them in until tradewind people remove',
  };
  const isShared = events.eventVisibility === 'shared';
  return [
    {
      of: 'accounts',
      get: `${becomes === '' ? 'none without an invitation by an admin' : `${becomes} becomes an account`} (TRADEWIND_SIGN_UP=${signUp})`,
    },
    {
      of: 'registration',
      get: `${registrations[registration]} (TRADEWIND_REGISTRATION=${registration})`,
    },
    { of: 'scopes', get: ways === '' ? 'none' : `${names}, ${ways}` },
    {
      of: 'events',
      get: `${ways === '' ? 'none' : isShared ? "everybody's" : 'their own'}: who holds an application's scopes sees ${isShared ? 'all of its events' : 'what their own account published'} (TRADEWIND_EVENT_VISIBILITY=${events.eventVisibility})`,
    },
    ...(provider ? [ended] : []),
  ];
}

const registrations = {
  open: 'everybody registers clients',
  token: 'nobody registers clients without a token',
  off: 'nobody registers clients',
} as const;

/**
 * The scopes of every domain, even of those that this process does not run: another process may
 * check its tokens.
 */
export const scopeDeclarations: readonly ScopeDeclaration[] = [
  ...swapScopes,
  ...eventsScopes,
  ...authorizationScopes,
];

/**
 * Whether strangers can be on this machine alone: the server listens on loopback, and neither a declared proxy nor a
 * public address says that something brings callers from elsewhere (N22).
 */
export function isOnlyThisMachine({
  host,
  trustedProxy = [],
  publicUrl,
}: Config['server']): boolean {
  const named = publicUrl === undefined ? 'localhost' : new URL(publicUrl).hostname;
  return isLoopbackHost(host) && trustedProxy.length === 0 && isLoopbackHost(named);
}
