import type { Settings } from '../kernel/config/setting.ts';
import { oneOf, text, textOfAtLeast, url } from '../kernel/config/setting-kinds.ts';

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
    defaultInWords: '`open` while the server listens on loopback, else `token`',
  },
  idpIssuer: {
    kind: url('https', 'http'),
    meaning: 'The issuer of a third-party authorization server to sign in with.',
    example: 'https://login.example.com',
    default: undefined,
  },
  idpClientId: {
    kind: text,
    meaning: "This server's client id at the third party.",
    example: 'tradewind',
    default: undefined,
  },
  idpClientSecret: {
    kind: text,
    meaning: "This server's client secret at the third party.",
    example: '…',
    default: undefined,
    secret: true,
  },
  idpScopes: {
    kind: text,
    meaning: 'The scopes asked of the third party, separated by spaces.',
    example: 'openid email',
    default: undefined,
  },
  idpName: {
    kind: text,
    meaning: 'What the sign-in page calls the third party.',
    example: 'Example Login',
    default: undefined,
  },
} as const satisfies Settings;
