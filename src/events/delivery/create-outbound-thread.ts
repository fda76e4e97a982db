import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { type Network, writeNetwork } from '../../kernel/model/network.ts';
import type { OutboundResponse } from '../../kernel/outbound/exchange.ts';
import { logRefusal, OutboundError } from '../../kernel/outbound/guard-addresses.ts';
import type { OutboundHttp, OutboundLimits } from '../../kernel/outbound/outbound-http.ts';
import type { Logger } from '../../kernel/telemetry/logger.ts';
import { createCalls } from '../../kernel/wait/calls.ts';
import type { Clock } from '../../kernel/wait/clock.ts';
import { createDeadlines, type Deadline } from '../../kernel/wait/deadline.ts';
import type { ThreadAnswer, ThreadCall, ThreadFailure, ThreadOptions } from './outbound-thread.ts';

/** Beside this file, as source or compiled like it. */
const entry = new URL(`outbound-thread${extname(import.meta.url)}`, import.meta.url);

/** Milliseconds. A thread holds some 40 MB, and starting one takes as long as a hundred calls. */
const idleFor = 60_000;

/**
 * The client of `createOutboundHttp` on a thread of its own, so that its connections, timeouts and garbage
 * block nothing here. There it uses the clock and the resolver of the system. The thread starts with the first
 * request and ends after a minute without any, or at `close`; until then it keeps the process running. If it
 * ends by itself, running requests fail with the cause, and the next request starts another.
 */
export function createOutboundThread(options: {
  allowNetworks: readonly Network[];
  clock: Clock;
  limits?: Partial<OutboundLimits>;
  /** Told which kind of address was refused. */
  logger?: Pick<Logger, 'warn'>;
}): OutboundHttp {
  const { allowNetworks, clock, limits = {}, logger } = options;
  const workerData: ThreadOptions = { networks: allowNetworks.map(writeNetwork), limits };
  const deadlines = createDeadlines(clock);
  let thread: Worker | undefined;
  let idle: Deadline | undefined;
  let isClosed = false;

  const start = (): Worker => {
    const started = new Worker(entry, { workerData });
    let endedBy: unknown = new Error('The thread of outbound requests ended.');
    started.on('message', (answer: ThreadAnswer) => {
      if ('response' in answer) return calls.answer(answer.id, answer.response);
      const error = 'failure' in answer ? toError(answer.failure) : answer.fault;
      logRefusal(logger, error);
      calls.refuse(answer.id, error);
    });
    started.on('error', (error) => {
      endedBy = error;
    });
    started.on('exit', () => {
      if (thread !== started) return;
      thread = undefined;
      calls.refuseAll(endedBy);
    });
    return started;
  };
  const stayAwake = (): void => {
    if (idle !== undefined) deadlines.delete(idle);
    idle = undefined;
  };
  /** Does not wait for the thread, which could take as long as a DNS lookup in it. */
  const end = (): void => {
    void thread?.terminate();
    thread = undefined;
  };

  const calls = createCalls<OutboundResponse>({
    clock,
    onBusy: stayAwake,
    onIdle() {
      idle = deadlines.add(idleFor, end);
    },
  });

  return {
    async request({ signal, url, ...request }) {
      if (isClosed) throw new Error('A request was made after close.');
      const send = (message: ThreadCall) => thread?.postMessage(message);
      return calls.ask(
        (id) => {
          thread ??= start();
          send({ id, request: { ...request, url: String(url) } });
        },
        { signal, abandon: (id) => send({ id }) },
      );
    },
    async close() {
      isClosed = true;
      await calls.settled();
      stayAwake();
      end();
    },
  };
}

function toError({ code, message, details, refusal }: ThreadFailure): OutboundError {
  return new OutboundError(code, message, {
    refusal,
    ...(details === undefined ? {} : { details }),
  });
}
