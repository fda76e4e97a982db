import { z } from 'zod';
import {
  isInNetworks,
  type Network,
  parseIpAddress,
  parseNetworks,
} from '../../kernel/model/network.ts';
import { parseUrl } from '../../kernel/text/url.ts';
import { eventsLimits } from '../limits.ts';
import { principalOf } from '../model/caller.ts';
import { writeCursor } from '../model/event.ts';
import { EventsError } from '../model/events-error.ts';
import { formatTimestamp } from '../model/proto-fields.ts';
import type { Subscription } from '../model/subscription.ts';
import { writers } from '../scopes.ts';
import { readPlace, readQueueState } from '../store/mcp-store.ts';
import { applyTransition } from '../subscriptions/lifecycle/apply-transition.ts';
import { longestLifetime } from '../subscriptions/lifecycle/lifetime.ts';
import { type DeliveryStatus, readDeliveryStatus } from './delivery-status.ts';
import type { McpContext, McpRequest } from './mcp-context.ts';
import { wrongParameter } from './mcp-error.ts';
import { readGivenArguments, readParams, readWanted, requireOneScope } from './offered-events.ts';
import {
  type Asked,
  findLive,
  openSubscription,
  readCursor,
  readWhole,
  renewSubscription,
  unlessChanged,
} from './open-subscription.ts';
import { verifyCallback } from './verify-callback.ts';

/** The answer to `events/subscribe`, always with all of its fields (M20). */
export type Subscribed = {
  readonly id: string;
  readonly refreshBefore: string;
  readonly cursor: string;
  readonly truncated: boolean;
  /** How delivery was before; only on a refresh. */
  readonly deliveryStatus?: DeliveryStatus;
};

/**
 * `events/subscribe`: has events posted to a callback, or renews that (M14 to M25). Checks in the order of M19, so that a
 * request which fails stores and calls nothing of what comes later. Throws refusals as `toMcpError` tells them.
 */
export async function subscribeCallback(
  context: McpContext,
  { caller, params: given, signal }: McpRequest,
): Promise<Subscribed> {
  const { clock, deriveId } = context;
  requireOneScope(caller, writers, 'events/subscribe');
  const params = readParams(given);
  const delivery = readParams(params.delivery);
  const wanted = await readWanted(context, { caller, params }, () => requireWebhook(delivery));
  const lifetime = readLifetime(params.ttlMs);
  const cursor = readCursor(params.cursor);
  const maxAgeMs = readWhole('maxAgeMs', params.maxAgeMs);
  const url = readCallbackUrl(delivery.url, context.allowNetworks);
  const secret = readSecret(delivery.secret);
  const principal = principalOf(caller);
  const mcpId = deriveId({ principal, url, name: wanted.name, arguments: wanted.arguments });
  if ((await findLive(context, mcpId)) === undefined) {
    await context.requireRoom({
      ...wanted,
      principal,
      userId: caller.isPerson ? caller.subject : undefined,
    });
  }
  await verifyCallback(context, { principal, url, secret, mcpId, signal });
  const endpoint = { kind: 'webhook', uri: url, contentMode: 'MCP', mcpId } as const;
  const expiresAt = clock.now() + lifetime;
  const asked = {
    caller,
    wanted,
    mcpId,
    endpoint,
    signingSecret: secret,
    expiresAt,
    cursor,
    maxAgeMs,
  };
  return subscribe(context, asked, signal);
}

/** Renews the subscription of this key or opens it, whichever a rival request leaves to be done. */
async function subscribe(
  context: McpContext,
  asked: Asked,
  signal: AbortSignal,
): Promise<Subscribed> {
  for (;;) {
    const live = await findLive(context, asked.mcpId);
    if (live === undefined) {
      const opened = await openSubscription(context, asked, signal);
      if (opened !== undefined) return toSubscribed(context, asked, opened);
      continue;
    }
    const deliveryStatus = await readDeliveryStatus(context, live);
    if (await renewSubscription(context, live, asked)) {
      const renewed = { subscription: live, isTruncated: false };
      return { ...(await toSubscribed(context, asked, renewed)), deliveryStatus };
    }
  }
}

async function toSubscribed(
  { database }: Pick<McpContext, 'database'>,
  { mcpId, expiresAt }: Pick<Asked, 'mcpId' | 'expiresAt'>,
  { subscription, isTruncated }: { subscription: Subscription; isTruncated: boolean },
): Promise<Subscribed> {
  const since = subscription.mcp?.since ?? 0;
  const queue = await readQueueState(database, subscription.id);
  const place =
    queue === undefined
      ? { position: since, lane: 0, number: 0 }
      : await readPlace(database, queue, { number: queue.cursor, since });
  return {
    id: mcpId,
    refreshBefore: formatTimestamp(expiresAt),
    cursor: writeCursor(place),
    truncated: isTruncated,
  };
}

/**
 * `events/unsubscribe`: ends the caller's subscription of this key (M47). Answers the same where there is none, for a name that
 * is gone, and for what belongs to somebody else, which stays (M48).
 */
export async function unsubscribeCallback(
  context: McpContext,
  { caller, params: given }: McpRequest,
): Promise<object> {
  requireOneScope(caller, writers, 'events/unsubscribe');
  const params = readParams(given);
  const { name } = params;
  if (typeof name !== 'string' || name === '') throw wrongParameter('name', 'must be a text');
  const { url } = readParams(params.delivery);
  if (typeof url !== 'string') throw wrongParameter('delivery.url', 'must be a text');
  const principal = principalOf(caller);
  const key = { principal, url, name, arguments: readGivenArguments(params.arguments) };
  const mcpId = context.deriveId(key);
  for (;;) {
    const subscription = await findLive(context, mcpId);
    if (subscription === undefined) return {};
    const trigger = { kind: 'unsubscribe' } as const;
    if (await applyTransition(context, { subscription, trigger }).catch(unlessChanged)) return {};
  }
}

/** Only callbacks are subscribed to; events are read by poll and stream without (M14). */
function requireWebhook({ mode }: Readonly<Record<string, unknown>>): void {
  if (mode === undefined || mode === null || mode === 'webhook') return;
  const value = typeof mode === 'string' ? mode.slice(0, 100) : JSON.stringify(mode).slice(0, 100);
  throw new EventsError('UNIMPLEMENTED', `The delivery mode ${value} is not served: use webhook.`, {
    reason: 'UNSUPPORTED_MODE',
    metadata: { feature: 'deliveryMode', value },
  });
}

const shortest = 60_000;

/** How long the subscription lasts (M21): as long as it may, or what is asked for, but at least a minute. */
function readLifetime(ttlMs: unknown): number {
  const longest = longestLifetime(undefined);
  const wish = readWhole('ttlMs', ttlMs) ?? longest;
  return Math.max(shortest, Math.min(wish, longest));
}

const longestUrl = eventsLimits.webhookUri.value;
const loopback = parseNetworks(['loopback']);

/** The address of a callback (M17): `https`, or `http` to a literal loopback address where that may be called. */
function readCallbackUrl(given: unknown, allowNetworks: readonly Network[]): string {
  const text = z.string().max(longestUrl).safeParse(given).data;
  const url = text === undefined ? undefined : parseUrl(text);
  const refuse = (rule: string) => wrongParameter('delivery.url', rule);
  if (text === undefined || url === undefined) {
    throw refuse(`must be an absolute https address of at most ${longestUrl} characters`);
  }
  if (url.username !== '' || url.password !== '') throw refuse('must hold no user and password');
  if (text.includes('#')) throw refuse('must hold no fragment');
  const address = parseIpAddress(url.hostname.replace(/^\[|\]$/g, ''));
  const isOwn =
    address !== undefined &&
    isInNetworks(address, loopback) &&
    isInNetworks(address, allowNetworks);
  if (url.protocol === 'https:' || (url.protocol === 'http:' && isOwn)) return text;
  throw refuse('must begin with https://');
}

const secretForm = /^whsec_([A-Za-z0-9+/]+)(={0,2})$/;
const [fewestBytes, mostBytes] = [24, 64];

/** The signing secret (M18): one, of 24 to 64 bytes in standard base64, padded or not. */
function readSecret(given: unknown): string {
  const [, digits = '', padding = ''] =
    typeof given === 'string' ? (secretForm.exec(given) ?? []) : [];
  const bytes = Buffer.from(digits, 'base64');
  const isWhole =
    digits.length % 4 !== 1 && (padding === '' || (digits + padding).length % 4 === 0);
  if (isWhole && bytes.length >= fewestBytes && bytes.length <= mostBytes) return String(given);
  throw wrongParameter(
    'delivery.secret',
    `must be whsec_ followed by the base64 of ${fewestBytes} to ${mostBytes} bytes`,
  );
}
