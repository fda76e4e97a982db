import type { Clock } from '../../../../kernel/clock.ts';
import type { Random } from '../../../../kernel/random.ts';
import { AuthorizationError, noneIfRefused } from '../../../authorization-error.ts';
import type { Grants } from '../../grants/create-grants.ts';
import { type Account, type AccountId, newAccountId } from '../../model/account.ts';
import type { AccountStore } from '../../store/account-store.ts';
import type { SessionStore } from '../../store/session-store.ts';
import type { Passwords } from './create-passwords.ts';
import { normalizeUsername, type SignInByPassword } from './sign-in-by-password.ts';

/** What the owner does with the accounts of others, and everyone with their own password. */
export type ManageAccounts = {
  /** Throws `invalid_request` for a name that is empty or taken. */
  add(account: { name: string; password: string }): Promise<void>;
  /** Signs the person out everywhere and revokes all they allowed. The owner's account stays. */
  remove(id: string): Promise<void>;
  /**
   * Signs the person out everywhere. Throws `access_denied` when the current password is another, and
   * `RATE_LIMITED` as signing in does: a session that was found open is no place to guess at it.
   */
  changePassword(account: Account, change: PasswordChange): Promise<void>;
};

export type PasswordChange = {
  readonly current: string;
  readonly chosen: string;
  /** Who tries, as rate limits know them. */
  readonly callerKey: string;
};

export function createManageAccounts(options: {
  accounts: AccountStore;
  sessions: SessionStore;
  passwords: Passwords;
  signIn: SignInByPassword;
  grants: Pick<Grants, 'revokeAccount'>;
  clock: Clock;
  random: Random;
}): ManageAccounts {
  const { accounts, sessions, passwords, signIn, grants, clock, random } = options;
  return {
    async add({ name: given, password }) {
      const name = normalizeUsername(given);
      const passwordHash = await passwords.hash(password);
      const account = { id: newAccountId(random), name, passwordHash, at: clock.now() };
      if (name !== '' && (await accounts.add(account))) return;
      throw new AuthorizationError(
        'invalid_request',
        `An account cannot be called "${name}": the name is ${name === '' ? 'empty' : 'taken'}. Choose another.`,
      );
    },
    async remove(given) {
      const id = given as AccountId; // one that no account has removes nothing
      await grants.revokeAccount(id, (tx) => accounts.remove(tx, id));
    },
    async changePassword(account, { current, chosen, callerKey }) {
      const attempt = { username: account.name, password: current, callerKey };
      const proven = await signIn(attempt).catch(noneIfRefused);
      if (proven?.id !== account.id) {
        throw new AuthorizationError(
          'access_denied',
          'The current password is another one: the password was not changed.',
        );
      }
      await accounts.setPassword(account.id, await passwords.hash(chosen));
      await sessions.endAll(account.id);
    },
  };
}
