import type { Database } from '../../../kernel/database/database.ts';
import type { Logger } from '../../../kernel/telemetry/logger.ts';
import type { Clock } from '../../../kernel/wait/clock.ts';
import { rememberAnswers } from '../../../kernel/wait/remembered.ts';
import { AuthorizationError } from '../../authorization-error.ts';
import type { SessionStatus } from '../../model/account.ts';
import { listSignIns } from '../../store/grant-store.ts';
import { touchProviderSession } from '../../store/identity-provider-store.ts';
import { explainFailure } from './explain-failure.ts';
import type { Provider } from './provider.ts';
import type { IdentityProviderSessions, OpenSession } from './sessions.ts';

type SessionStatusOptions = {
  readonly database: Database;
  /** Whether a session goes on, by what the identity provider says now. */
  readonly ask: (sessionId: string) => Promise<boolean>;
  /** How long an answer is believed: the bound of S14. */
  readonly interval: number;
  readonly clock: Clock;
};

/** What the identity provider said of a session, and until when that is believed, on the monotonic clock. */
type Answer = { readonly isAlive: boolean; readonly until: number };

/** Some 2 MB. A forgotten session is asked about again. */
const answersKept = 10_000;

export function createSessionStatus(options: SessionStatusOptions): SessionStatus {
  const { database, ask, interval, clock } = options;
  const remembered = { keptFor: interval, most: answersKept, clock };
  const answers = rememberAnswers<Answer>(remembered);
  const uses = rememberAnswers<void>(remembered);
  const signIns = rememberAnswers<Awaited<ReturnType<typeof listSignIns>>>(remembered);

  function answerOf(id: string): Promise<Answer> {
    return answers.get(id, async () => {
      const until = clock.elapsed() + interval;
      return { isAlive: await ask(id), until };
    });
  }

  async function lasts(id: string, signal: AbortSignal): Promise<boolean> {
    for (;;) {
      const { isAlive, until } = await answerOf(id);
      if (!isAlive || signal.aborted) return isAlive;
      await clock.sleep(until - clock.elapsed(), signal);
    }
  }

  async function isHonoured(id: string): Promise<boolean> {
    try {
      return (await answerOf(id)).isAlive;
    } catch (error) {
      if (error instanceof AuthorizationError) return false;
      throw error;
    }
  }

  return {
    async isAlive(id) {
      const { isAlive } = await answerOf(id);
      if (isAlive) await uses.get(id, () => touchProviderSession(database, id, clock.now()));
      return isAlive;
    },
    watch(id, onEnd) {
      const watching = new AbortController();
      const { signal } = watching;
      void lasts(id, signal)
        .catch(() => false)
        .then((isAlive) => {
          if (!isAlive && !signal.aborted) onEnd();
        });
      return () => watching.abort();
    },
    async isSignedIn({ clientId, accountId }) {
      if (accountId === undefined) return true;
      const allowedIn = await signIns.get(`${accountId} ${clientId}`, () =>
        listSignIns(database, { clientId, accountId }),
      );
      for (const id of allowedIn) if (id === undefined || (await isHonoured(id))) return true;
      // Where nothing is left that was allowed, whoever withdrew it has told the events of it.
      return allowedIn.length === 0;
    },
  };
}

type ProviderQuestion = {
  readonly sessions: IdentityProviderSessions;
  readonly provider: Provider;
  /** What people call the identity provider. */
  readonly name: string;
  /** How long a session lasts without being used. */
  readonly idleTime: number;
  /** What becomes of tokens while the identity provider does not answer. */
  readonly outage: 'refuse' | 'honour';
  readonly clock: Clock;
  readonly logger: Logger;
};

/**
 * Whether the identity provider honours the session now. Ends one that is over, and with it everything that it gave.
 * Throws `temporarily_unavailable` while the identity provider does not answer and the policy is `refuse`.
 */
export async function askIdentityProvider(
  { sessions, provider, name, idleTime, outage, clock, logger }: ProviderQuestion,
  id: string,
): Promise<boolean> {
  const session = await sessions.find(id);
  if (session === undefined) return false;
  const isIdle = session.lastUsedAt + idleTime <= clock.now();
  const isAlive = !isIdle && (await isHonoured(session));
  if (!isAlive) await sessions.end(id);
  return isAlive;

  async function isHonoured(asked: OpenSession): Promise<boolean> {
    try {
      const current = isOver(asked) ? await renewed() : asked;
      return current !== undefined && (await provider.isActive(current.tokens.accessToken));
    } catch (error) {
      const { code } = explainFailure(error, name);
      logger.warn({ code, session: id }, 'the identity provider did not answer about a session');
      if (outage === 'honour') return true;
      throw new AuthorizationError(
        'temporarily_unavailable',
        `${name} does not answer, so this server cannot check whether your sign-in is still valid: try again later.`,
      );
    }
  }

  function isOver({ expiresAt }: OpenSession): boolean {
    return expiresAt !== undefined && expiresAt <= clock.now();
  }

  async function renewed(): Promise<OpenSession | undefined> {
    await sessions.renew(id);
    const found = await sessions.find(id);
    return found === undefined || isOver(found) ? undefined : found;
  }
}
