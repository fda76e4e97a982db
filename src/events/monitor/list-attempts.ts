import { type PageRequest, readPageRequest } from '../read-page-request.ts';
import {
  type AttemptStretch,
  listAttemptsBackwards,
  listLaneEvents,
  readLaneStatus,
} from '../store/lanes/attempt-store.ts';
import { numbersShown, toAttemptResource } from './attempt-resource.ts';
import { findMonitored } from './find-monitored.ts';
import type { MonitorContext, MonitorRequest } from './monitor-context.ts';
import { readRequests } from './read-requests.ts';

/**
 * A page of the attempts at the deliveries of a subscription, the newest first, with what was sent and what came
 * back (K3). The delivering process first writes its progress, so that a reader finds every delivery.
 */
export async function listAttempts(
  context: MonitorContext,
  { caller, name, ...request }: MonitorRequest & PageRequest,
) {
  const { database, sealer, catchUp } = context;
  const { subscription } = await findMonitored(context, { caller, name });
  const list = ['attempts', subscription.id];
  const { size, after, tokenAt } = readPageRequest(request, { sealer, list });
  await catchUp(subscription.id);
  const lane = (await readLaneStatus(database, [subscription.id])).get(subscription.id);
  if (lane === undefined) return { attempts: [] };
  const place = readPlace(after);
  // One stretch more, since the place may leave nothing of the first.
  const stretches = await listAttemptsBackwards(database, {
    lane: lane.lane,
    through: place,
    limit: size + 2,
  });
  const found = stretches.flatMap((stretch) => backwards(stretch, place));
  const page = found.slice(0, size);
  const numbers = new Set(page.flatMap(({ attempt }) => numbersShown(attempt)));
  const events = await listLaneEvents(database, lane.lane, [...numbers]);
  const attempts = page.map(({ attempt }) => attempt);
  const requests = await readRequests(attempts, { ...context, lane, listed: events });
  const last = page.at(-1);
  return {
    attempts: page.map(({ attempt, position, index }) => {
      const sent = requests.get(attempt);
      return {
        ...toAttemptResource(attempt, { name: attemptName({ position, index }), events }),
        ...(sent === undefined ? {} : { request: sent }),
      };
    }),
    ...(found.length > size && last !== undefined
      ? { nextPageToken: tokenAt(writePlace(last)) }
      : {}),
  };
}

export function attemptName({ position, index }: Pick<Place, 'position' | 'index'>): string {
  return `attempts/${position}.${index}`;
}

/** The place of an attempt: its stretch, and its index in the stretch. */
type Place = { readonly last: number; readonly position: number; readonly index: number };

function backwards({ attempts, position, last }: AttemptStretch, before: Place | undefined) {
  const end = before?.position === position ? before.index : attempts.length;
  return attempts
    .slice(0, end)
    .map((attempt, index) => ({ attempt, position, last, index }))
    .reverse();
}

function writePlace({ last, position, index }: Place): string {
  return [last, position, index].join('.');
}

function readPlace(text: string): Place | undefined {
  if (text === '') return undefined;
  const [last = 0, position = 0, index = 0] = text.split('.').map(Number);
  return { last, position, index };
}
