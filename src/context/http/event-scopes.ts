import { z } from 'zod';
import type { EventUseCases } from '../use-cases.ts';

/** The scopes of which one allows events of a type; none if it needs none. */
export type ScopesOfEvent = EventUseCases['scopesOf'];

/** What the methods of MCP Events in a body need (M66). */
export type EventScopes = {
  readonly scope: readonly string[];
  /** One of each of these lists, too. */
  readonly oneOfEach: readonly (readonly string[])[];
  /** The id of the first such message; undefined if there is none. */
  readonly id: string | number | undefined;
};

const eventMessage = z.object({
  id: z.union([z.string(), z.number()]).optional().catch(undefined),
  method: z.string().startsWith('events/'),
  params: z
    .object({ name: z.string().optional().catch(undefined) })
    .optional()
    .catch(undefined),
});

const [read, write] = ['subscriptions.read', 'subscriptions.write'];

/** Finds what the event methods in a body need: to list the types a token is enough. */
export async function readEventScopes(
  body: unknown,
  scopesOfEvent: ScopesOfEvent,
): Promise<EventScopes> {
  const asked = [body].flat().flatMap((message) => eventMessage.safeParse(message).data ?? []);
  const scope = new Set<string>();
  const oneOfEach: (readonly string[])[] = [];
  for (const { method, params } of asked) {
    if (method === 'events/subscribe' || method === 'events/unsubscribe') scope.add(write);
    if (method === 'events/poll' || method === 'events/stream') oneOfEach.push([read, write]);
    const isBound = ['events/subscribe', 'events/poll', 'events/stream'].includes(method);
    const scopes = isBound && params?.name ? await scopesOfEvent(params.name) : [];
    if (scopes.length > 0) oneOfEach.push(scopes);
  }
  return { scope: [...scope], oneOfEach, id: asked.find(({ id }) => id !== undefined)?.id };
}

const forbidden = -32_012;

/** The refusal of a token with too few scopes, with the challenge and the body that such clients read (M64). */
export function refuseEvents(
  refusal: Response,
  { id, oneOfEach }: EventScopes,
  needed: readonly string[],
): Response {
  if (refusal.status !== 403 || id === undefined) return refusal;
  const scope = [...needed, ...oneOfEach.map((some) => some.join(' or '))].join(' ');
  const error = {
    code: forbidden,
    message: 'Forbidden',
    data: { reason: 'insufficient_scope', scope },
  };
  const headers = new Headers(refusal.headers);
  headers.delete('content-length');
  headers.set('content-type', 'application/json');
  return new Response(JSON.stringify({ jsonrpc: '2.0', error, id }), { status: 403, headers });
}
