import type { Account, AccountId } from './account.ts';

/** Somebody known elsewhere: at an identity provider by its issuer, or by the address of a wallet. */
export type Identity = { readonly issuer: string; readonly subject: string };

/**
 * Why an identity shall lead to an account that exists: an invitation, by the hash of its secret, or the page on which
 * the person of the account asked for it.
 */
export type Claim = { readonly invitation: string } | { readonly accountId: AccountId };

/**
 * The account that an identity leads to, which somebody proved just now. With a claim it leads to the claimed account
 * from now on. Throws `access_denied` if it leads to none and nobody asked its person in (N22).
 */
export type AccountOf = (
  identity: Identity & { readonly name: string },
  claim?: Claim,
) => Promise<Account>;
