import { parentPort, workerData } from 'node:worker_threads';
import { parseNetworks } from '../../kernel/model/network.ts';
import type { OutboundResponse } from '../../kernel/outbound/exchange.ts';
import { OutboundError, type OutboundErrorCode } from '../../kernel/outbound/guard-addresses.ts';
import {
  createOutboundHttp,
  type OutboundLimits,
  type OutboundRequest,
} from '../../kernel/outbound/outbound-http.ts';
import { systemClock } from '../../kernel/wait/clock.ts';

// The thread of `createOutboundThread`: it receives requests as messages and posts their outcomes. Messages
// hold only what can be cloned, so networks arrive as text and errors leave as plain objects.

export type ThreadOptions = {
  readonly networks: readonly string[];
  readonly limits: Partial<OutboundLimits>;
};

/** A request to make; without one, cancels the request of that id. */
export type ThreadCall = { readonly id: number; readonly request?: ThreadRequest };

type ThreadRequest = Omit<OutboundRequest, 'url' | 'signal'> & { readonly url: string };

export type ThreadAnswer = { readonly id: number } & (
  | { readonly response: OutboundResponse }
  | { readonly failure: ThreadFailure }
  | { readonly fault: unknown }
);

export type ThreadFailure = Pick<OutboundError, 'message' | 'details' | 'refusal'> & {
  readonly code: OutboundErrorCode;
};

const { networks, limits }: ThreadOptions = workerData;
const allowNetworks = parseNetworks(networks);
const http = createOutboundHttp({ allowNetworks, clock: systemClock, limits });
const underWay = new Map<number, AbortController>();

parentPort?.on('message', ({ id, request }: ThreadCall) => {
  if (request === undefined) underWay.get(id)?.abort();
  else void answer(id, request);
});

async function answer(id: number, request: ThreadRequest): Promise<void> {
  const abort = new AbortController();
  underWay.set(id, abort);
  try {
    const response = await http.request({ ...request, signal: abort.signal });
    if (request.keptBytes !== undefined && !response.isOver) await awaitBeginning(response);
    const { status, headers, body } = response;
    // A copy: posting a view would clone the whole buffer behind it.
    tell({ id, response: { status, headers, body: new Uint8Array(body), isOver: true } });
  } catch (error) {
    if (abort.signal.aborted) return;
    if (!(error instanceof OutboundError)) return tell({ id, fault: error });
    const { code, message, details, refusal } = error;
    tell({ id, failure: { code, message, details, refusal } });
  } finally {
    underWay.delete(id);
  }
}

/** The kept part of a body may arrive in later packets. The answer is posted once, so this waits a little. */
async function awaitBeginning(response: OutboundResponse): Promise<void> {
  for (let n = 0; n < 10 && !response.isOver; n++) await systemClock.sleep(10);
}

function tell(told: ThreadAnswer): void {
  parentPort?.postMessage(told);
}
