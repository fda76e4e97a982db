import type { Database } from '../../../kernel/database/database.ts';
import type { Random } from '../../../kernel/model/random.ts';
import { parseUrl } from '../../../kernel/text/url.ts';
import type { Clock } from '../../../kernel/wait/clock.ts';
import { rememberAnswer } from '../../../kernel/wait/remembered.ts';
import { AuthorizationError } from '../../authorization-error.ts';
import { admitsEverybody, type SignUp } from '../../config.ts';
import type { Grants } from '../../grants/grants.ts';
import { authorizationLimits } from '../../limits.ts';
import {
  type Account,
  type AccountId,
  type AccountOf,
  type Claim,
  type Identity,
  newAccountId,
  type SessionClaim,
  sessionIsOver,
} from '../../model/account.ts';
import {
  canSignIn,
  countIdentities,
  ensureAccount,
  findAccountByUsername,
  findByIdentity,
  holdAccount,
  insertIdentity,
  listIdentities,
  removeIdentity,
  renameAccount,
} from '../../store/account-store.ts';
import { takeLink } from '../../store/password-store.ts';
import { endSessionsOf, holdSession } from '../../store/session-store.ts';
import { endAllowed } from './end-allowed.ts';
import { normalizeUsername } from './sign-in-by-password.ts';

/**
 * Who becomes an account, and what leads to it besides a password (N22). Apart from the first owner and the people
 * that an admin adds, accounts are made here alone.
 */
export type Admission = {
  /** Also throws `access_denied` where too many wallets have an account, or too much leads to the claimed one. */
  readonly accountOf: AccountOf;
  list(id: AccountId): Promise<readonly Identity[]>;
  /**
   * The identity leads to the account no more, its person is signed out everywhere, and what they allowed is
   * revoked, since it is not known in which session (F86). Throws `invalid_request` where
   * the person could not sign in again, and `access_denied` if the session in which they ask has ended.
   */
  unlink(identity: Identity, by: SessionClaim): Promise<void>;
};

const mostWallets = authorizationLimits.walletAccounts.value;
const mostOfAccount = authorizationLimits.identitiesOfAccount.value;
/** Accounts are counted at most once in this many milliseconds, as anybody may make a wallet and sign in. */
const countLasts = 60_000;

/** A count is used for a minute, so accounts made within it can exceed the bound a little (N5). */
export function createAdmission(options: {
  readonly database: Database;
  readonly signUp: SignUp;
  readonly grants: Pick<Grants, 'transaction'>;
  readonly clock: Clock;
  readonly random: Random;
}): Admission {
  const { database, signUp, grants, clock, random } = options;
  const wallets = rememberAnswer({
    keptFor: countLasts,
    clock,
    ask: () => countIdentities(database, walletIssuer),
  });

  async function find({ name: given, ...identity }: Parameters<AccountOf>[0]): Promise<Account> {
    const isWallet = identity.issuer === walletIssuer;
    const name = isWallet ? given : await unlikeOurs(given, identity);
    const known = await findByIdentity(database, identity);
    if (known !== undefined) {
      if (!isWallet && known.name !== name) await renameAccount(database, { id: known.id, name });
      return known;
    }
    if (!admitsEverybody(signUp, isWallet ? 'wallet' : 'idp'))
      throw notInvited(isWallet ? `the wallet ${name}` : `you at ${hostOf(identity)}`);
    if (isWallet && (await wallets.get()) >= mostWallets) throw tooManyWallets();
    const id = newAccountId(random);
    return ensureAccount(database, { ...identity, id, name, at: clock.now() });
  }

  /** A name elsewhere, with the place where it is like the name by which another person signs in here (F55). */
  async function unlikeOurs(name: string, identity: Identity): Promise<string> {
    const ours = await findAccountByUsername(database, normalizeUsername(name));
    return ours === undefined ? name : `${name} (${hostOf(identity)})`;
  }

  function link(identity: Identity, claim: Claim): Promise<Account> {
    const now = clock.now();
    return database.transaction(async (tx) => {
      const isInvitation = 'invitation' in claim;
      const id = isInvitation
        ? await takeLink(tx, { secretHash: claim.invitation, purpose: 'invite', now })
        : claim.accountId;
      const account = id && (await holdAccount(tx, id));
      if (!isInvitation && !(await holdSession(tx, claim))) throw sessionIsOver('linked');
      if (account === undefined) throw linkIsOver();
      const held = await listIdentities(tx, account.id);
      if (held.some((one) => one.issuer === identity.issuer && one.subject === identity.subject)) {
        return account;
      }
      if (held.length >= mostOfAccount) throw tooManyIdentities();
      if (!(await insertIdentity(tx, identity, account.id))) throw leadsElsewhere(identity);
      return account;
    });
  }

  return {
    accountOf: ({ name, ...identity }, claim) =>
      claim === undefined ? find({ name, ...identity }) : link(identity, claim),
    list: (id) => listIdentities(database, id),
    unlink: (identity, by) =>
      grants.transaction(async (tx, revoke) => {
        const { accountId: id } = by;
        await holdAccount(tx, id);
        if (!(await holdSession(tx, by))) throw sessionIsOver('unlinked');
        if (!(await removeIdentity(tx, identity, id))) return;
        if (!(await canSignIn(tx, id))) throw lastWay(identity);
        await endSessionsOf(tx, id);
        await endAllowed({ tx, revoke }, { accountId: id, now: clock.now() });
      }),
  };
}

/** The identity of the wallet at an address, with the name of an account that is its own. */
export function identityOfWallet(address: string): Parameters<AccountOf>[0] {
  const name = `${address.slice(0, 6)}…${address.slice(-4)}`;
  return { issuer: walletIssuer, subject: address.toLowerCase(), name };
}

export function linkIsOver(): AuthorizationError {
  return new AuthorizationError(
    'access_denied',
    'This link does not work: it was copied incompletely or used already, a newer one was made, the password or the role was changed since, or it is too old. Copy the whole link, or ask the person who sent it for a new one.',
  );
}

function hostOf({ issuer }: Identity): string {
  return parseUrl(issuer)?.host ?? issuer;
}

function notInvited(who: string): AuthorizationError {
  return new AuthorizationError(
    'access_denied',
    `No account here belongs to ${who}, and a new account needs an invitation: ask an admin of this server for one. If you have an account, sign in as before, and link this way to sign in on your account page.`,
  );
}

function tooManyWallets(): AuthorizationError {
  return new AuthorizationError(
    'access_denied',
    `${mostWallets} wallets have an account here, which is the limit: sign in with one of these or in another way, or ask the operator of the server to remove unused accounts.`,
  );
}

function tooManyIdentities(): AuthorizationError {
  return new AuthorizationError(
    'access_denied',
    `${mostOfAccount} wallets and other sign-ins lead to this account, which is the limit: unlink one on your account page first.`,
  );
}

function leadsElsewhere({ issuer }: Identity): AuthorizationError {
  const what = issuer === walletIssuer ? 'This wallet' : 'This sign-in';
  return new AuthorizationError(
    'access_denied',
    `${what} leads to another account here, so it was not linked. Sign in with it, or have an admin remove that account first.`,
  );
}

function lastWay({ issuer }: Identity): AuthorizationError {
  const what = issuer === walletIssuer ? 'This wallet' : 'This account';
  return new AuthorizationError(
    'invalid_request',
    `${what} is your only way to sign in, so it stays linked: link another one first.`,
  );
}

/** The issuer of identities that are wallet addresses: the namespace of CAIP-2. */
export const walletIssuer = 'eip155';
