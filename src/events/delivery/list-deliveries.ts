import type { Sealer } from '../../kernel/crypto/sealer.ts';
import type { Queries } from '../../kernel/database/database.ts';
import type { Attempt, DeliveryState, LoggedDelivery } from '../model/event.ts';
import { formatTimestamp } from '../model/proto-fields.ts';
import { type PageRequest, readPageRequest } from '../read-page-request.ts';
import { listDeliveryLog } from '../store/lanes/delivery-log-store.ts';
import type { CatchUp } from './written-progress.ts';

type DeliveriesRequest = PageRequest & {
  readonly subscriptionId: string;
  readonly state?: DeliveryState | undefined;
};

/**
 * A page of a subscription's delivery log, in the order of acceptance (E14.33 to E14.35). Does not
 * check whose subscription it is. Throws `INVALID_ARGUMENT` for a bad page size or page token.
 */
export async function listDeliveries(
  options: {
    readonly database: Queries;
    readonly catchUp: CatchUp;
    readonly sealer: Sealer;
  },
  { subscriptionId, state, ...request }: DeliveriesRequest,
) {
  const list = ['deliveries', subscriptionId, state ?? ''];
  const { size, after, tokenAt } = readPageRequest(request, { sealer: options.sealer, list });
  const query = { subscriptionId, state, after: Number(after), limit: size + 1 };
  // So that everything a receiver has accepted by now is listed as delivered (D12).
  await options.catchUp(subscriptionId);
  const found = await listDeliveryLog(options.database, query);
  const page = found.slice(0, size);
  const last = page.at(-1);
  return {
    deliveries: page.map(toResource),
    ...(found.length > size && last !== undefined
      ? { nextPageToken: tokenAt(String(last.number)) }
      : {}),
  };
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
