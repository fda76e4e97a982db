import { linkSignals } from '../../../kernel/wait/cancel.ts';
import type { Clock } from '../../../kernel/wait/clock.ts';
import { SwapError } from '../../model.ts';
import { hedgeDelay, isBanned, type RpcEndpoint } from './endpoint.ts';
import { type EndpointFailure, isFailure } from './rpc-failures.ts';

/** Asks one endpoint for the whole of a read; a failure sends the read on to the next endpoint. */
export type Ask<T extends object> = (
  endpoint: RpcEndpoint,
  signal: AbortSignal,
) => Promise<T | EndpointFailure>;

type AskEndpointsOptions<T extends object> = {
  readonly endpoints: readonly RpcEndpoint[];
  readonly ask: Ask<T>;
  readonly chainId: number;
  readonly clock: Clock;
  readonly budgetMs: number;
  readonly signal: AbortSignal | undefined;
};

/** How often to ask for a block that no endpoint has yet, and the pause between, in milliseconds. */
const passes = 3;
const pauseMs = 150;
/** The reason of the abort: without one, `abort()` would construct an error. */
const over = 'over';

/**
 * The first good answer. Asks the endpoints in their order, healthy ones first. Asks the next one as
 * soon as one fails, or as a hedge when one takes longer than it usually does. A read never combines
 * the answers of two endpoints.
 *
 * A block that no endpoint knows is asked for again after a pause: nodes behind one address do not
 * all see a new block at once.
 *
 * Throws `SwapError` `UPSTREAM_ERROR` when every endpoint failed or `budgetMs` ran out, with what
 * each one answered; rejects with the signal's reason when the caller gives up.
 */
export async function askEndpoints<T extends object>(options: AskEndpointsOptions<T>): Promise<T> {
  const { endpoints, clock, budgetMs, signal } = options;
  signal?.throwIfAborted();
  const reading = linkSignals(signal);
  const ended = reading.signal;
  const spent = clock.sleep(budgetMs, ended).then(() => undefined);
  const endsAt = clock.elapsed() + budgetMs;
  const failures: FailedAttempts = new Map();

  try {
    for (let pass = 0; pass < passes; pass += 1) {
      const queue = pass === 0 ? inOrder(endpoints, clock.now()) : thoseMissingTheBlock(failures);
      const answer = await askInOrder(queue, { ...options, ended, spent, failures });
      signal?.throwIfAborted();
      if (answer !== undefined) return answer;
      if (thoseMissingTheBlock(failures).length === 0) break;
      await clock.sleep(Math.min(pauseMs, endsAt - clock.elapsed()), ended);
    }
  } finally {
    reading.release();
    reading.abort(over);
  }
  throw unreachable({ ...options, failures });
}

/** Asks until an answer comes; undefined once all have failed or the budget is spent. */
async function askInOrder<T extends object>(
  queue: RpcEndpoint[],
  options: AskEndpointsOptions<T> & {
    ended: AbortSignal;
    spent: Promise<undefined>;
    failures: FailedAttempts;
  },
): Promise<T | undefined> {
  const { ask, clock, budgetMs, ended, spent, failures } = options;
  const running = new Map<RpcEndpoint, Running<T>>();

  function fail(endpoint: RpcEndpoint, failure: EndpointFailure): void {
    running.delete(endpoint);
    failures.set(endpoint, failure);
    endpoint.failed(failure);
  }

  let overdue: Promise<'overdue'> | undefined;
  function startNext(): void {
    const endpoint = queue.shift();
    if (endpoint === undefined) return;
    const startedAt = clock.now();
    const settled = ask(endpoint, ended).then((answer) => ({ endpoint, startedAt, answer }));
    running.set(endpoint, { startedAt, settled });
    const patience = hedgeDelay(endpoint.health.latency);
    overdue = clock.sleep(patience, ended).then(() => 'overdue');
  }

  startNext();
  while (running.size > 0) {
    const attempts = [...running.values()].map(({ settled }) => settled);
    const hedges = overdue !== undefined && queue.length > 0 ? [overdue] : [];
    const event = await Promise.race([spent, ...attempts, ...hedges]);
    if (options.signal?.aborted) return undefined;
    if (event === undefined) {
      const failure = { reason: 'timeout', message: `no answer within ${budgetMs} ms` } as const;
      for (const endpoint of [...running.keys()]) fail(endpoint, failure);
      return undefined;
    }
    if (event === 'overdue') {
      startNext();
    } else if (isFailure(event.answer)) {
      fail(event.endpoint, event.answer);
      startNext();
    } else {
      running.delete(event.endpoint);
      settle(event, { running, now: clock.now() });
      return event.answer;
    }
  }
  return undefined;
}

type Running<T> = { readonly startedAt: number; readonly settled: Promise<Settled<T>> };

type Settled<T> = {
  readonly endpoint: RpcEndpoint;
  readonly startedAt: number;
  readonly answer: T | EndpointFailure;
};

/** Marks the endpoints that are still running as slow, if they have had their usual time. */
function settle(
  { endpoint, startedAt }: Settled<unknown>,
  { running, now }: { running: ReadonlyMap<RpcEndpoint, Running<unknown>>; now: number },
): void {
  endpoint.succeeded(now - startedAt);
  for (const [other, { startedAt: since }] of running) {
    const elapsed = now - since;
    if (elapsed < hedgeDelay(other.health.latency)) continue;
    other.failed({
      reason: 'slow',
      message: `no answer for ${elapsed} ms, but another endpoint answered`,
    });
  }
}

/** Endpoints that are left out come last, in case no other answers; banned ones not at all. */
function inOrder(endpoints: readonly RpcEndpoint[], now: number): RpcEndpoint[] {
  const isLeftOut = ({ health }: RpcEndpoint) => health.leftOutUntil > now;
  const leftOut = endpoints
    .filter((endpoint) => isLeftOut(endpoint) && !isBanned(endpoint.health, now))
    .sort((one, other) => one.health.leftOutUntil - other.health.leftOutUntil);
  return [...endpoints.filter((endpoint) => !isLeftOut(endpoint)), ...leftOut];
}

function thoseMissingTheBlock(failures: FailedAttempts): RpcEndpoint[] {
  return [...failures].flatMap(([endpoint, { reason }]) =>
    reason === 'unknown-block' ? [endpoint] : [],
  );
}

/** The last failure of each endpoint that was asked. */
type FailedAttempts = Map<RpcEndpoint, EndpointFailure>;

/**
 * The error for a chain that no endpoint could read [Q2]. Its details say of each endpoint, by the
 * name that callers may see [F99], why it gave nothing or why it was not asked.
 */
function unreachable(options: {
  chainId: number;
  endpoints: readonly RpcEndpoint[];
  failures: FailedAttempts;
}): SwapError {
  const { chainId, endpoints, failures } = options;
  const attempts = endpoints.flatMap((endpoint) => {
    const { name, health } = endpoint;
    const failure = failures.get(endpoint);
    if (failure !== undefined) {
      return [{ endpoint: name, reason: failure.reason, message: failure.message }];
    }
    const { lastFailure, leftOutUntil } = health;
    if (lastFailure === undefined) return [];
    const until = new Date(leftOutUntil).toISOString();
    const message = `not asked until ${until}: ${lastFailure.message}`;
    return [{ endpoint: name, reason: lastFailure.reason, message }];
  });
  const blockUnknown = attempts.some(({ reason }) => reason === 'unknown-block');
  return new SwapError('UPSTREAM_ERROR', explain(chainId, endpoints.length), {
    details: { chainId, attempts, ...(blockUnknown ? { blockUnknown } : {}) },
  });
}

function explain(chainId: number, asked: number): string {
  if (asked === 0) {
    return `Chain ${chainId} has no RPC endpoint: name one in TRADEWIND_RPC_${chainId}.`;
  }
  const failed =
    asked === 1
      ? `The RPC endpoint of chain ${chainId} gave no usable answer`
      : `None of the ${asked} RPC endpoints of chain ${chainId} gave a usable answer`;
  return `${failed}: see the details, and name a better one in TRADEWIND_RPC_${chainId}.`;
}
