import { AuthorizationError } from '../../../authorization-error.ts';
import type { Form } from '../../../protocol/read-form.ts';

/** A SHA-256 in base64url, which is what S256 makes (RFC 7636 section 4.2). */
const s256Challenge = /^[\w-]{43}$/;

/**
 * The code challenge, which every client must send and only as S256 (S8). An absent method means
 * `plain` (RFC 7636 section 4.3) and is refused as that. Throws `invalid_request`.
 */
export function checkPkce(form: Form): string {
  const challenge = form.get('code_challenge');
  if (challenge === undefined) {
    throw invalidChallenge('The code_challenge is missing: every client must use PKCE here.');
  }
  if (form.get('code_challenge_method') !== 'S256') {
    throw invalidChallenge(
      'The code_challenge_method must be S256: plain, the default of RFC 7636, is not accepted.',
    );
  }
  if (!s256Challenge.test(challenge)) {
    throw invalidChallenge(
      'The code_challenge must be the SHA-256 of the verifier in 43 base64url characters.',
    );
  }
  return challenge;
}

function invalidChallenge(message: string): AuthorizationError {
  return new AuthorizationError('invalid_request', message);
}
