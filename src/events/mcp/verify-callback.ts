import { timingSafeEqual } from 'node:crypto';
import type { Database } from '../../kernel/database/database.ts';
import type { RateLimiter } from '../../kernel/edge/rate-limiter.ts';
import { drawText, type Random } from '../../kernel/model/random.ts';
import type { OutboundResponse } from '../../kernel/outbound/exchange.ts';
import { OutboundError } from '../../kernel/outbound/guard-addresses.ts';
import type { OutboundHttp } from '../../kernel/outbound/outbound-http.ts';
import { parseJson } from '../../kernel/text/json.ts';
import type { Clock } from '../../kernel/wait/clock.ts';
import { signWebhook, toWebhookHeaders } from '../delivery/endpoints/write-webhook.ts';
import { eventsLimits } from '../limits.ts';
import { EventsError } from '../model/events-error.ts';
import { parseSigningSecrets } from '../model/signing-secret.ts';
import { findCallbackPass, putCallbackPass } from '../store/mcp-store.ts';
import { wrongParameter } from './mcp-error.ts';

/** Why a callback did not pass, as clients are told (M32). */
type CallbackProblem =
  | 'connection_refused'
  | 'timeout'
  | 'tls_error'
  | 'http_4xx'
  | 'http_5xx'
  | 'challenge_failed';

/** What became of a challenge. */
export type CallbackOutcome = CallbackProblem | 'passed' | 'address_refused';

/** What challenges to callbacks are sent with. */
export type VerificationContext = {
  /** Calls public addresses and the networks that the operator allows. */
  readonly http: OutboundHttp;
  /** Calls public addresses alone: what it finds out may be told. */
  readonly publicHttp: OutboundHttp;
  readonly trustedOrigins: readonly string[];
  /** Limits challenges: of a principal, of a principal to a host, of everybody to a host. */
  readonly limiters: Readonly<Record<'principal' | 'pair' | 'host', RateLimiter>>;
  /** Called with the outcome of each challenge. */
  onVerified(outcome: CallbackOutcome): void;
};

type Callback = {
  readonly principal: string;
  readonly url: string;
  /** The secret of this request, `whsec_…`. */
  readonly secret: string;
  /** The id by which the client will know the subscription. */
  readonly mcpId: string;
  readonly signal: AbortSignal;
};

/** For how long a callback need not answer again (M30). */
const passLasts = 24 * 3_600_000;
const [longestAnswer, patience] = [4_096, 10_000];

/**
 * Has a callback echo a signed challenge before its first event (M27 to M33), unless it did so for this principal within a
 * day, or its origin is trusted. Throws `FAILED_PRECONDITION` for one that does not, `INVALID_ARGUMENT` for an address that
 * this server does not call, and `RESOURCE_EXHAUSTED`.
 */
export async function verifyCallback(
  context: {
    readonly database: Database;
    readonly clock: Clock;
    readonly random: Random;
    readonly verification: VerificationContext;
  },
  callback: Callback,
): Promise<void> {
  const { database, clock, verification } = context;
  const { principal, url } = callback;
  if (verification.trustedOrigins.includes(new URL(url).origin)) return;
  const pass = { principal, url };
  const passedAt = await findCallbackPass(database, pass);
  if (passedAt !== undefined && clock.now() < passedAt + passLasts) return;
  await requireTurn(verification, callback);
  const problem = await findProblem(context, callback);
  verification.onVerified(problem ?? 'passed');
  if (problem === 'address_refused') {
    throw wrongParameter(
      'delivery.url',
      problem,
      'leads to an address that this server does not call',
    );
  }
  if (problem !== undefined) throw callbackRefused(problem);
  await putCallbackPass(database, { ...pass, passedAt: clock.now() });
}

async function requireTurn(
  { limiters }: VerificationContext,
  { principal, url }: Callback,
): Promise<void> {
  const { host } = new URL(url);
  const turns = [
    { limiter: limiters.principal, key: principal, limit: eventsLimits.verificationsOfPrincipal },
    {
      limiter: limiters.pair,
      key: `${principal} ${host}`,
      limit: eventsLimits.verificationsOfPair,
    },
    { limiter: limiters.host, key: host, limit: eventsLimits.verificationsOfHost },
  ];
  for (const { limiter, key, limit } of turns) {
    const { isAllowed, retryAfterSeconds } = await limiter.take(key);
    if (isAllowed) continue;
    throw new EventsError(
      'RESOURCE_EXHAUSTED',
      'Too many callbacks were challenged: wait, then try again.',
      {
        reason: 'TOO_MANY_VERIFICATIONS',
        metadata: { limit: String(limit.value), which: 'verifications_per_minute' },
        retryAfterSeconds,
      },
    );
  }
}

type Found = CallbackProblem | 'address_refused' | undefined;

/**
 * Asks at a public address first, where everything may be told. Only if there is none, the networks that the operator allows
 * are asked too, and nothing is told of them but whether the challenge came back (N3).
 */
async function findProblem(
  context: {
    readonly clock: Clock;
    readonly random: Random;
    readonly verification: VerificationContext;
  },
  callback: Callback,
): Promise<Found> {
  const { http, publicHttp } = context.verification;
  const found = await challenge(publicHttp, context, callback);
  if (found !== 'address_refused') return found;
  const inside = await challenge(http, context, callback);
  return inside === undefined || inside === 'address_refused' ? inside : 'challenge_failed';
}

async function challenge(
  http: OutboundHttp,
  { clock, random }: { readonly clock: Clock; readonly random: Random },
  { url, secret, mcpId, signal }: Callback,
): Promise<Found> {
  const given = drawText(random, 32);
  const body = JSON.stringify({ type: 'verification', challenge: given });
  const id = `msg_verification_${drawText(random, 16)}`;
  const timestamp = Math.floor(clock.now() / 1_000);
  const headers = toWebhookHeaders(
    { headers: { 'content-type': 'application/json' } },
    { id, timestamp, mcpId },
  );
  const keys = parseSigningSecrets(secret) ?? [];
  headers['webhook-signature'] = signWebhook({ id, timestamp, body }, keys);
  try {
    const limits = { maxResponseBytes: longestAnswer, timeoutMs: patience };
    const answer = await http.request({ method: 'POST', url, headers, body, signal, ...limits });
    return problemOf(answer, given);
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    return problemByCode[error.code];
  }
}

const problemByCode: Readonly<Record<OutboundError['code'], Found>> = {
  INVALID_URL: 'address_refused',
  ADDRESS_REFUSED: 'address_refused',
  NAME_NOT_FOUND: 'connection_refused',
  CONNECT_FAILED: 'connection_refused',
  CONNECTION_LOST: 'connection_refused',
  TLS_FAILED: 'tls_error',
  TIMED_OUT: 'timeout',
  INVALID_RESPONSE: 'challenge_failed',
  RESPONSE_TOO_LARGE: 'challenge_failed',
};

function problemOf({ status, body }: OutboundResponse, given: string): Found {
  if (status >= 500) return 'http_5xx';
  if (status >= 400) return 'http_4xx';
  const isEcho = status >= 200 && status < 300 && isSame(challengeIn(body), given);
  return isEcho ? undefined : 'challenge_failed';
}

/** The challenge in a JSON object; plain text does not pass. */
function challengeIn(body: Uint8Array): string {
  try {
    const answer = parseJson(Buffer.from(body).toString('utf8'));
    const isObject = typeof answer === 'object' && answer !== null && 'challenge' in answer;
    return isObject && typeof answer.challenge === 'string' ? answer.challenge : '';
  } catch {
    return '';
  }
}

function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}

function callbackRefused(reason: CallbackProblem): EventsError {
  return new EventsError(
    'FAILED_PRECONDITION',
    `The callback did not echo the challenge (${reason}): have it answer a body of type verification with {"challenge": "…"}.`,
    { reason: 'CALLBACK_NOT_VERIFIED', metadata: { reason } },
  );
}
