import type { Database } from '../../../kernel/database/database.ts';
import type { AuthorizationError } from '../../authorization-error.ts';
import type { Interactions } from '../authorize/create-interactions.ts';
import { findAccountByUsername } from '../store/account-store.ts';
import { accountPlace } from './browsers/place.ts';
import { clientNameOf } from './pages/consent-page.ts';
import type { FormFrame } from './pages/form-parts.ts';
import type { OtherWays } from './pages/other-ways.ts';
import { signInPage } from './pages/sign-in-page.ts';

/** The sign-in page of a place; with a refusal, what kept the person from signing in there just now. */
export type ShowSignIn = (
  frame: FormFrame & {
    username?: string | undefined;
    refusal?: AuthorizationError | undefined;
  },
) => Promise<Response>;

export function createShowSignIn(options: {
  interactions: Pick<Interactions, 'find'>;
  database: Database;
  otherWays: OtherWays;
}): ShowSignIn {
  const { interactions, database, otherWays } = options;
  return async ({ place, cookie, username, refusal }) => {
    const isAccount = place.id === accountPlace.id;
    const interaction = isAccount ? undefined : await interactions.find(place.id);
    const client = interaction?.client;
    const owner = await findAccountByUsername(database, 'owner');
    return signInPage({
      place,
      cookie,
      // A page of this server asks the person for no consent, so it is not named (K11).
      clientName: client?.isOwnPage ? undefined : client && clientNameOf(client),
      username: username ?? interaction?.loginHint,
      refusal,
      needsSetUp: owner?.passwordHash === undefined,
      otherWays,
    });
  };
}
