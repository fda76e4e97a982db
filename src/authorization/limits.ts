import type { Limits } from '../kernel/limits/limit.ts';
import { authorizationSettings } from './config.ts';

/** What clients and people meet at the authorization server. */
export const authorizationLimits = {
  registrations: {
    value: Number(authorizationSettings.registrationRate.default),
    unit: 'a minute',
    per: 'caller',
    meaning: 'Clients that one caller registers; beyond it 429.',
    setting: 'TRADEWIND_REGISTRATION_RATE',
  },
  clientsOfCaller: {
    value: 1_000,
    unit: 'stored',
    per: 'caller',
    meaning: 'Clients that one caller registered and nobody has used yet; the oldest give way.',
  },
  clients: {
    value: 100_000,
    unit: 'stored',
    per: 'server',
    meaning:
      'Clients that registered themselves and that no person agreed to; the oldest give way within a minute.',
  },
  authorizationRequests: {
    value: 600,
    unit: 'a minute',
    per: 'caller',
    meaning: 'Requests for consent, pushed and from devices too; beyond it 429.',
  },
  clientFailures: {
    value: 60,
    unit: 'a minute',
    per: 'caller',
    meaning: 'Requests with wrong client credentials; beyond it 429.',
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
      'Wrong device codes, wallet challenges and sign-ins begun elsewhere, each; beyond it 429.',
  },
  passwordsAtOnce: {
    value: 2,
    unit: 'at once',
    per: 'process',
    meaning: 'Passwords that are hashed; others wait.',
  },
  passwordsWaiting: {
    value: 64,
    unit: 'items',
    per: 'process',
    meaning: 'Passwords that wait for it; beyond it 503.',
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
    meaning: 'An authorization request, pushed ones too, as it is stored; beyond it 400.',
  },
  interactionsOfCaller: {
    value: 1_000,
    unit: 'stored',
    per: 'caller',
    meaning: 'Requests of one caller that wait for a person; the oldest give way.',
  },
  interactions: {
    value: 20_000,
    unit: 'stored',
    per: 'server',
    meaning: 'Requests of all callers that wait for a person; the oldest give way within a minute.',
  },
  interactionLife: {
    value: 3_600_000,
    unit: 'milliseconds',
    per: 'request',
    meaning: 'How long a request waits for a person before it is forgotten.',
  },
  inviteLife: {
    value: 7 * 24 * 3_600_000,
    unit: 'milliseconds',
    per: 'account',
    meaning: 'How long an invite link works; then another is made.',
  },
  resetLife: {
    value: 24 * 3_600_000,
    unit: 'milliseconds',
    per: 'account',
    meaning: 'How long a link works by which somebody chooses a new password.',
  },
  resources: {
    value: 100,
    unit: 'stored',
    per: 'server',
    meaning: 'Servers of one’s own that tokens may be for; beyond it 429.',
  },
  scopesOfResource: {
    value: 50,
    unit: 'items',
    per: 'request',
    meaning: 'Scopes of one such server; beyond it 400.',
  },
  managementRequests: {
    value: 600,
    unit: 'a minute',
    per: 'caller',
    meaning: 'Requests for people, sessions, grants, resources and keys; beyond it 429.',
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
    meaning: 'Client metadata documents that are fetched; beyond it 503.',
  },
  clientDocumentsKept: {
    value: 500,
    unit: 'stored',
    per: 'process',
    meaning: 'Client metadata documents in memory; the one unused for longest gives way.',
  },
  clientUsesNoted: {
    value: 10_000,
    unit: 'stored',
    per: 'process',
    meaning: 'Clients whose last use is noted in a minute; of further ones it is noted later.',
  },
  clientsKept: {
    value: 250,
    unit: 'stored',
    per: 'process',
    meaning: 'Registered clients in memory; the one unused for longest gives way.',
  },
  keySetsKept: {
    value: 500,
    unit: 'stored',
    per: 'process',
    meaning: 'Key sets of clients in memory; the one unused for longest gives way.',
  },
  tokensKept: {
    value: 10_000,
    unit: 'stored',
    per: 'process',
    meaning: 'Verified tokens in memory; the one unused for longest gives way.',
  },
  failuresKept: {
    value: 10_000,
    unit: 'stored',
    per: 'process',
    meaning: 'Callers in memory who must wait; the one unused for longest gives way.',
  },
} as const satisfies Limits;
