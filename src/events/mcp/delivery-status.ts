import type { Attempt } from '../model/event.ts';
import { formatTimestamp } from '../model/proto-fields.ts';
import type { Subscription } from '../model/subscription.ts';
import { listAttemptsBackwards, readLaneStatus } from '../store/lanes/attempt-store.ts';
import type { McpContext } from './mcp-context.ts';

/** How the delivery to a callback goes (M20, M70): nothing of what the receiver answered but a category. */
export type DeliveryStatus = {
  readonly active: boolean;
  readonly lastDeliveryAt: string | null;
  readonly lastError: string | null;
  readonly failedSince: string | null;
};

/** How many stretches of attempts are looked through for the last one that was accepted. */
const stretchesRead = 100;

export async function readDeliveryStatus(
  { database, catchUp }: Pick<McpContext, 'database' | 'catchUp'>,
  { id, state }: Pick<Subscription, 'id' | 'state'>,
): Promise<DeliveryStatus> {
  await catchUp(id);
  const lane = (await readLaneStatus(database, [id])).get(id);
  const stretches =
    lane === undefined
      ? []
      : await listAttemptsBackwards(database, {
          lane: lane.lane,
          through: undefined,
          limit: stretchesRead,
        });
  const attempts = stretches.flatMap((stretch) => stretch.attempts.toReversed());
  const [last] = attempts;
  const accepted = attempts.find(({ error }) => error === undefined);
  const failedSince = lane?.failingSince ?? (state === 'SUSPENDED' ? last?.at : undefined);
  return {
    active: state === 'ACTIVE',
    lastDeliveryAt: accepted === undefined ? null : formatTimestamp(accepted.at),
    lastError: last === undefined ? null : (categoryOf(last) ?? null),
    failedSince: failedSince === undefined ? null : formatTimestamp(failedSince),
  };
}

/** What went wrong with an attempt, as clients are told; undefined if it was accepted (M70). */
export function categoryOf({
  error,
  status,
}: Pick<Attempt, 'error' | 'status'>): string | undefined {
  if (error === undefined) return undefined;
  if (status !== undefined) return `http_${Math.floor(status / 100)}xx`;
  if (error.startsWith('TIMED_OUT')) return 'timeout';
  return error.startsWith('TLS_FAILED') ? 'tls_error' : 'connection_refused';
}
