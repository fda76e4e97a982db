import type { Database } from '../../../kernel/database/database.ts';
import { normalizeText } from '../../../kernel/text/text.ts';
import type { Clock } from '../../../kernel/wait/clock.ts';
import { createKeyedQueue } from '../../../kernel/wait/queue.ts';
import { AuthorizationError } from '../../authorization-error.ts';
import type { Grants } from '../../grants/grants.ts';
import type { Account } from '../../model/account.ts';
import { findAccountByUsername } from '../../store/account-store.ts';
import { setPassword } from '../../store/password-store.ts';
import { endAllowed } from './end-allowed.ts';
import type { FailureLimit } from './failure-limit.ts';
import { type Passwords, passwordLength } from './passwords.ts';

type PasswordAttempt = {
  readonly username: string | undefined;
  readonly password: string | undefined;
  /** Who tries, as rate limits know them. */
  readonly callerKey: string;
};

export type SignInByPassword = (attempt: PasswordAttempt) => Promise<Account>;

/**
 * The account of a name and its password. Failures are limited by name and caller together, so that a
 * stranger's guesses never keep the owner out, and by caller over all names. Callers who failed lately
 * wait behind all others, so that many of them keep nobody from signing in (F9).
 *
 * Throws `access_denied`, in the same words and after the same work whether the name or the password
 * is wrong, `RATE_LIMITED` after too many failures, and `temporarily_unavailable` when too many wait.
 */
export function signInByPassword(options: {
  database: Database;
  passwords: Passwords;
  byName: FailureLimit;
  byCaller: FailureLimit;
  /** Called for each wrong password. */
  onRefused?: () => void;
}): SignInByPassword {
  const { database, passwords, byName, byCaller, onRefused = () => {} } = options;
  // Concurrent guesses would all be let through before the first one counts as a failure.
  const attempts = createKeyedQueue();

  return ({ username = '', password = '', callerKey }) => {
    const name = normalizeUsername(username);
    const nameKey = `${callerKey} ${name}`;
    return attempts.pass(callerKey, async () => {
      byCaller.check(callerKey);
      byName.check(nameKey);
      const { passwordHash, ...account } = (await findAccountByUsername(database, name)) ?? nobody;
      if (name === 'owner' && account.id !== nobody.id && passwordHash === undefined) {
        throw new AuthorizationError(
          'access_denied',
          'The owner has no password yet: open the set-up link that the server printed when it started, and choose one there. A restart prints a new link.',
        );
      }
      const isLong = password.length > passwordLength.most;
      if (!isLong && (await verify(password, passwordHash, callerKey))) return account;
      onRefused();
      await Promise.all([byName.fail(nameKey), byCaller.fail(callerKey)]);
      throw new AuthorizationError(
        'access_denied',
        'There is no account with this name and password: check both and try again.',
      );
    });
  };

  async function verify(
    password: string,
    hash: string | undefined,
    callerKey: string,
  ): Promise<boolean> {
    if (!byCaller.hasFailed(callerKey)) return passwords.verify(password, hash);
    try {
      return await passwords.verify(password, hash, 'afterFailure');
    } catch (error) {
      // A caller that failed before and keeps trying while the line is full must wait longer.
      if (error instanceof AuthorizationError) await byCaller.fail(callerKey);
      throw error;
    }
  }
}

const nobody = {
  id: '' as Account['id'],
  name: '',
  role: 'member',
  passwordHash: undefined,
} as const; // never let in: it has no password

const longestName = 80;

/** Names that differ only in letter case or in the Unicode spelling of a letter are the same. */
export function normalizeUsername(username: string): string {
  return normalizeText(username.trimStart(), 'NFKC', longestName).trim().toLowerCase();
}

/**
 * Changes the password of somebody who is signed in, signs them out everywhere, and revokes what they allowed unless they
 * keep it (F86). Throws
 * `access_denied` if the current password is wrong, and `RATE_LIMITED` as signing in does, so that
 * nobody can guess it in a session that was left open.
 */
export type ChangePassword = (account: Account, change: PasswordChange) => Promise<void>;

type PasswordChange = {
  readonly current: string;
  readonly chosen: string;
  /** Whether what the person allowed goes on. */
  readonly keepsAllowed: boolean;
  /** Who tries, as rate limits know them. */
  readonly callerKey: string;
};

export function changePassword(options: {
  passwords: Passwords;
  signIn: SignInByPassword;
  grants: Pick<Grants, 'transaction'>;
  clock: Pick<Clock, 'now'>;
}): ChangePassword {
  const { passwords, signIn, grants, clock } = options;
  return async (account, { current, chosen, keepsAllowed, callerKey }) => {
    const attempt = { username: account.name, password: current, callerKey };
    const proven = await signIn(attempt).catch((error: unknown) => {
      if (error instanceof AuthorizationError && error.code === 'access_denied') return undefined;
      throw error;
    });
    if (proven?.id !== account.id) {
      throw new AuthorizationError(
        'access_denied',
        'The current password is wrong: the password was not changed.',
      );
    }
    const passwordHash = await passwords.hash(chosen);
    const accountId = account.id;
    await grants.transaction(async (tx, revoke) => {
      await setPassword(tx, { id: accountId, passwordHash });
      if (!keepsAllowed) await endAllowed({ tx, revoke }, { accountId, now: clock.now() });
    });
  };
}
