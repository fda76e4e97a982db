import type { Database } from '../../../../kernel/database/database.ts';
import { AuthorizationError } from '../../../authorization-error.ts';
import type { Account } from '../../model/account.ts';
import { setPassword } from '../../store/password-store.ts';
import type { Passwords } from './create-passwords.ts';
import type { SignInByPassword } from './sign-in-by-password.ts';

/**
 * Changes the password of somebody who is signed in, and signs them out everywhere. Throws
 * `access_denied` if the current password is wrong, and `RATE_LIMITED` as signing in does, so that
 * nobody can guess it in a session that was left open.
 */
export type ChangePassword = (account: Account, change: PasswordChange) => Promise<void>;

export type PasswordChange = {
  readonly current: string;
  readonly chosen: string;
  /** Who tries, as rate limits know them. */
  readonly callerKey: string;
};

export function changePassword(options: {
  database: Database;
  passwords: Passwords;
  signIn: SignInByPassword;
}): ChangePassword {
  const { database, passwords, signIn } = options;
  return async (account, { current, chosen, callerKey }) => {
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
    await database.transaction((tx) => setPassword(tx, { id: account.id, passwordHash }));
  };
}
