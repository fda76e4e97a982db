import { hashSecret, isSecretOf } from '../../kernel/crypto/hash.ts';
import { AuthorizationError } from '../authorization-error.ts';
import { readBearerToken } from '../guard/challenge.ts';
import type { Guard } from '../guard/principal.ts';

/** Who may register: everyone, holders of a token, or the operator alone. */
export type RegistrationMode = 'open' | 'token' | 'off';

type RegistrarOptions = {
  readonly mode: RegistrationMode;
  readonly guard: Pick<Guard, 'check'>;
  /** The hash of the local operator's credential. */
  readonly operatorTokenHash: string;
  /** The initial access token (RFC 7591 section 3), where the operator set one. */
  readonly registrationToken: string | undefined;
};

/** Identifies the caller of the registration endpoint by its credentials. */
export type Registrars = {
  /** Whether the request carries the credential of the operator of this machine. */
  hasOperatorCredential(request: Request): boolean;
  /** Whether the request is the operator's: it carries the local credential or a token with the scope `admin`. */
  isOperator(request: Request): Promise<boolean>;
  /**
   * For whom a client is registered. Throws `invalid_token` where a token is missing or unknown, and
   * `access_denied` where registration is switched off.
   */
  check(request: Request): Promise<'operator' | 'registered'>;
};

export function createRegistrars(options: RegistrarOptions): Registrars {
  const { mode, guard, operatorTokenHash, registrationToken } = options;
  const registrationTokenHash = registrationToken && hashSecret(registrationToken);

  const hasOperatorCredential = (request: Request) => {
    const token = readBearerToken(request);
    return token !== undefined && isSecretOf(token, operatorTokenHash);
  };
  const isOperator = async (request: Request) => {
    if (!request.headers.has('authorization')) return false;
    if (hasOperatorCredential(request)) return true;
    const { principal } = await guard.check(request, { scope: ['admin'] });
    return principal !== undefined;
  };
  return {
    hasOperatorCredential,
    isOperator,
    async check(request) {
      if (await isOperator(request)) return 'operator';
      if (mode === 'off') {
        throw new AuthorizationError(
          'access_denied',
          'Clients cannot register here: ask the operator of the server for a client id.',
        );
      }
      const token = readBearerToken(request);
      const isHolder =
        token !== undefined &&
        registrationTokenHash !== undefined &&
        isSecretOf(token, registrationTokenHash);
      // A wrong credential is refused even if none is needed: its sender expects to be recognised.
      const isAnyone = mode === 'open' && !request.headers.has('authorization');
      if (isHolder || isAnyone) return 'registered';
      throw new AuthorizationError(
        'invalid_token',
        'Registering needs a token: send Authorization: Bearer with the registration token of this server, or with an access token of scope admin.',
      );
    },
  };
}
