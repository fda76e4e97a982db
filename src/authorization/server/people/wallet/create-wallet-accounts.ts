import type { Database } from '../../../../kernel/database/database.ts';
import { rememberAnswer } from '../../../../kernel/memory/remember-answers.ts';
import type { Random } from '../../../../kernel/random/random.ts';
import type { Clock } from '../../../../kernel/time/clock.ts';
import { AuthorizationError } from '../../../authorization-error.ts';
import { authorizationLimits } from '../../../limits.ts';
import { type Account, newAccountId } from '../../model/account.ts';
import { countIdentities, ensureAccount, findByIdentity } from '../../store/account-store.ts';
import { walletIssuer } from './wallet-issuer.ts';

/** The account of the wallet at an address, made at the first call. Throws `access_denied` beyond the bound. */
export type EnsureWalletAccount = (address: string) => Promise<Account>;

const most = authorizationLimits.walletAccounts.value;
/** Accounts are counted at most once in this many milliseconds, as anybody may make a wallet and sign in. */
const countLasts = 60_000;

/** A count is used for a minute, so accounts made within it can exceed the bound a little (N5). */
export function createWalletAccounts(options: {
  readonly database: Database;
  readonly clock: Clock;
  readonly random: Random;
}): EnsureWalletAccount {
  const { database, clock, random } = options;
  const counted = rememberAnswer({
    keptFor: countLasts,
    clock,
    ask: () => countIdentities(database, walletIssuer),
  });

  return async (address) => {
    const identity = { issuer: walletIssuer, subject: address.toLowerCase() };
    const isFull = (await counted.get()) >= most;
    if (isFull && (await findByIdentity(database, identity)) === undefined) throw tooMany();
    return ensureAccount(database, {
      ...identity,
      id: newAccountId(random),
      name: `${address.slice(0, 6)}…${address.slice(-4)}`,
      at: clock.now(),
    });
  };
}

function tooMany(): AuthorizationError {
  return new AuthorizationError(
    'access_denied',
    `${most} wallets have an account here, which is the limit: sign in with one of these or in another way, or ask the operator of the server to remove unused accounts.`,
  );
}
