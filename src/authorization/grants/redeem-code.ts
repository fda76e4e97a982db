import { timingSafeEqual } from 'node:crypto';
import { hashSecret } from '../../kernel/crypto/hash.ts';
import type { Database } from '../../kernel/database/database.ts';
import type { Clock } from '../../kernel/wait/clock.ts';
import { callerHasLeft, onBehalfOfAll } from '../../kernel/wait/presence.ts';
import { AuthorizationError } from '../authorization-error.ts';
import { codeChallengeOf } from '../protocol/pkce.ts';
import { findCode, type StoredCode, spendCode } from '../store/code-store.ts';
import type { Grants } from './grants.ts';
import type { TokenIssuer } from './token-issuer.ts';
import type { GrantHandler, TokenRequest } from './token-request.ts';

type RedeemCodeOptions = {
  readonly database: Database;
  readonly tokenIssuer: TokenIssuer;
  readonly grants: Pick<Grants, 'revoke'>;
  readonly clock: Clock;
};

/**
 * `authorization_code`: exchanges a code for tokens, once and within its minute (R1), for the client that asked, at
 * the redirect URI that it named, and only with the verifier of its challenge (S8). A code that is redeemed twice
 * counts as stolen and revokes its grant, unless the caller has disconnected: this may be the first of two tries, of
 * which the second was answered. An invalid request does not spend the code.
 */
export function redeemCode(options: RedeemCodeOptions): GrantHandler {
  const { database, tokenIssuer, grants, clock } = options;

  return async (request) => {
    const { form, client } = request;
    const hash = hashSecret(form.require('code'));
    const code = await findCode(database, hash);
    if (code === undefined || code.grant.clientId !== client.clientId) throw unknownCode();
    if (code.isSpent) return refuseReplay(code);
    if (code.expiresAt <= clock.now()) throw unknownCode();
    checkBinding(code, request);
    const content = tokenIssuer.narrow(request, code.grant);

    const redeemed = await database.transaction(async (tx) => {
      if (!(await spendCode(tx, hash, clock.now()))) return undefined;
      return { refreshToken: await tokenIssuer.begin(tx, request, code.grant) };
    });
    if (redeemed === undefined) return refuseReplay(code);
    return tokenIssuer.answer({ request, grant: code.grant, content, ...redeemed });
  };

  async function refuseReplay({ grant }: StoredCode): Promise<never> {
    if (callerHasLeft()()) throw unknownCode();
    // Continues even if the caller disconnects now.
    await onBehalfOfAll(() => grants.revoke(grant.id, { isStolen: true }));
    throw new AuthorizationError(
      'invalid_grant',
      'This code was used before, so its grant is revoked: ask the person again.',
    );
  }
}

/** Checks everything that only the client that asked can present. */
function checkBinding({ binding }: StoredCode, { form, dpopThumbprint }: TokenRequest): void {
  const redirectUri = form.get('redirect_uri');
  // OAuth 2.1 section 4.1.3 no longer asks for it; where it is sent it must be right.
  if (redirectUri !== undefined && redirectUri !== binding.redirectUri) {
    throw new AuthorizationError(
      'invalid_grant',
      'The redirect_uri differs from that of the authorization request: send the same one.',
    );
  }
  if (!isVerifierOf(form.get('code_verifier'), binding.codeChallenge)) {
    throw new AuthorizationError(
      'invalid_grant',
      'The code_verifier does not belong to the code_challenge of the authorization request: send the 43 to 128 characters that the challenge was made from.',
    );
  }
  if (binding.dpopThumbprint !== undefined && binding.dpopThumbprint !== dpopThumbprint) {
    throw new AuthorizationError(
      'invalid_grant',
      'The code is bound to another key (dpop_jkt): send a DPoP proof by that key.',
    );
  }
}

/** RFC 7636 section 4.1. An empty challenge has no verifier at all (A9). */
const verifierForm = /^[\w.~-]{43,128}$/;

function isVerifierOf(verifier: string | undefined, challenge: string): boolean {
  if (verifier === undefined || !verifierForm.test(verifier)) return false;
  const [given, stored] = [Buffer.from(codeChallengeOf(verifier)), Buffer.from(challenge)];
  return given.length === stored.length && timingSafeEqual(given, stored);
}

function unknownCode(): AuthorizationError {
  return new AuthorizationError(
    'invalid_grant',
    'This code is unknown, expired or not for this client: ask the person again.',
  );
}
