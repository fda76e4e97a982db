import { hashSecret } from '../../kernel/crypto/hash.ts';
import type { Database, Queries, Transaction } from '../../kernel/database/database.ts';
import { drawText, type Random } from '../../kernel/model/random.ts';
import type { Clock } from '../../kernel/wait/clock.ts';
import { writeOutbox } from '../../kernel/work/outbox.ts';
import { actingForItself, type Revocations, type Revoke } from '../keys/revocations.ts';
import { authorizationLimits } from '../limits.ts';
import type { AccountId } from '../model/account.ts';
import type { ClientId } from '../model/client.ts';
import {
  type CodeBinding,
  codeLifetime,
  deviceCodeLifetime,
  type Grant,
  type GrantId,
  type NewGrant,
} from '../model/grant.ts';
import type { Scope } from '../protocol/scope.ts';
import { insertCode } from '../store/code-store.ts';
import {
  deleteGrants,
  type GrantSelection,
  insertGrant,
  listAllowed,
  listGrants,
} from '../store/grant-store.ts';

/**
 * Grants and the codes that carry them to the client. The number of grants of one person is bounded: a further one
 * revokes the oldest (N5).
 */
export type Grants = {
  /** Stores the grant and a code for it, in the transaction that ends the request of the person. */
  issueCode(change: GrantChange, grant: NewGrant, binding: CodeBinding): Promise<string>;
  /** Stores a grant that a device fetches by its device code. */
  create(change: GrantChange, grant: NewGrant): Promise<GrantId>;
  /** What a person has allowed, newest first: at most `limit`, where that is given. */
  list(accountId: AccountId, limit?: number): Promise<readonly Grant[]>;
  /**
   * Revokes a grant and all its tokens, at once here and within a second elsewhere. With `isSignOut` the person takes
   * nothing back: what was made with the grant goes on. With `isStolen` nothing that was made with it goes on, whatever
   * else the person allowed.
   */
  revoke(grantId: GrantId, cause?: Pick<Revocation, 'isSignOut' | 'isStolen'>): Promise<void>;
  /** Revokes everything that a client holds, in the transaction in which `remove` removes the client, if it does. */
  revokeClient(clientId: ClientId, remove: (tx: Transaction) => Promise<boolean>): Promise<void>;
  /**
   * Refuses tokens with scopes that a client loses, and those by which it acts for itself if it loses that right, in the
   * transaction of the change. Its grants keep the others (F50).
   */
  narrowClient(
    clientId: ClientId,
    scope: {
      readonly lost: readonly Scope[];
      readonly stillHeld: readonly Scope[];
      /** Whether it lost the right to act for itself. */
      readonly losesItself: boolean;
    },
    change: (tx: Transaction) => Promise<void>,
  ): Promise<void>;
  revokeIdentityProviderSession(sessionId: string): Promise<void>;
  /**
   * Runs a change of grants and the revocations that follow from it in one transaction; they take effect at once in this process.
   * `revoke` returns what it revoked.
   */
  transaction<T>(work: (tx: Transaction, revoke: RevokeIn) => Promise<T>): Promise<T>;
};

/** The transaction of a change, and the function that revokes grants in it: see `transaction`. */
export type GrantChange = { readonly tx: Transaction; readonly revoke: RevokeIn };

/** Revokes every selected grant in the transaction of a change. */
export type RevokeIn = (selection: GrantSelection) => Promise<readonly Grant[]>;

/** Revokes every selected grant, at once in this process, and publishes an event about each under the topic. */
export type RevokeGrants = (selection: GrantSelection, cause?: Revocation) => Promise<void>;

/** What the event about a revocation says; by default, that a person revoked the grant. */
type Revocation = {
  readonly topic?: 'authorization.grant-revoked' | 'authorization.reuse-detected';
  readonly isSignOut?: boolean;
  /** Somebody else may have used the grant. */
  readonly isStolen?: boolean;
};

/** What an event says about a grant. */
type GrantEvent = {
  readonly grant: Grant;
  readonly isSignOut?: true;
  /** What other grants of the same person to the same client still allow (K11). */
  readonly stillHeld?: readonly string[];
};

/** The transaction of a change that revokes. */
type Revoking = { readonly tx: Transaction; readonly revoke: Revoke };

type GrantsOptions = {
  readonly database: Database;
  readonly revocations: Revocations;
  readonly clock: Clock;
  readonly random: Random;
};

const mostOfAccount = authorizationLimits.grantsOfAccount.value;
const mostWaiting = authorizationLimits.waitingGrantsOfAccount.value;

/** The grants of people. The event about a grant's end reports a reused refresh token, or else a revocation. */
export function createGrants(options: GrantsOptions): Grants & { revokeGrants: RevokeGrants } {
  const { database, revocations, clock, random } = options;

  const create = async ({ tx, revoke }: GrantChange, wanted: NewGrant, lifetime: number) => {
    const now = clock.now();
    const grant = { ...wanted, id: drawText(random, 16) as GrantId, createdAt: now }; // the one place where a grant id is made
    await insertGrant(tx, grant, now + lifetime);
    await publish(tx, 'authorization.grant-created', { grant });
    await revokeOldest(revoke, grant);
    return grant.id;
  };

  const publish = (tx: Transaction, topic: string, { grant, ...more }: GrantEvent) => {
    const { clientId, accountId, id } = grant;
    const occurredAt = clock.now();
    const payload = { clientId, accountId, at: occurredAt, ...more };
    return writeOutbox(tx, { topic, key: id, payload, occurredAt });
  };

  const revokeIn = async (
    { tx, revoke }: Revoking,
    selection: GrantSelection,
    cause: Revocation = {},
  ) => {
    const { topic = 'authorization.grant-revoked', isSignOut = false } = cause;
    const { isStolen = topic === 'authorization.reuse-detected' } = cause;
    const revoked = await deleteGrants(tx, selection);
    const scopesHeld = findScopesHeld(tx, clock.now());
    for (const grant of revoked) {
      await revoke('grant', grant.id);
      // A thief may have made whatever depends on the grant, so no other grant covers it.
      const stillHeld = isStolen ? [] : await scopesHeld(grant);
      await publish(tx, topic, {
        grant,
        ...(isSignOut ? { isSignOut } : {}),
        ...(stillHeld.length === 0 ? {} : { stillHeld }),
      });
    }
    return revoked;
  };

  const transaction: Grants['transaction'] = (work) =>
    revocations.revoking((tx, revoke) =>
      work(tx, (selection) => revokeIn({ tx, revoke }, selection)),
    );

  const revokeGrants: RevokeGrants = async (selection, cause) => {
    await revocations.revoking((tx, revoke) => revokeIn({ tx, revoke }, selection, cause));
  };

  return {
    async issueCode(change, grant, binding) {
      const grantId = await create(change, grant, codeLifetime);
      const code = drawText(random, 32);
      const expiresAt = clock.now() + codeLifetime;
      await insertCode(change.tx, { hash: hashSecret(code), grantId, binding, expiresAt });
      return code;
    },
    create: (change, grant) => create(change, grant, deviceCodeLifetime),
    list: (accountId, limit) => listGrants(database, accountId, { now: clock.now(), limit }),
    revoke: (id, cause) => revokeGrants({ id }, cause),
    revokeClient: (clientId, remove) =>
      revocations.revoking(async (tx, revoke) => {
        if (!(await remove(tx))) return;
        await revokeIn({ tx, revoke }, { clientId });
        // Tokens with which the client acts for itself belong to no grant.
        await revoke('client', clientId);
        await publishClient(tx, 'authorization.client-removed', { clientId, at: clock.now() });
      }),
    narrowClient: (clientId, scope, change) =>
      revocations.revoking(async (tx, revoke) => {
        await change(tx);
        await loseScopes({ tx, revoke }, { clientId, ...scope, at: clock.now() });
      }),
    transaction,
    revokeIdentityProviderSession: (identityProviderSessionId) =>
      revokeGrants({ identityProviderSessionId }),
    revokeGrants,
  };
}

/** Revokes what a client lost, and publishes it if that is anything. */
async function loseScopes(
  { tx, revoke }: Revoking,
  narrowed: Parameters<Grants['narrowClient']>[1] & {
    readonly clientId: ClientId;
    readonly at: number;
  },
): Promise<void> {
  const { clientId, lost, losesItself, stillHeld, at } = narrowed;
  const rights = losesItself ? [...lost, actingForItself] : lost;
  if (rights.length === 0) return;
  for (const scope of rights) await revoke('scope', `${clientId} ${scope}`);
  await publishClient(tx, 'authorization.client-narrowed', { clientId, at, stillHeld });
}

function publishClient(
  tx: Transaction,
  topic: string,
  payload: {
    readonly clientId: ClientId;
    readonly at: number;
    readonly stillHeld?: readonly Scope[];
  },
): Promise<void> {
  return writeOutbox(tx, { topic, key: payload.clientId, payload, occurredAt: payload.at });
}

/**
 * Revokes the oldest grants of a person beyond the bounds. Grants with an unredeemed code have a bound of their own, so
 * that no number of unredeemed codes pushes out grants in use (N2).
 */
async function revokeOldest(revoke: RevokeIn, newest: Grant): Promise<void> {
  const now = newest.createdAt;
  await revoke({ newest, which: 'waiting', kept: mostWaiting - 1, now });
  // By age, because the time of the last use would need one more index write at each refresh.
  await revoke({ newest, which: 'begun', kept: mostOfAccount, now });
}

/** The scopes that grants allow at each resource. */
type ScopesHeld = ReadonlyMap<string, ReadonlySet<Scope>>;

/**
 * For a revoked grant, returns the scopes that its client may still use for the same person at one of its resources,
 * by the grants that are left (K11). It reads the grants of one person to one client once, however many revoked
 * grants it is asked about, so what is left must not change meanwhile.
 */
function findScopesHeld(queries: Queries, now: number): (gone: Grant) => Promise<readonly Scope[]> {
  const known = new Map<string, ScopesHeld>();
  return async (gone) => {
    const key = `${gone.accountId} ${gone.clientId}`;
    const held = known.get(key) ?? collectScopes(await listAllowed(queries, gone, now));
    known.set(key, held);
    return [...new Set(gone.resources.flatMap((resource) => [...(held.get(resource) ?? [])]))];
  };
}

function collectScopes(grants: readonly Pick<Grant, 'scope' | 'resources'>[]): ScopesHeld {
  const held = new Map<string, Set<Scope>>();
  for (const { scope, resources } of grants) {
    for (const resource of resources) {
      const scopes = held.get(resource) ?? new Set();
      for (const each of scope) scopes.add(each);
      held.set(resource, scopes);
    }
  }
  return held;
}
