import { Hono } from 'hono';
import { z } from 'zod';
import { edgeErrorStatus } from '../../kernel/edge/edge-error.ts';
import { countRequest } from '../../kernel/edge/limit-rate.ts';
import type { EdgeEnv, Mount } from '../../kernel/edge/mount.ts';
import type { RateLimiter } from '../../kernel/edge/rate-limiter.ts';
import { parseJson } from '../../kernel/text/json.ts';
import { linkSignals } from '../../kernel/wait/cancel.ts';
import type { Clock } from '../../kernel/wait/clock.ts';
import { type ContextCaller, type ContextRequest, callerKey, type Protect } from '../caller.ts';
import { createConnection } from '../connection.ts';
import { refuseMessage } from '../context-error.ts';
import { contextLimits } from '../limits.ts';
import { onStreamEnd } from './admit-listeners.ts';
import { contextService } from './context-service.ts';
import { readEventScopes, refuseEvents, type ScopesOfEvent } from './event-scopes.ts';

type ContextMountOptions = {
  readonly protect: Protect;
  /** The scope of each tool by its name. */
  readonly scopeOfTool: ReadonlyMap<string, string>;
  /** The scopes of which one allows events of a type. */
  readonly scopesOfEvent?: ScopesOfEvent;
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
  const { scopesOfEvent = async () => [] } = options;
  const limit = { limiter, policy: 'mcp', windowSeconds: 60 };
  const app = new Hono<EdgeEnv>();
  app.on(['GET', 'POST', 'DELETE'], '/mcp', async (c) => {
    const text = c.req.method === 'POST' ? await c.req.text() : undefined;
    const body = text === undefined ? undefined : readMessage(text);
    const request = withProtocolVersion(c.req.raw);
    const scope = requiredScope(body, scopeOfTool);
    const asked = await readEventScopes(body, scopesOfEvent);
    const needed = [...new Set([...scope, ...asked.scope])];
    const caller = await protect(c.req.raw, {
      scope: needed,
      oneOfEach: asked.oneOfEach,
      suggestedScope: [...new Set([...suggestedScope, ...needed])],
    });
    if (caller instanceof Response) return refuseEvents(caller, asked, needed);
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
    const connection = createConnection(clock);
    const response = await serve(request, { caller, body, signal, connection });
    return onStreamEnd(connection.watch(response), end);
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

const call = z.object({
  method: z.string(),
  params: z
    .object({
      name: z.string().optional().catch(undefined),
      notifications: z
        .object({ resourceSubscriptions: z.array(z.unknown()).min(1) })
        .optional()
        .catch(undefined),
    })
    .optional()
    .catch(undefined),
});

const pairScope = 'swap.read';

/**
 * The scopes that the messages of a body need, each once: those of the tools that they call, and the scope of
 * quotes for pairs. Everything else needs only a valid token. A body that is no message needs no scope here and
 * is refused later.
 */
function requiredScope(body: unknown, scopeOfTool: ReadonlyMap<string, string>): readonly string[] {
  const messages = Array.isArray(body) ? body : [body];
  const scopes = messages.flatMap((message) => {
    const { data } = call.safeParse(message);
    switch (data?.method) {
      case 'tools/call':
        return scopeOfTool.get(data.params?.name ?? '') ?? [];
      case 'resources/read':
      case 'resources/subscribe':
        return pairScope;
      case 'subscriptions/listen':
        return data.params?.notifications ? pairScope : [];
      default:
        return [];
    }
  });
  return [...new Set(scopes)];
}
