import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { type Network, writeNetwork } from '../../kernel/model/network.ts';
import type { OutboundResponse } from '../../kernel/outbound/exchange.ts';
import { logRefusal, OutboundError } from '../../kernel/outbound/guard-addresses.ts';
import type { OutboundHttp, OutboundLimits } from '../../kernel/outbound/outbound-http.ts';
import type { Logger } from '../../kernel/telemetry/logger.ts';
import { onAbort } from '../../kernel/wait/cancel.ts';
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
  const underWay = new Map<number, PromiseWithResolvers<OutboundResponse>>();
  const deadlines = createDeadlines(clock);
  let thread: Worker | undefined;
  let idle: Deadline | undefined;
  let lastId = 0;
  let isClosed = false;

  const start = (): Worker => {
    const started = new Worker(entry, { workerData });
    let endedBy: unknown = new Error('The thread of outbound requests ended.');
    started.on('message', (answer: ThreadAnswer) => {
      const call = underWay.get(answer.id);
      if ('response' in answer) return call?.resolve(answer.response);
      const error = 'failure' in answer ? toError(answer.failure) : answer.fault;
      logRefusal(logger, error);
      call?.reject(error);
    });
    started.on('error', (error) => {
      endedBy = error;
    });
    started.on('exit', () => {
      if (thread !== started) return;
      thread = undefined;
      for (const { reject } of underWay.values()) reject(endedBy);
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

  return {
    async request({ signal, url, ...request }) {
      if (isClosed) throw new Error('A request was made after close.');
      signal?.throwIfAborted();
      thread ??= start();
      stayAwake();
      const id = ++lastId;
      const call = Promise.withResolvers<OutboundResponse>();
      const send = (message: ThreadCall) => thread?.postMessage(message);
      const abandon = () => {
        send({ id });
        call.reject(signal?.reason);
      };
      underWay.set(id, call);
      const stopListening = signal && onAbort(signal, abandon);
      try {
        send({ id, request: { ...request, url: String(url) } });
        return await call.promise;
      } finally {
        underWay.delete(id);
        stopListening?.();
        if (underWay.size === 0) idle = deadlines.add(idleFor, end);
      }
    },
    async close() {
      isClosed = true;
      await Promise.allSettled([...underWay.values()].map(({ promise }) => promise));
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
