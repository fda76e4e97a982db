import { Hono } from 'hono';
import { linkSignals } from '../../kernel/cancel/link-signals.ts';
import { countRequest } from '../../kernel/http/gate/limit-rate.ts';
import { edgeErrorStatus } from '../../kernel/http/messages/edge-error.ts';
import type { EdgeEnv } from '../../kernel/http/mount/edge-env.ts';
import type { Mount } from '../../kernel/http/mount/mount.ts';
import type { RateLimiter } from '../../kernel/rate-limit/rate-limiter.ts';
import { parseJson } from '../../kernel/text/parse-json.ts';
import type { Clock } from '../../kernel/time/clock.ts';
import { type ContextCaller, callerKey, type Protect } from '../caller.ts';
import type { ContextRequest } from '../context-request.ts';
import { contextLimits } from '../limits.ts';
import { refuseMessage } from '../refuse-message.ts';
import { contextService } from './context-service.ts';
import { onStreamEnd } from './on-stream-end.ts';
import { requiredScope } from './required-scope.ts';

export type ContextMountOptions = {
  readonly protect: Protect;
  /** The scope of each tool by its name. */
  readonly scopeOfTool: ReadonlyMap<string, string>;
  /** The scopes in the challenge for callers without a token. */
  readonly suggestedScope: readonly string[];
  /** Counts the messages of each caller. */
  readonly limiter: RateLimiter;
  /** Answers in the revision that the request speaks. */
  serve(request: Request, options: ContextRequest): Promise<Response>;
  /** Fires when the process ends. */
  readonly signal: AbortSignal;
  readonly clock: Clock;
};

// A client that listens for longer must open a new stream, and is checked again.
const longestStreamMs = contextLimits.streamTime.value;

/**
 * `/mcp`: MCP over Streamable HTTP. Every request is checked on its own (S3), once, for exactly the
 * scopes that it needs. A stream ends with the token that opened it.
 */
export function createContextMount(options: ContextMountOptions): Mount {
  const { protect, scopeOfTool, suggestedScope, limiter, serve, clock } = options;
  const limit = { limiter, policy: 'mcp', windowSeconds: 60 };
  const app = new Hono<EdgeEnv>();
  app.on(['GET', 'POST', 'DELETE'], '/mcp', async (c) => {
    const text = c.req.method === 'POST' ? await c.req.text() : undefined;
    const body = text === undefined ? undefined : readMessage(text);
    const request = withProtocolVersion(c.req.raw);
    const scope = requiredScope(body, scopeOfTool);
    const caller = await protect(c.req.raw, {
      scope,
      suggestedScope: [...new Set([...suggestedScope, ...scope])],
    });
    if (caller instanceof Response) return caller;
    // At least one: a batch without messages is a request too.
    const cost = Array.isArray(body) ? Math.max(1, body.length) : 1;
    await countRequest(limit, callerKey(caller), cost);
    if (text !== undefined && body === undefined) {
      const message = `The body is not JSON, is nested too deeply, or is a batch of more than ${mostMessages} messages: send one JSON-RPC message.`;
      return refuseMessage({ status: 400, code: -32_700, message });
    }
    if (options.signal.aborted) {
      const message = 'This server is shutting down: try again in a moment.';
      return refuseMessage({ status: 503, code: -32_000, message });
    }
    const { signal, end } = limitLife(caller);
    return onStreamEnd(await serve(request, { caller, body, signal }), end);
  });
  return {
    app,
    paths: { '/mcp': {} },
    service: contextService,
    writeRefusal: ({ code, message }) =>
      refuseMessage({ status: edgeErrorStatus[code], code: -32_000, message }),
  };

  function limitLife(caller: ContextCaller): { signal: AbortSignal; end: () => void } {
    const over = linkSignals(options.signal);
    const ended = new AbortController();
    const left = Math.min(caller.expiresAt - clock.now(), longestStreamMs);
    void clock.sleep(Math.max(0, left), ended.signal).then(() => over.abort());
    const stopWaiting = caller.onRevoked?.(() => over.abort());
    return {
      signal: over.signal,
      end() {
        over.release();
        ended.abort();
        stopWaiting?.();
      },
    };
  }
}

const { value: mostMessages } = contextLimits.batch;

function readMessage(text: string): unknown {
  try {
    const body = parseJson(text);
    return Array.isArray(body) && body.length > mostMessages ? undefined : body;
  } catch {
    return undefined;
  }
}

/** The library reads one of the two header names (S7), and the body was parsed already. */
function withProtocolVersion({ url, method, headers: given, signal }: Request): Request {
  const headers = new Headers(given);
  const version = headers.get('mcp-protocol-version') ?? headers.get('ctx-protocol-version');
  if (version !== null) headers.set('mcp-protocol-version', version);
  return new Request(url, { method, headers, signal });
}
