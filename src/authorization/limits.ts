import type { Limits } from '../kernel/edge/limits.ts';
import { authorizationSettings } from './config.ts';

/** The limits of the authorization server for clients and people. */
export const authorizationLimits = {
  registrations: {
    value: Number(authorizationSettings.registrationRate.default),
    unit: 'a minute',
    per: 'caller',
    meaning: 'Clients that one caller registers; beyond it 429.',
    setting: 'TRADEWIND_REGISTRATION_RATE',
  },
  configurationRequests: {
    value: 600,
    unit: 'a minute',
    per: 'caller',
    meaning:
      'Requests to `/register/{clientId}`, which read, change or remove a client; beyond it 429.',
  },
  clientsOfCaller: {
    value: 1_000,
    unit: 'stored',
    per: 'caller',
    meaning: 'Clients that one caller registered and nobody has used yet; the oldest are removed.',
  },
  clients: {
    value: 100_000,
    unit: 'stored',
    per: 'server',
    meaning:
      'Clients that registered themselves and have no grant; the oldest are removed within a minute.',
  },
  registeredClients: {
    value: 1_000_000,
    unit: 'stored',
    per: 'server',
    meaning:
      'Clients that registered themselves, with and without grants; beyond it 503 within a minute.',
  },
  grantsOfAccount: {
    value: 1_000,
    unit: 'stored',
    per: 'account',
    meaning:
      'Grants of one person whose code was redeemed; the oldest are revoked when the person allows something again.',
  },
  waitingGrantsOfAccount: {
    value: 50,
    unit: 'stored',
    per: 'account',
    meaning: 'Grants of one person whose code was not redeemed yet; the oldest are revoked.',
  },
  sessionsOfAccount: {
    value: 100,
    unit: 'stored',
    per: 'account',
    meaning:
      'Browsers in which one person is signed in; the least recently used are signed out at the next sign-in.',
  },
  sessions: {
    value: 100_000,
    unit: 'stored',
    per: 'server',
    meaning:
      'Browsers in which people are signed in; the least recently used are signed out within a minute.',
  },
  identityProviderSessionsOfAccount: {
    value: 100,
    unit: 'stored',
    per: 'account',
    meaning:
      'Sign-ins of one person through the identity provider that no grant depends on; the least recently used end at the next sign-in.',
  },
  authorizationRequests: {
    value: 600,
    unit: 'a minute',
    per: 'caller',
    meaning: 'Authorization requests, also pushed ones and those of devices; beyond it 429.',
  },
  clientFailures: {
    value: 60,
    unit: 'a minute',
    per: 'caller',
    meaning:
      'Failed requests of clients, such as those with wrong credentials and device polls that come too early; beyond it 429.',
  },
  devicePollInterval: {
    value: 60_000,
    unit: 'milliseconds',
    per: 'request',
    meaning:
      'The longest polling interval of a device; it begins at 5 s, and each poll that comes too early adds 5 s.',
  },
  revocations: {
    value: 600,
    unit: 'a minute',
    per: 'caller',
    meaning:
      'Access tokens that one caller revokes, each remembered for an hour; beyond it 429. Refresh tokens are not counted.',
  },
  passwordFailuresOfName: {
    value: 10,
    unit: 'a minute',
    per: 'name',
    meaning: 'Wrong passwords of one caller for one name; beyond it 429.',
  },
  passwordFailures: {
    value: 60,
    unit: 'a minute',
    per: 'caller',
    meaning: 'Wrong passwords of one caller for all names; beyond it 429.',
  },
  tries: {
    value: 60,
    unit: 'a minute',
    per: 'caller',
    meaning:
      'Wrong device codes, wallet challenges and sign-ins begun at an identity provider, each counted separately; beyond it 429.',
  },
  walletAccounts: {
    value: 100_000,
    unit: 'stored',
    per: 'server',
    meaning:
      'Accounts of wallets; beyond it a wallet without an account is refused with 403 within a minute, and wallets with one still sign in.',
  },
  identitiesOfAccount: {
    value: 20,
    unit: 'stored',
    per: 'account',
    meaning:
      'Wallets and sign-ins at the identity provider that lead to one account; beyond it 403.',
  },
  passwordsAtOnce: {
    value: 2,
    unit: 'at once',
    per: 'process',
    meaning: 'Passwords that are being hashed; others wait.',
  },
  passwordsWaiting: {
    value: 256,
    unit: 'items',
    per: 'process',
    meaning: 'Passwords that wait to be hashed; beyond it 503 with `Retry-After`.',
  },
  passwordsWaitingAfterFailure: {
    value: 64,
    unit: 'items',
    per: 'process',
    meaning:
      'Passwords that wait to be hashed for callers whose sign-in failed within the last minute, behind all others; beyond it 503 with `Retry-After`.',
  },
  state: {
    value: 4_096,
    unit: 'characters',
    per: 'request',
    meaning: 'The `state` of an authorization request; beyond it 400.',
  },
  waitingRequest: {
    value: 8_192,
    unit: 'characters',
    per: 'request',
    meaning: 'A stored authorization request, also a pushed one or one of a device; beyond it 400.',
  },
  interactionsOfCaller: {
    value: 1_000,
    unit: 'stored',
    per: 'caller',
    meaning:
      'Requests of one caller, also of its devices, that wait for a person; the oldest are removed.',
  },
  interactions: {
    value: 20_000,
    unit: 'stored',
    per: 'server',
    meaning:
      'Requests of all callers that wait for a person; the oldest are removed within a minute.',
  },
  pushedRequests: {
    value: 20_000,
    unit: 'stored',
    per: 'server',
    meaning: 'Pushed requests that wait for the browser; the oldest are removed within a minute.',
  },
  deviceCodes: {
    value: 40_000,
    unit: 'stored',
    per: 'server',
    meaning:
      'Device codes, decided ones included, for the 10 minutes that they are valid; the oldest are removed within a minute.',
  },
  walletChallenges: {
    value: 20_000,
    unit: 'stored',
    per: 'server',
    meaning:
      'Messages that wait for the signature of a wallet; the oldest are removed within a minute.',
  },
  signInAttempts: {
    value: 20_000,
    unit: 'stored',
    per: 'server',
    meaning:
      'Sign-ins begun at an identity provider that wait for the person; the oldest are removed within a minute.',
  },
  spentIds: {
    value: 1_000_000,
    unit: 'stored',
    per: 'server',
    meaning:
      'Ids of DPoP proofs and client assertions, remembered until those expire; beyond it 503 within a minute.',
  },
  spentIdsOfCaller: {
    value: 20_000,
    unit: 'a minute',
    per: 'caller',
    meaning:
      'Ids of DPoP proofs and client assertions that one address uses at the token endpoint, or one person or client with its tokens; beyond it 503 with `Retry-After`.',
  },
  spentIdsOfGuard: {
    value: 100_000,
    unit: 'stored',
    per: 'process',
    meaning:
      'Ids of DPoP proofs that a guard of another server remembers until they expire; beyond it 503.',
  },
  spentIdsOfCallerOfGuard: {
    value: 10_000,
    unit: 'stored',
    per: 'caller',
    meaning: 'Those of one person or client; beyond it 503.',
  },
  interactionLife: {
    value: 3_600_000,
    unit: 'milliseconds',
    per: 'request',
    meaning: 'How long a request waits for a person before it is removed.',
  },
  inviteLife: {
    value: 7 * 24 * 3_600_000,
    unit: 'milliseconds',
    per: 'account',
    meaning: 'How long an invite link works.',
  },
  resetLife: {
    value: 24 * 3_600_000,
    unit: 'milliseconds',
    per: 'account',
    meaning: 'How long a link for choosing a new password works.',
  },
  resources: {
    value: 100,
    unit: 'stored',
    per: 'server',
    meaning: 'Resources that an admin added; beyond it 429.',
  },
  scopesOfResource: {
    value: 50,
    unit: 'items',
    per: 'request',
    meaning: 'Scopes of one resource; beyond it 400.',
  },
  managementRequests: {
    value: 600,
    unit: 'a minute',
    per: 'caller',
    meaning: 'Requests that manage people, sessions, grants, resources and keys; beyond it 429.',
  },
  accountRequests: {
    value: 600,
    unit: 'a minute',
    per: 'caller',
    meaning: 'Requests for the page of an account and from its forms; beyond it 429.',
  },
  assertionLife: {
    value: 300_000,
    unit: 'milliseconds',
    per: 'request',
    meaning:
      'How long a client assertion (`private_key_jwt`) is valid after its `iat`, or before its `exp` if it has no `iat`; its id is remembered for as long.',
  },
  resourcesOfRequest: {
    value: 20,
    unit: 'items',
    per: 'request',
    meaning: 'Resources that one request asks for; beyond it 400 `invalid_target`.',
  },
  resource: {
    value: 1_024,
    unit: 'characters',
    per: 'request',
    meaning: 'The address of a resource in a request; beyond it 400 `invalid_target`.',
  },
  clientMetadata: {
    value: 8 * 1024,
    unit: 'bytes',
    per: 'client',
    meaning:
      'The metadata of a registered client, as stored; beyond it 400 `invalid_client_metadata`.',
  },
  clientDocument: {
    value: 16 * 1024,
    unit: 'bytes',
    per: 'client',
    meaning: 'A client metadata document; beyond it `invalid_client`.',
  },
  clientDocumentsAtOnce: {
    value: 32,
    unit: 'at once',
    per: 'process',
    meaning: 'Client metadata documents that are being fetched; beyond it 503.',
  },
  clientDocumentsKept: {
    value: 500,
    unit: 'stored',
    per: 'process',
    meaning: 'Client metadata documents in memory; the one stored longest ago is evicted.',
  },
  clientUsesNoted: {
    value: 10_000,
    unit: 'stored',
    per: 'process',
    meaning:
      'Clients whose last use is recorded within a minute; the last use of further clients is recorded later.',
  },
  clientsKept: {
    value: 250,
    unit: 'stored',
    per: 'process',
    meaning: 'Registered clients in memory; the one stored longest ago is evicted.',
  },
  keySetsKept: {
    value: 500,
    unit: 'stored',
    per: 'process',
    meaning: 'Key sets of clients in memory; the one stored longest ago is evicted.',
  },
  tokensKept: {
    value: 10_000,
    unit: 'stored',
    per: 'process',
    meaning: 'Verified tokens in memory; the one stored longest ago is evicted.',
  },
  failuresKept: {
    value: 10_000,
    unit: 'stored',
    per: 'process',
    meaning:
      'Callers in memory whose sign-ins failed lately; the one that failed longest ago is evicted.',
  },
} as const satisfies Limits;
