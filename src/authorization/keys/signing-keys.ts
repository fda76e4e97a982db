import type { KeyObject } from 'node:crypto';
import type { Sealer } from '../../kernel/crypto/sealer.ts';
import type { Database } from '../../kernel/database/database.ts';
import type { Random } from '../../kernel/model/random.ts';
import { createRefresher, type Worker } from '../../kernel/process/worker.ts';
import type { Clock } from '../../kernel/wait/clock.ts';
import { longestAccessToken } from '../model/grant.ts';
import {
  addNextSigningKey,
  addSigningKey,
  listenToSigningKeys,
  loadSigningKeys,
  removeUnneededSigningKeys,
  type StoredSigningKey,
} from '../store/signing-key-store.ts';
import { makeSigningKey, openSigningKey, type PublicJwk, type SigningKey } from './signing-key.ts';

/** The keys of this server's access tokens, the same in every process on one database. */
export type SigningKeys = {
  /** The key that signs now. */
  current(): SigningKey;
  /** The public part of a key that is published now. */
  find(kid: string): KeyObject | undefined;
  /** What `/jwks` answers: the key that signs, the next one, and those whose tokens may still live. */
  published(): readonly PublicJwk[];
  /** Every key that is published, oldest first. */
  list(): readonly DescribedKey[];
  /** Makes the next key ahead of schedule. Tokens of the old key stay valid until they expire. */
  rotateNow(): Promise<DescribedKey>;
  /** Rotates the keys when it is time, and learns of keys that other processes made. */
  readonly worker: Worker;
};

/** What is shown of a key: never its secret. */
export type DescribedKey = Pick<
  SigningKey,
  'generation' | 'kid' | 'algorithm' | 'madeAt' | 'signsFrom'
> & {
  readonly state: 'next' | 'signing' | 'retiring';
  /** When its last token has expired. */
  readonly retiresAt: number;
};

type SigningKeysOptions = {
  readonly database: Database;
  readonly sealer: Sealer;
  readonly clock: Clock;
  readonly random: Random;
  readonly onFailure?: (error: unknown) => void;
};

const day = 24 * 3_600_000;
/** How long one key signs; NIST SP 800-57 part 1, table 1, would allow up to three years. */
const signingPeriod = 30 * day;
/** Published this long before it signs, which is longer than anyone should keep `/jwks`. */
const publishedBefore = day;
/** A key that was withdrawn is forgotten within 5 s, even if its notice was lost (N21). */
const pauseBetweenLooks = 4_500;
/** How long other processes on the same database may take to hear of a key before it signs. */
const noticeOfOthers = 5_000;

/**
 * Loads the signing keys, and makes the first one in an empty database. A key is published a day
 * before it signs and until the last token it may have signed has expired. Of several processes that
 * find it time for the next generation one stores it; all of them sign with what is stored.
 *
 * Throws `SealError` when the stored keys were sealed under another master key.
 */
export async function openSigningKeys(options: SigningKeysOptions): Promise<SigningKeys> {
  const { database, sealer, clock, random, onFailure = () => {} } = options;
  let keys: readonly SigningKey[] = [];
  await rotate();

  return {
    current: () => signingNow(keys, clock.now()),
    find(kid) {
      const key = keys.find((one) => one.kid === kid);
      return key !== undefined && isPublished(key, clock.now()) ? key.publicKey : undefined;
    },
    published: () => publishedKeys().map(({ jwk }) => jwk),
    list: () => publishedKeys().map((key) => describe(key, signingNow(keys, clock.now()))),
    async rotateNow() {
      const madeAt = clock.now();
      // Only one process uses an SQLite file, so no other must learn of the key first.
      const signsFrom = database.engine === 'sqlite' ? madeAt : madeAt + noticeOfOthers;
      const times = { madeAt, signsFrom, signsUntil: signsFrom + signingPeriod };
      const { kid } = await addNextSigningKey(database, (generation) =>
        makeSigningKey({ generation, ...times, sealer, random }),
      );
      await rotate();
      const made = keys.find((key) => key.kid === kid);
      if (made === undefined) throw new Error('a signing key that was just stored is not there');
      return describe(made, signingNow(keys, clock.now()));
    },
    worker: createRefresher({
      name: 'signing-keys',
      clock,
      pause: pauseBetweenLooks,
      listen: (wake) => listenToSigningKeys(database, wake),
      refresh: rotate,
      onFailure,
    }),
  };

  function publishedKeys(): readonly SigningKey[] {
    const now = clock.now();
    return keys.filter((key) => isPublished(key, now));
  }

  async function rotate(): Promise<void> {
    const now = clock.now();
    let stored = await loadSigningKeys(database);
    const next = nextKey(stored.at(-1), now);
    if (next !== undefined) {
      await addSigningKey(database, makeSigningKey({ ...next, sealer, random }));
      await removeUnneededSigningKeys(database, now - longestAccessToken);
      stored = await loadSigningKeys(database);
    }
    keys = stored.map((key) => reopen(key, { keys, sealer }));
  }
}

function isPublished({ signsUntil }: SigningKey, now: number): boolean {
  return signsUntil + longestAccessToken > now;
}

function signingNow(keys: readonly SigningKey[], now: number): SigningKey {
  // The first one where none has begun yet: then they were made while the clock was wrong.
  const key = keys.findLast(({ signsFrom }) => signsFrom <= now) ?? keys[0];
  if (key === undefined)
    throw new Error('There is no signing key, though one was made at the start.');
  return key;
}

function describe(key: SigningKey, { generation: signing }: SigningKey): DescribedKey {
  const { generation, kid, algorithm, madeAt, signsFrom, signsUntil } = key;
  const state = generation === signing ? 'signing' : generation > signing ? 'next' : 'retiring';
  const retiresAt = signsUntil + longestAccessToken;
  return { generation, kid, algorithm, madeAt, signsFrom, state, retiresAt };
}

/** Reuses a key that is already open; only the period in which it signs may have changed. */
function reopen(
  stored: StoredSigningKey,
  { keys, sealer }: { keys: readonly SigningKey[]; sealer: Sealer },
): SigningKey {
  const known = keys.find((key) => key.kid === stored.kid);
  if (known === undefined) return openSigningKey(stored, sealer);
  const { signsFrom, signsUntil } = stored;
  const isSame = known.signsFrom === signsFrom && known.signsUntil === signsUntil;
  return isSame ? known : { ...known, signsFrom, signsUntil };
}

/** The key to be made now, if it is time: it follows on the last one, or begins at once after a gap. */
function nextKey(last: StoredSigningKey | undefined, now: number) {
  if (last !== undefined && last.signsUntil - publishedBefore > now) return undefined;
  const signsFrom = Math.max(last?.signsUntil ?? now, now);
  return {
    generation: (last?.generation ?? 0) + 1,
    madeAt: now,
    signsFrom,
    signsUntil: signsFrom + signingPeriod,
  };
}
