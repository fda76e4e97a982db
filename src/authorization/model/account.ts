import type { Brand } from '../../kernel/model/brand.ts';
import { drawHex, type Random } from '../../kernel/model/random.ts';
import { AuthorizationError } from '../authorization-error.ts';

export type AccountId = Brand<string, 'AccountId'>;

/**
 * What a person may do here (T3). A member decides about what is their own; an admin manages the server and grants
 * scopes for admins; an owner also manages owners.
 */
export const roles = ['owner', 'admin', 'member'] as const;
export type Role = (typeof roles)[number];

/** Somebody who can sign in: by password, by wallet or through the identity provider. */
export type Account = {
  readonly id: AccountId;
  /** What people call it: `owner`, a name given by an admin, a short address, the name at the identity provider. */
  readonly name: string;
  readonly role: Role;
};

/** Whether somebody manages this server. */
export function isAdmin({ role }: Pick<Account, 'role'>): boolean {
  return role !== 'member';
}

/** A new account's id, which becomes the subject of its tokens and tells nothing of the person. */
export function newAccountId(random: Random): AccountId {
  // Besides the owner's, ids of accounts are made here alone.
  return drawHex(random, 16) as AccountId;
}

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

/** Asks the identity provider about the sessions that tokens, streams and deliveries depend on (S14, F85). */
export type SessionStatus = {
  /**
   * Whether the identity provider still honours the session of a token in use. Its answer counts for the interval, from
   * the time of the question, and concurrent questions share one call. Throws what asking throws.
   */
  isAlive(sessionId: string): Promise<boolean>;
  /**
   * Calls back once the session is no longer honoured, as `isAlive` says, or cannot be checked though it must be. The
   * returned function stops the questions.
   */
  watch(sessionId: string, onEnd: () => void): () => void;
  /**
   * Whether what a person allowed a client may still reach it: one of the sign-ins by which it was allowed was made here,
   * or is still honoured by the identity provider. While the identity provider does not answer, the policy for an outage
   * decides. A check counts as no use of the session. The sign-ins of an authority are read once in the interval.
   */
  isSignedIn(authority: {
    readonly clientId: string;
    /** Undefined where the client acts for itself. */
    readonly accountId: string | undefined;
  }): Promise<boolean>;
};
