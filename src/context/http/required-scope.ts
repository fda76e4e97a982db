import { z } from 'zod';

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
export function requiredScope(
  body: unknown,
  scopeOfTool: ReadonlyMap<string, string>,
): readonly string[] {
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
