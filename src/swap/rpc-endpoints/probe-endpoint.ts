import { z } from 'zod';
import { JsonError, readJson } from '../../kernel/text/json.ts';
import type { Clock } from '../../kernel/wait/clock.ts';
import { TimedOut, withDeadline } from '../../kernel/wait/deadline.ts';
import { swapLimits } from '../limits.ts';
import type { Fetch } from './chain-list.ts';
import type { ProbeFailure, ProbeOutcome } from './rank-endpoints.ts';

/** Longer than this nobody would wait for one call. */
const patienceMs = 3_000;

/** Room for the transaction hashes of the fullest blocks. */
const mostBytes = swapLimits.probeAnswer.value;

const quantity = z.string().regex(/^0x[0-9a-fA-F]{1,16}$/);
const chainIdAnswer = z.object({ result: quantity });
const blockAnswer = z.object({ result: z.object({ number: quantity, timestamp: quantity }) });

export type Probe = {
  readonly url: string;
  readonly chainId: number;
  readonly fetch: Fetch;
  readonly clock: Clock;
  readonly signal?: AbortSignal | undefined;
};

/**
 * Asks an endpoint for its chain id and its newest block, both at once since a first quote waits for
 * them, and measures the time until both are answered. That includes opening the connection, which is
 * comparable for all. Never throws: a failure is an outcome, and does not contain the URL. Whether
 * the newest block really is the newest is for the ranking to judge.
 */
export async function probeEndpoint(probe: Probe): Promise<ProbeOutcome> {
  const { chainId, clock, signal } = probe;
  try {
    return await withDeadline({ clock, milliseconds: patienceMs, signal }, async (signal) => {
      const askedAt = clock.now();
      const params = ['latest', false];
      const [id, answer] = await Promise.all([
        call({ ...probe, signal, method: 'eth_chainId', params: [] }),
        call({ ...probe, signal, method: 'eth_getBlockByNumber', params }),
      ]);
      const answeredAt = clock.now();
      if (Number(chainIdAnswer.parse(id).result) !== chainId) return failed('wrong-chain');
      const { timestamp } = blockAnswer.parse(answer).result;
      return {
        answered: true,
        latencyMs: answeredAt - askedAt,
        headAgeMs: answeredAt - Number(timestamp) * 1000,
      };
    });
  } catch (error) {
    return failed(reasonOf(error));
  }
}

type Call = Probe & {
  readonly signal: AbortSignal;
  readonly method: string;
  readonly params: readonly unknown[];
};

async function call({ url, fetch, signal, method, params }: Call): Promise<unknown> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    redirect: 'error',
    signal,
  });
  if (!response.ok) {
    await response.body?.cancel();
    throw new RefusedError(response.status);
  }
  return readJson(response, { mostBytes });
}

class RefusedError extends Error {
  readonly status: number;

  constructor(status: number) {
    super(`The endpoint answered with HTTP status ${status}.`);
    this.status = status;
  }
}

function reasonOf(error: unknown): ProbeFailure {
  if (error instanceof TimedOut) return 'timed-out';
  if (error instanceof RefusedError) return error.status === 429 ? 'rate-limited' : 'refused';
  if (error instanceof z.ZodError || error instanceof JsonError || error instanceof RangeError) {
    return 'not-json-rpc';
  }
  return 'unreachable';
}

function failed(reason: ProbeFailure): ProbeOutcome {
  return { answered: false, reason };
}
