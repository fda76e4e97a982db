import { lookup } from 'node:dns/promises';
import { Agent } from 'undici';
import type { Clock } from '../clock.ts';
import type { Network } from '../network/network.ts';
import { exchange, type OutboundResponse } from './exchange.ts';
import type { Resolve } from './guard-addresses.ts';
import { guardConnections } from './guard-connections.ts';
import { OutboundError } from './outbound-error.ts';
import { parseOutboundUrl } from './parse-outbound-url.ts';

export type OutboundRequest = {
  method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS';
  url: string;
  /** Not `Host`: that is taken from the URL, and TLS verifies it. */
  headers?: Readonly<Record<string, string>>;
  body?: string | Uint8Array;
  signal?: AbortSignal;
  /** For all of it: name, connection, waiting for a place, sending, and the whole answer. */
  timeoutMs?: number;
  maxResponseBytes?: number;
  /** Only status and headers matter: a body beyond that size is left unread instead of refused. */
  isBodyCut?: boolean;
  /** The receiver knows repeated requests as one, so this one may be pipelined and sent again. */
  idempotent?: boolean;
};

export type OutboundLimits = {
  timeoutMs: number;
  connectTimeoutMs: number;
  maxResponseBytes: number;
  /** Requests above this number, times `pipelining`, wait for one of the connections to an origin. */
  connectionsPerOrigin: number;
  /** How many idempotent requests may be under way on one connection. */
  pipelining: number;
  /** How long an unused connection is kept. */
  idleMs: number;
};

const defaultLimits: OutboundLimits = {
  timeoutMs: 10_000,
  connectTimeoutMs: 5_000,
  maxResponseBytes: 64 * 1024,
  connectionsPerOrigin: 16,
  pipelining: 1,
  idleMs: 10_000,
};

export type OutboundHttp = {
  request(request: OutboundRequest): Promise<OutboundResponse>;
  /** Waits for running requests, then closes the connections. */
  close(): Promise<void>;
};

/**
 * The one client for addresses that users give. It calls public addresses and the networks opened on
 * purpose, at any port, whatever the URL or the name service makes of the host; follows no redirect;
 * verifies certificates; and bounds the size, the time and the number of connections for each origin,
 * which it keeps alive. Bodies are given as they came: nothing is decompressed.
 *
 * `request` throws {@link OutboundError}, and the reason of its signal when that fires.
 */
export function createOutboundHttp(options: {
  allowNetworks: readonly Network[];
  clock: Clock;
  limits?: Partial<OutboundLimits>;
  resolve?: Resolve;
  /** PEM certificates to trust instead of the system's. */
  certificateAuthorities?: string;
}): OutboundHttp {
  const { allowNetworks, clock, resolve = resolveBySystem, certificateAuthorities } = options;
  const limits = { ...defaultLimits, ...options.limits };
  const { connectTimeoutMs } = limits;
  const agent = new Agent({
    connect: guardConnections({ resolve, allowNetworks, connectTimeoutMs, certificateAuthorities }),
    connections: limits.connectionsPerOrigin,
    pipelining: limits.pipelining,
    keepAliveTimeout: limits.idleMs,
    keepAliveMaxTimeout: limits.idleMs,
    maxHeaderSize: 16 * 1024,
    // One deadline covers the whole request; these would restart with every byte.
    headersTimeout: 0,
    bodyTimeout: 0,
  });

  return {
    async request({ method, url, headers = {}, body = '', signal, ...request }) {
      signal?.throwIfAborted();
      const { origin, pathname, search } = parseOutboundUrl(url);
      const { timeoutMs = limits.timeoutMs, maxResponseBytes = limits.maxResponseBytes } = request;
      const pipelined = request.idempotent === true ? { idempotent: true, blocking: false } : {};
      const { response, abort } = exchange({
        dispatcher: agent,
        request: { origin, path: pathname + search, method, headers, body, ...pipelined },
        maxResponseBytes,
        ...(request.isBodyCut === undefined ? {} : { isBodyCut: request.isBodyCut }),
      });
      const settled = new AbortController();
      const onAbort = () => abort(signal?.reason);
      signal?.addEventListener('abort', onAbort, { once: true });
      clock.sleep(timeoutMs, settled.signal).then(() => {
        if (!settled.signal.aborted) abort(timedOut(origin, timeoutMs));
      });
      try {
        return await response;
      } finally {
        // With a reason, since making the usual one costs more than all else here.
        settled.abort('settled');
        signal?.removeEventListener('abort', onAbort);
      }
    },
    close: () => agent.close(),
  };
}

function timedOut(origin: string, timeoutMs: number): OutboundError {
  return new OutboundError('TIMED_OUT', `${origin} did not answer in full within ${timeoutMs} ms.`);
}

const resolveBySystem: Resolve = async (hostname) =>
  (await lookup(hostname, { all: true })).map(({ address }) => address);
