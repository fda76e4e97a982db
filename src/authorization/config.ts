import {
  duration,
  durationUpTo,
  listOf,
  oneOf,
  text,
  textOfAtLeast,
  url,
  wholeNumber,
} from '../kernel/process/setting-kinds.ts';
import type { Settings, SettingValues } from '../kernel/process/settings.ts';

/** The settings of the authorization service. */
export const authorizationSettings = {
  ownerPassword: {
    // NIST SP 800-63B section 5.1.1.1: at least eight characters.
    kind: textOfAtLeast(8),
    meaning: "Sets the owner's password without the first-run page.",
    example: 'correct-horse-battery',
    default: undefined,
    secret: true,
  },
  registration: {
    kind: oneOf('open', 'token', 'off'),
    meaning: 'Who may register clients dynamically: everyone, holders of a token, nobody.',
    example: 'token',
    default: undefined,
    defaultInWords: '`open` while only this machine reaches the server, else `token`',
  },
  registrationToken: {
    kind: textOfAtLeast(16),
    meaning:
      'The token that a client must send to register if registration is `token`; an access token with the scope `admin` works too.',
    example: 'the output of: openssl rand -base64 32',
    default: undefined,
    secret: true,
  },
  registrationRate: {
    kind: wholeNumber(1, 1_000_000),
    meaning: 'How many clients one caller may register in a minute.',
    example: '60',
    default: '600',
  },
  registrationLifetime: {
    kind: duration,
    meaning: 'How long a client that registered itself is kept if nobody uses it.',
    example: '7d',
    default: '24h',
  },
  metadata: {
    kind: oneOf('on', 'off'),
    meaning: 'Whether the metadata of the authorization server is served.',
    example: 'off',
    default: 'on',
  },
  resources: {
    kind: listOf(url('https', 'http')),
    meaning: 'Addresses of other servers that accept tokens of this one.',
    example: 'https://context.example.com/mcp',
    default: undefined,
  },
  accessTokenLifetime: {
    kind: durationUpTo('1h'),
    meaning: 'How long an access token is valid.',
    example: '5m',
    default: '10m',
  },
  refreshTokenLifetime: {
    kind: durationUpTo('365d'),
    meaning: 'How long an unused refresh token is valid; each use gives a new one.',
    example: '7d',
    default: '30d',
  },
  sessionIdle: {
    kind: durationUpTo('30d'),
    meaning: 'How long a browser stays signed in without being used.',
    example: '1h',
    default: '24h',
  },
  sessionLifetime: {
    kind: durationUpTo('90d'),
    meaning: 'How long a browser stays signed in at most.',
    example: '12h',
    default: '7d',
  },
  signUp: {
    kind: oneOf('open', 'invited', 'idp'),
    meaning:
      'Who may become an account: `open`, every wallet and everybody whom the identity provider signs in; `idp`, everybody whom the identity provider signs in; `invited`, nobody without an invitation by an admin. People link wallets to the account that they have.',
    example: 'invited',
    default: undefined,
    defaultInWords: '`open` while only this machine reaches the server, else `invited`',
  },
  walletSignIn: {
    kind: oneOf('on', 'off'),
    meaning:
      'Whether people may sign in with a wallet. `TRADEWIND_SIGN_UP` says whether a new wallet gets an account.',
    example: 'off',
    default: 'on',
  },
  idpIssuer: {
    kind: url('https', 'http'),
    meaning: 'The issuer of an identity provider to sign in with.',
    example: 'https://login.example.com',
    default: undefined,
  },
  idpClientId: {
    kind: text,
    meaning: "This server's client id at the identity provider.",
    example: 'tradewind',
    default: undefined,
  },
  idpClientSecret: {
    kind: text,
    meaning: "This server's client secret at the identity provider.",
    example: '…',
    default: undefined,
    secret: true,
  },
  idpScopes: {
    kind: text,
    meaning:
      'The scopes requested from the identity provider, separated by spaces. Add `offline_access` if the provider issues refresh tokens only with it. Without `openid` the provider is treated as a plain OAuth server.',
    example: 'openid email offline_access',
    default: 'openid profile email',
  },
  idpName: {
    kind: text,
    meaning: 'What the sign-in page calls the identity provider.',
    example: 'Example Login',
    default: undefined,
  },
  idpStatusInterval: {
    kind: durationUpTo('60s'),
    meaning:
      'How long an answer of the identity provider about its own token is trusted. After the provider revokes that token, this server refuses its own within this time.',
    example: '10s',
    default: '30s',
  },
  idpSessionIdle: {
    kind: durationUpTo('365d'),
    meaning:
      'How long a sign-in through the identity provider lasts without use; then its grants are revoked.',
    example: '12h',
    default: '7d',
  },
  idpOutage: {
    kind: oneOf('refuse', 'honour'),
    meaning:
      'What happens to the tokens and pages of people who signed in through the identity provider while it does not answer, and to what is delivered to them: `refuse` refuses or holds it until it answers, `honour` accepts all of it unchecked.',
    example: 'honour',
    default: 'refuse',
  },
} as const satisfies Settings;

type Admission = Pick<SettingValues<typeof authorizationSettings>, 'registration' | 'signUp'>;

/** Who may register clients, and who may become an account (N22), where the operator did not say. */
export function admissionOf(
  { registration, signUp }: Admission,
  { isLoopback }: { readonly isLoopback: boolean },
) {
  return {
    registration: registration ?? (isLoopback ? 'open' : 'token'),
    signUp: signUp ?? (isLoopback ? 'open' : 'invited'),
  } as const;
}

/** Whether everybody who proves an identity of a kind becomes an account by that alone (N22). */
export function admitsEverybody(signUp: SignUp, kind: 'wallet' | 'idp'): boolean {
  return signUp === 'open' || signUp === kind;
}

/** Who may become an account. */
export type SignUp = ReturnType<typeof admissionOf>['signUp'];
