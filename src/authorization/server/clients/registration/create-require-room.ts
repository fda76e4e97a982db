import type { Database } from '../../../../kernel/database/database.ts';
import { rememberAnswer } from '../../../../kernel/memory/remember-answers.ts';
import type { Clock } from '../../../../kernel/time/clock.ts';
import { AuthorizationError } from '../../../authorization-error.ts';
import { authorizationLimits } from '../../../limits.ts';
import { countRegisteredClients } from '../../store/client-store.ts';

/** Clients are counted at most once in this many milliseconds, since counting a million takes a while. */
const countLasts = 60_000;

/**
 * Throws `temporarily_unavailable` if the bound on self-registered clients, used or not, is reached (N5). A count is
 * used for a minute, so registrations within it can exceed the bound a little.
 */
export function createRequireRoom(options: {
  readonly database: Database;
  readonly clock: Clock;
  readonly mostRegistered?: number;
}): () => Promise<void> {
  const { database, clock } = options;
  const { mostRegistered: most = authorizationLimits.registeredClients.value } = options;
  const counted = rememberAnswer({
    keptFor: countLasts,
    clock,
    ask: () => countRegisteredClients(database),
  });
  return async () => {
    if ((await counted.get()) < most) return;
    throw new AuthorizationError(
      'temporarily_unavailable',
      `${most} clients have registered themselves here, which is the limit: ask the operator of the server to make a client for you, or to remove unused ones.`,
    );
  };
}
