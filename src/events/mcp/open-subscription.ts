import type { Transaction } from '../../kernel/database/database.ts';
import { accountOf, type EventsCaller, isAdmin } from '../model/caller.ts';
import { type CursorPlace, parseCursor } from '../model/event.ts';
import { EventsError } from '../model/events-error.ts';
import type { NotificationEndpoint, Subscription } from '../model/subscription.ts';
import { notifyPairs } from '../store/price-watch-store.ts';
import { findSubscriptionOfMcp, insertSubscription } from '../store/subscription-store.ts';
import { requireApplication } from '../subscriptions/check-subscription.ts';
import { newSubscription } from '../subscriptions/create-subscription.ts';
import { applyTransition } from '../subscriptions/lifecycle/apply-transition.ts';
import { scheduleNextMoment } from '../subscriptions/lifecycle/lifetime.ts';
import { authorityOver, requireHolding, scopesFor } from '../subscriptions/require-authority.ts';
import type { McpContext } from './mcp-context.ts';
import { wrongParameter } from './mcp-error.ts';
import type { Wanted } from './offered-events.ts';
import { findRefill, type Refill } from './refill-queue.ts';

/** A subscription as an MCP client asks for it. */
export type Asked = {
  readonly caller: EventsCaller;
  readonly wanted: Wanted;
  readonly mcpId: string;
  readonly endpoint: NotificationEndpoint;
  readonly signingSecret: string | undefined;
  readonly expiresAt: number;
  readonly cursor: CursorPlace | 'stale' | undefined;
  readonly maxAgeMs: number | undefined;
};

/** The subscription that a caller has by this id. Ends one that has expired and was not ended yet. */
export async function findLive(
  context: McpContext,
  mcpId: string,
): Promise<Subscription | undefined> {
  const { database, clock } = context;
  const found = await findSubscriptionOfMcp(database, mcpId);
  if (found === undefined || clock.now() < found.expiresAt) return found;
  await applyTransition(context, { subscription: found, trigger: { kind: 'expire' } }).catch(
    unlessChanged,
  );
  return undefined;
}

/** A rival changed it first, which is as good. */
export function unlessChanged(error: unknown): undefined {
  if (error instanceof EventsError && error.code === 'ABORTED') return undefined;
  throw error;
}

/** A subscription that was opened now, with what its queue begins with. */
type Opened = Pick<Refill, 'isTruncated'> & { readonly subscription: Subscription };

/**
 * Stores a new subscription of an MCP client as any other, and fills its queue with the events after its cursor. Undefined
 * if a rival request stored one with this key first. Throws `PERMISSION_DENIED` where what the caller was allowed is gone.
 */
export async function openSubscription(
  context: McpContext,
  asked: Asked,
  signal: AbortSignal,
): Promise<Opened | undefined> {
  const { database, clock, random, queues, visibility } = context;
  const { caller, wanted, mcpId, endpoint, signingSecret, expiresAt } = asked;
  const { name, match, targetResource, options } = wanted;
  const { application } = match;
  const now = clock.now();
  const terms = {
    targetResource,
    targetSpelling: undefined,
    eventTypes: [name],
    payloadOptions: undefined,
    notificationEndpoint: endpoint,
    options,
    expiresAt,
  };
  const begun = { id: mcpId, name, arguments: wanted.arguments, since: 0 };
  const base = { ...newSubscription({ terms, caller, random, now }), mcp: begun };
  const begin = await application.onCreate?.(base, signal);
  const scopes = scopesFor(base);
  const findHolding = await authorityOver(context, { ...base, caller, scopes });
  return database.transaction(async (tx: Transaction) => {
    await requireApplication(tx, match);
    const holding = requireHolding(await findHolding(tx));
    const seesAll = isAdmin(caller) && holding.seesAll;
    const refill = await findRefill(tx, {
      ...asked,
      subscription: base,
      application,
      account: accountOf(caller),
      isAdmin: seesAll,
      visibility,
      now,
    });
    const { since } = refill;
    const mcp = { ...begun, since };
    const subscription = { ...base, mcp };
    if (!(await insertSubscription(tx, subscription))) return undefined;
    await queues.open(tx, { subscription, signingSecret, seesAll, application });
    await queues.refill(tx, { id: subscription.id, events: refill.events });
    await begin?.(tx);
    notifyPairs(tx, subscription);
    await scheduleNextMoment(tx, { subscription, now });
    return { subscription, isTruncated: refill.isTruncated };
  });
}

/**
 * Renews a live subscription (M22): its lifetime, its secret, and its delivery if that was suspended. Returns false if a
 * rival changed or ended it meanwhile. Throws `PERMISSION_DENIED` as {@link openSubscription} does.
 */
export async function renewSubscription(
  context: McpContext,
  subscription: Subscription,
  asked: Pick<Asked, 'caller' | 'wanted' | 'signingSecret' | 'expiresAt'>,
): Promise<boolean> {
  const { queues } = context;
  const { caller, wanted, signingSecret, expiresAt } = asked;
  const { id } = subscription;
  const scopes = scopesFor(subscription);
  const findHolding = await authorityOver(context, { ...subscription, caller, scopes });
  const isSuspended = subscription.state === 'SUSPENDED';
  const outcome = await applyTransition(context, {
    subscription,
    trigger: { kind: 'refresh', expiresAt },
    async also(tx) {
      await requireApplication(tx, wanted.match);
      const { seesAll } = requireHolding(await findHolding(tx));
      if (!seesAll) await queues.narrow(tx, id);
      await queues.refresh(tx, { id, expiresAt, signingSecret, isSuspended });
    },
  }).catch(unlessChanged);
  return outcome?.next !== undefined;
}

/** A cursor as a request has it; 'stale' for one that no answer gave (M24). Throws `INVALID_ARGUMENT` if it is no text. */
export function readCursor(cursor: unknown): Asked['cursor'] {
  if (cursor === undefined || cursor === null) return undefined;
  if (typeof cursor !== 'string') throw wrongParameter('cursor', 'must be a text or null');
  return parseCursor(cursor) ?? 'stale';
}

/** A whole number from 0 up, or undefined where it is left out or null. Throws `INVALID_ARGUMENT`. */
export function readWhole(
  field: string,
  value: unknown,
  { least = 0, most = Number.MAX_SAFE_INTEGER }: { least?: number; most?: number } = {},
): number | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= least && value <= most) {
    return value;
  }
  throw wrongParameter(field, `must be a whole number from ${least} up`);
}
