import {
  type RotationOptions,
  rotateSigningSecret,
} from '../../delivery/endpoints/rotate-signing-secret.ts';
import { listDeliveries } from '../../delivery/list-deliveries.ts';
import { attemptNow, type ReplayOptions, replayEvents } from '../../delivery/replay-events.ts';
import type { ReaderAdmission } from '../../delivery/streams/admit-readers.ts';
import { serveEvents } from '../../delivery/streams/serve-events.ts';
import { eventsLimits } from '../../limits.ts';
import { accountOf, isAdmin, sightInto } from '../../model/caller.ts';
import { invalidArgument } from '../../model/events-error.ts';
import { readMessage } from '../../model/proto-json.ts';
import type { FeedHeads } from '../../monitor/feed-heads.ts';
import {
  type FeedKind,
  feedKinds,
  formatFeedPlace,
  parseFeedPlace,
} from '../../monitor/feed-items.ts';
import { findMonitored, type MonitorContext } from '../../monitor/find-monitored.ts';
import { listAttempts } from '../../monitor/list-attempts.ts';
import { getMonitored, listMonitored } from '../../monitor/list-monitored.ts';
import { getPublished, listPublished } from '../../monitor/list-published.ts';
import { readFeed } from '../../monitor/read-feed.ts';
import { getSample, listSampled, sendTestEvent } from '../../monitor/samples.ts';
import { deleteSubscription } from '../../subscriptions/delete-subscription.ts';
import { refuseOfMcp } from '../../subscriptions/get-subscription.ts';
import { longestLifetime } from '../../subscriptions/lifecycle/lifetime.ts';
import { patchSubscription } from '../../subscriptions/patch-subscription.ts';
import { reactivateSubscription } from '../../subscriptions/reactivate-subscription.ts';
import { type MethodCall, type ServedMethod, serveMethod } from './method.ts';
import {
  monitorMethodList as methods,
  replayUndeliveredRequest,
  testEventRequest,
} from './monitor-methods.ts';
import { readRotation, toRotationAnswer } from './rotate-secret-method.ts';

export type MonitorMethodsOptions = {
  readonly context: MonitorContext;
  readonly replay: ReplayOptions;
  readonly rotation: RotationOptions;
  readonly heads: FeedHeads;
  readonly feeds: ReaderAdmission;
  /** Fires when the feeds have to end. */
  readonly ended: AbortSignal;
};

/** The methods for people who monitor subscriptions, with their handlers (K12). */
export function monitorMethods(options: MonitorMethodsOptions): ServedMethod[] {
  const { context } = options;
  return [
    serveMethod(methods.listSubscriptions, ({ caller, query }) =>
      listMonitored(context, { caller, ...query }),
    ),
    serveMethod(methods.getSubscription, ({ caller, name }) =>
      getMonitored(context, { caller, name }),
    ),
    serveMethod(methods.deleteSubscription, async ({ caller, name }) => {
      const { owner } = await findMonitored(context, { caller, name });
      await deleteSubscription(context, { caller: owner, name });
      return {};
    }),
    serveMethod(methods.listAttempts, ({ caller, name, query }) =>
      listAttempts(context, { caller, name, ...query }),
    ),
    serveMethod(methods.listDeliveries, async ({ caller, name, query }) => {
      const { subscription } = await findMonitored(context, { caller, name });
      const { catchUp } = options.replay;
      const { database, sealer } = context;
      return listDeliveries(
        { database, catchUp, sealer },
        { subscriptionId: subscription.id, ...query },
      );
    }),
    serveMethod(methods.replay, async ({ caller, name, readBody }) => {
      const { eventIds = [] } = readMessage(replayUndeliveredRequest, await readBody());
      const { subscription } = await findMonitored(context, { caller, name });
      const { visibility } = context;
      const isAll = eventIds.length === 0;
      const replayed = await replayEvents(options.replay, {
        subscriptionId: subscription.id,
        isForMcp: subscription.mcp !== undefined,
        principal: subscription.principal,
        eventIds: isAll ? undefined : eventIds,
        eventTypes: undefined,
        startTime: undefined,
        endTime: undefined,
        isUndelivered: isAll,
        sightInto: (lane) => sightInto(lane, { visibility, isAdmin: isAdmin(caller) }),
      });
      if (isAll || replayed > 0) return { replayed };
      const { id: subscriptionId, mcp } = subscription;
      const query = { subscriptionId, eventIds, isForMcp: mcp !== undefined };
      return { replayed: await attemptNow(options.replay, query) };
    }),
    serveMethod(methods.sendTestEvent, async ({ caller, name, readBody }) => {
      const { eventType } = readMessage(testEventRequest, await readBody());
      return sendTestEvent(context, { caller, name, eventType });
    }),
    serveMethod(methods.rotateSecret, async ({ caller, name, readBody }) => {
      const rotation = readRotation(await readBody());
      const { subscription } = await findMonitored(context, { caller, name });
      refuseOfMcp(subscription);
      const wanted = { subscriptionId: subscription.id, ...rotation };
      return toRotationAnswer(await rotateSigningSecret(options.rotation, wanted));
    }),
    serveMethod(methods.reactivate, async ({ caller, name, readBody }) => {
      const { owner } = await findMonitored(context, { caller, name });
      await reactivateSubscription(context, { caller: owner, name, body: await readBody() });
      return getMonitored(context, { caller, name });
    }),
    serveMethod(methods.renew, async ({ caller, name }) => {
      const { owner, subscription } = await findMonitored(context, { caller, name });
      const seconds = longestLifetime(subscription.payloadOptions) / 1_000;
      const body = { ttl: `${seconds}s` };
      await patchSubscription(context, { caller: owner, name, body, updateMask: ['ttl'] });
      return getMonitored(context, { caller, name });
    }),
    serveMethod(methods.listEvents, ({ caller, query }) =>
      listPublished(context, { caller, ...query }),
    ),
    serveMethod(methods.getEvent, ({ caller, name }) => getPublished(context, { caller, name })),
    serveMethod(methods.listApplications, ({ caller }) => listSampled(context, caller)),
    serveMethod(methods.getSample, ({ query }) => getSample(context, query)),
    serveMethod(methods.feed, (call) => openFeed(options, call)),
  ];
}

async function openFeed(
  { context, heads, feeds, ended }: MonitorMethodsOptions,
  {
    caller,
    query,
    request,
  }: MethodCall<{ kinds?: string | undefined; subscription?: string | undefined }>,
): Promise<Response> {
  const kinds = readKinds(query.kinds);
  const lastEventId = request.headers.get('last-event-id') || undefined;
  const place = lastEventId === undefined ? undefined : parseFeedPlace(lastEventId);
  if (lastEventId !== undefined && place === undefined) {
    const description = `is ${lastEventId.slice(0, 40)}, which no feed sent: send the id of the last event, or none`;
    throw invalidArgument([{ field: 'Last-Event-ID', description }], 'UNKNOWN_LAST_EVENT_ID');
  }
  const name = query.subscription;
  const found = name === undefined ? undefined : await findMonitored(context, { caller, name });
  const subscription = found?.subscription;
  const account = accountOf(caller);
  const over = new AbortController();
  const onEnd = feeds.enter({
    account,
    bounds: [{ key: account, most: eventsLimits.feeds.value, whose: 'of yours' }],
    end: () => over.abort(),
  });
  const read = async function* (signal: AbortSignal) {
    const options = { context, heads, ended, caller, place, kinds, subscription };
    for await (const items of readFeed(options, signal)) {
      yield items.map(({ place: reached, item }) => ({
        id: formatFeedPlace(reached),
        data: JSON.stringify(item),
      }));
    }
  };
  return serveEvents(read, { onEnd, over });
}

function readKinds(text: string | undefined): ReadonlySet<FeedKind> {
  if (text === undefined) return new Set(feedKinds);
  const given = text.split(',');
  const kinds = feedKinds.filter((kind) => given.includes(kind));
  if (kinds.length === new Set(given).size) return new Set(kinds);
  const description = `is ${text} but must be some of ${feedKinds.join(', ')}, separated by commas`;
  throw invalidArgument([{ field: 'kinds', description }]);
}
