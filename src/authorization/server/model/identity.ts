import { AuthorizationError } from '../../authorization-error.ts';
import type { Account, AccountId } from './account.ts';

/** Somebody known elsewhere: at an identity provider by its issuer, or by the address of a wallet. */
export type Identity = { readonly issuer: string; readonly subject: string };

/**
 * Why an identity shall lead to an account that exists: an invitation, by the hash of its secret, or the session in
 * which the person of the account asked for it, and with which the claim ends (F48).
 */
export type Claim = { readonly invitation: string } | SessionClaim;
export type SessionClaim = { readonly accountId: AccountId; readonly sessionId: string };

/**
 * The account that an identity leads to, which somebody proved just now. With a claim it leads to the claimed account
 * from now on. Throws `access_denied` if it leads to none and nobody asked its person in (N22).
 */
export type AccountOf = (
  identity: Identity & { readonly name: string },
  claim?: Claim,
) => Promise<Account>;

/** The refusal of what was begun in a session that has ended since, or that is another person's by now (F48). */
export function sessionIsOver(what: 'linked' | 'unlinked' | 'allowed'): AuthorizationError {
  return new AuthorizationError(
    'access_denied',
    `You are no longer signed in here, so nothing was ${what}: sign in and try again.`,
  );
}
