import { z } from 'zod';
import { plainText } from '../plain-text.ts';
import { notATradewind, readAnswer, readPages } from './server-client.ts';
import { explainFailedRequest, ServerError } from './server-error.ts';

/** A client as the registration endpoint describes it; further members are kept for `--json`. */
const clientSchema = z.looseObject({
  client_id: z.string(),
  client_secret: z.string().optional(),
  client_name: z.string().optional(),
  redirect_uris: z.array(z.string()).default([]),
  grant_types: z.array(z.string()).default([]),
  scope: z.string().default(''),
  origin: z.string().optional(),
  last_used_at: z.number().optional(),
});
const pageSchema = z.object({ clients: z.array(clientSchema), next: z.string().optional() });
const refusalSchema = z.object({ error: z.string(), error_description: z.string().default('') });

export type RegisteredClient = z.output<typeof clientSchema>;

/** Makes, lists and removes the clients of a running server, as its operator. */
export type RegistrationClient = {
  add(metadata: object): Promise<RegisteredClient>;
  list(): Promise<readonly RegisteredClient[]>;
  remove(clientId: string): Promise<void>;
};

/**
 * Calls the registration endpoint at its default path; `send` authenticates the requests. Throws {@link ServerError}
 * with the server's code if it refuses, `SERVER_UNREACHABLE` if nobody answers, and `NOT_A_TRADEWIND` for any other
 * answer. Does not check the URL.
 */
export function createRegistrationClient(url: string, send: typeof fetch): RegistrationClient {
  const { origin } = new URL(url);

  const ask = async (path: string, init: RequestInit = {}): Promise<unknown> => {
    const headers = { 'Content-Type': 'application/json' };
    const response = await send(`${origin}/register${path}`, { ...init, headers }).catch(
      (cause) => {
        throw explainFailedRequest(origin, cause);
      },
    );
    const body = await readAnswer(response, { origin });
    const isDone = init.method === 'DELETE' ? response.status === 204 : response.ok;
    if (isDone) return body;
    const refusal = refusalSchema.safeParse(body);
    if (!refusal.success) throw stranger(response.status);
    throw new ServerError(refusal.data.error, plainText(refusal.data.error_description));
  };

  return {
    async add(metadata) {
      // With open registration a POST needs no operator. The list does, so request it first to make sure.
      await ask('?limit=1');
      const body = await ask('', { method: 'POST', body: JSON.stringify(metadata) });
      return read(clientSchema, body);
    },
    async list() {
      const askPage = async (after = '') =>
        read(pageSchema, await ask(`?${new URLSearchParams({ after })}`));
      const pages: (readonly RegisteredClient[])[] = [];
      for await (const { clients } of readPages(askPage, ({ next }) => next)) pages.push(clients);
      return pages.flat();
    },
    async remove(clientId) {
      await ask(`/${encodeURIComponent(clientId)}`, { method: 'DELETE' });
    },
  };

  function read<T>(schema: z.ZodType<T>, body: unknown): T {
    const parsed = schema.safeParse(body);
    if (parsed.success) return parsed.data;
    throw stranger(200);
  }

  function stranger(status: number): ServerError {
    return notATradewind(origin, { status, path: '/register' });
  }
}
