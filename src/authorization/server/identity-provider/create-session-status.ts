import type { Database } from '../../../kernel/database/database.ts';
import type { Logger } from '../../../kernel/logging/logger.ts';
import { rememberAnswers } from '../../../kernel/memory/remember-answers.ts';
import type { Clock } from '../../../kernel/time/clock.ts';
import { AuthorizationError } from '../../authorization-error.ts';
import { touchProviderSession } from '../store/identity-provider-store.ts';
import type { IdentityProviderSessions, OpenSession } from './create-identity-provider-sessions.ts';
import type { Provider } from './create-provider.ts';
import { explainFailure } from './explain-failure.ts';

export type SessionStatusOptions = {
  readonly sessions: IdentityProviderSessions;
  readonly database: Database;
  readonly provider: Provider;
  /** What people call the identity provider. */
  readonly name: string;
  /** How long an answer of the identity provider is believed: the bound of S14. */
  readonly interval: number;
  /** How long a session lasts without being used. */
  readonly idleTime: number;
  /** What becomes of tokens while the identity provider does not answer. */
  readonly outage: 'refuse' | 'honour';
  readonly clock: Clock;
  readonly logger: Logger;
};

/** Some 2 MB. A forgotten session is asked about again. */
const answersKept = 10_000;

/**
 * Returns whether the identity provider still honours the session that one of our tokens depends on (S14).
 * Its answer counts for the interval, from the time of the question, and concurrent questions share one
 * call. A session that is over is ended, and with it everything that it gave.
 *
 * Throws `temporarily_unavailable` while the identity provider does not answer and the policy is `refuse`.
 */
export function createSessionStatus(
  options: SessionStatusOptions,
): (sessionId: string) => Promise<boolean> {
  const { sessions, database, provider, name, interval, idleTime, outage, clock, logger } = options;
  const answers = rememberAnswers<boolean>({ keptFor: interval, most: answersKept, clock });

  async function ask(id: string): Promise<boolean> {
    const session = await sessions.find(id);
    if (session === undefined) return false;
    if (session.lastUsedAt + idleTime <= clock.now()) {
      await sessions.end(id);
      return false;
    }
    const isAlive = await askIdentityProvider(session);
    if (isAlive) await touchProviderSession(database, id, clock.now());
    else await sessions.end(id);
    return isAlive;
  }

  async function askIdentityProvider(session: OpenSession): Promise<boolean> {
    try {
      const current = isOver(session) ? await renewed(session.id) : session;
      return current !== undefined && (await provider.isActive(current.tokens.accessToken));
    } catch (error) {
      const { code } = explainFailure(error, name);
      logger.warn(
        { code, session: session.id },
        'the identity provider did not answer about a session',
      );
      if (outage === 'honour') return true;
      throw new AuthorizationError(
        'temporarily_unavailable',
        `${name} does not answer, so this server cannot check whether your sign-in is still valid: try again later.`,
      );
    }
  }

  const isOver = ({ expiresAt }: OpenSession) =>
    expiresAt !== undefined && expiresAt <= clock.now();

  async function renewed(id: string): Promise<OpenSession | undefined> {
    await sessions.renew(id);
    const session = await sessions.find(id);
    return session === undefined || isOver(session) ? undefined : session;
  }

  return (id) => answers.get(id, () => ask(id));
}
