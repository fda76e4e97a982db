import { SealError } from '../../kernel/crypto/seal-error.ts';
import type { Sealer } from '../../kernel/crypto/sealer.ts';
import { invalidArgument } from '../invalid-argument.ts';
import type { Attempt, DeliveryState, LoggedDelivery } from '../model/logged-delivery.ts';
import { formatTimestamp } from '../proto-json/timestamp.ts';
import type { DeliveryLogStore } from '../store/delivery-log-store.ts';

export type DeliveriesRequest = {
  readonly subscriptionId: string;
  readonly state?: DeliveryState | undefined;
  readonly pageSize?: number | undefined;
  readonly pageToken?: string | undefined;
};

/** As in the list of subscriptions (E6.5). */
const [defaultPageSize, largestPageSize] = [50, 100];

/**
 * A page of a subscription's delivery log, in the order of acceptance (E14.33 to E14.35). Does not
 * check whose subscription it is. Throws `INVALID_ARGUMENT` for a bad page size or page token.
 */
export async function listDeliveries(
  { log, sealer }: { readonly log: DeliveryLogStore; readonly sealer: Sealer },
  { subscriptionId, state, pageSize = 0, pageToken = '' }: DeliveriesRequest,
) {
  if (pageSize < 0) {
    throw invalidArgument([{ field: 'pageSize', description: 'must not be negative' }]);
  }
  const size = Math.min(pageSize || defaultPageSize, largestPageSize);
  const binding = JSON.stringify(['deliveries', subscriptionId, state ?? '']);
  const after = pageToken === '' ? 0 : openToken(sealer, pageToken, binding);
  const found = await log.list({ subscriptionId, state, after, limit: size + 1 });
  const page = found.slice(0, size);
  const last = page.at(-1);
  return {
    deliveries: page.map(toResource),
    ...(found.length > size && last !== undefined
      ? { nextPageToken: sealer.seal(String(last.number), binding) }
      : {}),
  };
}

function openToken(sealer: Sealer, pageToken: string, binding: string): number {
  try {
    return Number(sealer.open(pageToken, binding));
  } catch (error) {
    if (!(error instanceof SealError)) throw error;
    const description =
      'does not belong to this subscription and state: take it from the page before';
    throw invalidArgument([{ field: 'pageToken', description }], 'INVALID_PAGE_TOKEN');
  }
}

function toResource(delivery: LoggedDelivery) {
  const { eventId, eventType, state, reason, createdAt, nextAttemptAt, attempts } = delivery;
  return {
    eventId,
    eventType,
    state,
    ...(reason === undefined ? {} : { reason }),
    createTime: formatTimestamp(createdAt),
    ...(nextAttemptAt === undefined ? {} : { nextAttemptTime: formatTimestamp(nextAttemptAt) }),
    attempts: attempts.map(toAttemptResource),
  };
}

function toAttemptResource({ at, status, error, durationMs }: Attempt) {
  return {
    time: formatTimestamp(at),
    ...(status === undefined ? {} : { status }),
    ...(error === undefined ? {} : { error }),
    durationMs,
  };
}
