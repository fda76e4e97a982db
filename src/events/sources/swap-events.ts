import { createHash } from 'node:crypto';
import { swapTypes } from '../applications/own-event-types.ts';
import type { NewEvent } from '../model/event.ts';
import type { Subscription } from '../model/subscription.ts';
import { parsePairTarget } from '../options/pair-target.ts';
import type { PairChange } from './price-source.ts';

/**
 * The events of a change for one subscription; each subscription has its own, because its options are its own. Their
 * ids are derived from the subscription and the block, so that a change published twice is a duplicate.
 */
export function toSwapEvents(
  change: PairChange,
  {
    subscription,
    now,
  }: { subscription: Pick<Subscription, 'uid' | 'targetResource'>; now: number },
): NewEvent[] {
  const { reading, before } = change;
  const { uid, targetResource: subject } = subscription;
  const pair = parsePairTarget(subject);
  const common = {
    name: subject.slice('//swap/'.length),
    chainId: pair?.chainId,
    tokenIn: pair?.tokenIn,
    tokenOut: pair?.tokenOut,
    amountIn: String(reading.amountIn),
    amountOut: String(reading.amountOut),
    price: reading.price,
    blockNumber: Number(reading.blockNumber),
    blockHash: reading.blockHash,
  };
  const previous = { previousAmountIn: before?.amountIn, previousAmountOut: before?.amountOut };
  const eventOf = (type: string, data: NewEvent['data']): NewEvent => ({
    id: createHash('sha256').update(`${uid} ${type} ${reading.blockHash}`).digest('base64url'),
    source: `//swap/chains/${pair?.chainId}`,
    type,
    subject,
    occurredAt: now,
    data,
  });
  return change.kinds.map((kind) =>
    kind === 'price'
      ? eventOf(swapTypes.priceMoved, { price: { ...common, ...previous } })
      : eventOf(swapTypes.routeChanged, { route: { ...common, paths: reading.route } }),
  );
}

/** The event that the RPC endpoints of a chain were measured. */
export function toRpcsEvent(
  { chainId, rpcUrls }: { readonly chainId: number; readonly rpcUrls: readonly string[] },
  { id, now }: { id: string; now: number },
): NewEvent {
  const subject = `//swap/chains/${chainId}`;
  const type = swapTypes.rpcsRefreshed;
  const rpcs = { name: `chains/${chainId}/rpcs`, chainId, rpcUrls };
  return { id, source: subject, type, subject, occurredAt: now, data: { rpcs } };
}
