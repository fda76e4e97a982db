import {
  type McpServer,
  ProtocolError,
  ProtocolErrorCode,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { ContextCaller } from './caller.ts';
import type { Connection } from './connection.ts';
import type { ListenerAdmission } from './http/admit-listeners.ts';
import { contextLimits } from './limits.ts';
import { type EventStep, type EventUseCases, eventMethods } from './use-cases.ts';

/** The keys by which clients see that a server has events: that of the sketch, and that of the SEP (M1, M2). */
export const eventCapabilities = {
  events: {},
  extensions: { 'io.modelcontextprotocol/events': {} },
};

export type EventsRegistration = {
  readonly events: EventUseCases;
  callerOf(context: ServerContext): ContextCaller;
  /** Where the stream of a request goes; undefined where a local process reads it. */
  connectionOf?(context: ServerContext): Connection | undefined;
  /** Counts open streams; without it they are not counted. */
  readonly listeners?: ListenerAdmission | undefined;
  readonly onError: (error: unknown) => void;
};

const anything = z.looseObject({});
const subscriptionId = 'io.modelcontextprotocol/subscriptionId';

/**
 * Registers the methods of MCP Events on a protocol server, in either era of the protocol (M3). Does not check the scopes of
 * a method: that happens before a request reaches the server, and again in the use case.
 */
export function registerEvents(server: McpServer, options: EventsRegistration): void {
  const { events, callerOf } = options;
  for (const method of eventMethods) {
    server.server.setRequestHandler(method, { params: anything }, (params, context) =>
      explaining(options, async () => {
        const asked = { caller: callerOf(context), signal: context.mcpReq.signal };
        return { ...(await events.ask(method, withoutMeta(params), asked)) };
      }),
    );
  }
  server.server.setRequestHandler('events/stream', { params: anything }, (params, context) =>
    explaining(options, () => stream(withoutMeta(params), context, options)),
  );
}

/** What a request says of itself, such as the revision, is no parameter of the method. */
function withoutMeta({ _meta, ...params }: Record<string, unknown>): object {
  return params;
}

async function stream(
  params: object,
  context: ServerContext,
  { events, callerOf, connectionOf, listeners }: EventsRegistration,
): Promise<Record<string, never>> {
  const { signal, notify, id } = context.mcpReq;
  const caller = callerOf(context);
  const connection = connectionOf?.(context);
  const admitted = listeners?.enter(caller, { pairs: 0, end: () => connection?.end() });
  if (admitted !== undefined && 'refusal' in admitted) throw tooManyStreams();
  try {
    for await (const step of await events.stream(params, { caller, signal })) {
      const { method, told } = toNotification(step);
      const notification = { method, params: { ...told, _meta: { [subscriptionId]: id } } };
      connection?.wrote(Buffer.byteLength(JSON.stringify(notification)));
      await notify(notification);
      await connection?.drained(signal);
      if (step.kind === 'terminated') return {};
    }
    // Neither the client nor its rights ended it: it shall come back (M60).
    if (!signal.aborted && connection === undefined) throw broken();
    if (!signal.aborted) connection?.end();
    return {};
  } finally {
    admitted?.leave();
  }
}

function toNotification(step: EventStep): { method: string; told: object } {
  const { kind, ...rest } = step;
  const method = `notifications/events/${kind}`;
  if (step.kind !== 'event') return { method, told: rest };
  return { method, told: { ...step.occurrence, cursor: step.cursor } };
}

/** A refusal becomes the JSON-RPC error that the use case has for it, a fault one without details. */
async function explaining<Answer>(
  { events, onError }: EventsRegistration,
  answer: () => Promise<Answer>,
): Promise<Answer> {
  try {
    return await answer();
  } catch (error) {
    if (error instanceof ProtocolError) throw error;
    const told = events.toError(error);
    if (told !== undefined) throw new ProtocolError(told.code, told.message, told.data);
    onError(error);
    throw new ProtocolError(
      ProtocolErrorCode.InternalError,
      'Something went wrong on this server; its log says what. Try again later.',
    );
  }
}

/** A local client takes a result for the end for good (M60). */
function broken(): ProtocolError {
  const message = 'The stream broke: ask again with the last cursor.';
  return new ProtocolError(ProtocolErrorCode.InternalError, message);
}

/** As MCP Events says it of any limit (M61). */
function tooManyStreams(): ProtocolError {
  const max = contextLimits.listenersOfCaller.value;
  return new ProtocolError(-32_013, 'ResourceExhausted', {
    limit: 'open_streams',
    max,
    retryAfterMs: 60_000,
  });
}
