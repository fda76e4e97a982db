import type { Sealer } from '../../../kernel/crypto/sealer.ts';
import type { Database, Transaction } from '../../../kernel/database/database.ts';
import { drawHex, type Random } from '../../../kernel/model/random.ts';
import type { Clock } from '../../../kernel/wait/clock.ts';
import { cancelWork, scheduleWork } from '../../../kernel/work/work.ts';
import type { Grants } from '../../grants/grants.ts';
import type { AccountId } from '../../model/account.ts';
import {
  addProviderSession,
  claimRenewal,
  findProviderSession,
  type IdentityProviderSession,
  listIdleProviderSessions,
  releaseRenewal,
  removeOldestProviderSessions,
  removeProviderSession,
  saveProviderTokens,
} from '../../store/identity-provider-store.ts';
import type { IdentityProviderTokens, Provider } from './provider.ts';

/** A session with its tokens in the clear, for as long as a call to the identity provider takes. */
export type OpenSession = IdentityProviderSession & { readonly tokens: IdentityProviderTokens };

/** The sessions that people have at the identity provider, each with the tokens it gave us for them (S14). */
export type IdentityProviderSessions = {
  /**
   * Stores the sealed tokens of a person who signed in, and schedules their renewal. The sessions of one account are
   * bounded: it ends the least recently used ones that no grant depends on, a few each time (N5).
   */
  begin(accountId: AccountId, tokens: IdentityProviderTokens): Promise<string>;
  find(id: string): Promise<OpenSession | undefined>;
  /**
   * Gets new tokens for a session. Of several processes one does so, and the others wait for it. Ends the session if
   * the identity provider refuses or there is no refresh token. Throws what the provider throws.
   */
  renew(id: string, signal?: AbortSignal): Promise<void>;
  /** Ends a session: every grant made by it is revoked and the browsers in it are signed out. */
  end(id: string): Promise<void>;
  /** Ends at most `limit` sessions that were last used before a moment, and returns how many. */
  endIdle(idle: { readonly before: number; readonly limit: number }): Promise<number>;
};

/** The kind of scheduled work by which sessions are renewed. */
export const renewalKind = 'authorization.renew-third-party-session';

/** Longer than a call to the identity provider can take. After it, the holder of a claim counts as dead. */
const claimLength = 30_000;
const pauseWhileOthersRenew = 100;

type IdentityProviderSessionsOptions = {
  readonly database: Database;
  readonly sealer: Sealer;
  readonly provider: Provider;
  readonly grants: Pick<Grants, 'revokeIdentityProviderSession'>;
  readonly clock: Clock;
  readonly random: Random;
};

export function createIdentityProviderSessions(
  options: IdentityProviderSessionsOptions,
): IdentityProviderSessions {
  const { database, sealer, provider, grants, clock, random } = options;

  function open(session: IdentityProviderSession): OpenSession {
    // Sealed below from the same type.
    const tokens = JSON.parse(sealer.open(session.sealed, session.id)) as IdentityProviderTokens;
    return { ...session, tokens };
  }

  async function scheduleRenewal(tx: Transaction, id: string, tokens: IdentityProviderTokens) {
    const dueAt = renewalDue(tokens, clock.now());
    if (dueAt !== undefined) {
      await scheduleWork(tx, { kind: renewalKind, key: id, payload: null, dueAt });
    }
  }

  const seal = (id: string, tokens: IdentityProviderTokens) => ({
    sealed: sealer.seal(JSON.stringify(tokens), id),
    expiresAt: tokens.expiresAt,
  });

  async function end(id: string): Promise<void> {
    // In this order, so that a process that dies in between leaves a session that can be ended again.
    await grants.revokeIdentityProviderSession(id);
    await removeProviderSession(database, id);
    await database.transaction((tx) => cancelWork(tx, { kind: renewalKind, key: id }));
  }

  return {
    end,
    async begin(accountId, tokens) {
      const id = drawHex(random, 16);
      await database.transaction(async (tx) => {
        const session = { id, accountId, ...seal(id, tokens), lastUsedAt: clock.now() };
        await addProviderSession(tx, session);
        await scheduleRenewal(tx, id, tokens);
        await endOldest(tx, session);
      });
      return id;
    },
    async find(id) {
      const session = await findProviderSession(database, id);
      return session && open(session);
    },
    async renew(id, signal) {
      const now = clock.now();
      const claimed = await claimRenewal(database, id, { now, until: now + claimLength });
      if (claimed === undefined) return waitForOthers(id, signal);
      try {
        const { refreshToken } = open(claimed).tokens;
        const tokens = refreshToken === undefined ? undefined : await provider.renew(refreshToken);
        if (tokens === undefined) return await end(id);
        await database.transaction(async (tx) => {
          if (await saveProviderTokens(tx, id, seal(id, tokens)))
            await scheduleRenewal(tx, id, tokens);
        });
      } catch (error) {
        await releaseRenewal(database, id);
        throw error;
      }
    },
    async endIdle(idle) {
      const ids = await listIdleProviderSessions(database, idle);
      for (const id of ids) await end(id);
      return ids.length;
    },
  };

  async function waitForOthers(id: string, signal: AbortSignal | undefined): Promise<void> {
    for (;;) {
      const session = await findProviderSession(database, id);
      if (session === undefined || session.renewingUntil <= clock.now()) return;
      await clock.sleep(pauseWhileOthersRenew, signal);
      signal?.throwIfAborted();
    }
  }
}

/** Ends the sessions of the account beyond the bound, which have no grants to revoke. */
async function endOldest(
  tx: Transaction,
  newest: Pick<IdentityProviderSession, 'id' | 'accountId' | 'lastUsedAt'>,
): Promise<void> {
  for (const key of await removeOldestProviderSessions(tx, newest, newest.lastUsedAt)) {
    await cancelWork(tx, { kind: renewalKind, key });
  }
}

/** A minute before the tokens expire, or a fifth of a shorter lifetime; never if there is no expiry or renewal. */
function renewalDue(
  { expiresAt, refreshToken }: IdentityProviderTokens,
  now: number,
): number | undefined {
  if (expiresAt === undefined || refreshToken === undefined) return undefined;
  return Math.floor(expiresAt - Math.min(60_000, (expiresAt - now) / 5));
}
