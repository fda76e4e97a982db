import type { z } from 'zod';
import { errorEnvelope, type SwapOperation, successEnvelope } from '../../swap/wire.ts';
import { plainText } from '../plain-text.ts';
import { explainFailedRequest } from './explain-failed-request.ts';
import { notATradewind } from './not-a-tradewind.ts';
import { readAnswer } from './read-answer.ts';
import { ServerError } from './server-error.ts';

/** Asks a running server, as any other client would. */
export type ServerClient = {
  /** The origin of the server, without the parts of its URL that may be secret. */
  readonly origin: string;
  get<Data extends z.ZodObject>(
    operation: SwapOperation<z.ZodObject, Data>,
    parameters?: Readonly<Record<string, string>>,
    options?: { readonly signal?: AbortSignal },
  ): Promise<z.output<Data>>;
};

/**
 * A client for the operations of the quote interface. Parameters named in the path of an operation go
 * there, all others into the query. Throws {@link ServerError} with the server's code if it refuses,
 * `SERVER_UNREACHABLE` if nobody answers and `NOT_A_TRADEWIND` for any other answer. Does not check the
 * URL.
 */
export function createServerClient(url: string, fetch: typeof globalThis.fetch): ServerClient {
  const { origin } = new URL(url);
  return {
    origin,
    async get({ path, data }, parameters = {}, options = {}) {
      const query = new URLSearchParams();
      let filled: string = path;
      for (const [name, value] of Object.entries(parameters)) {
        if (path.includes(`{${name}}`))
          filled = filled.replace(`{${name}}`, encodeURIComponent(value));
        else query.set(name, value);
      }
      const asked = `${url.replace(/\/$/, '')}${filled}?${query}`;
      const response = await fetch(asked, options).catch((cause) => {
        throw explainFailedRequest(origin, cause);
      });
      // A list of tokens is long, and parsing it delays nobody else here.
      const body = await readAnswer(response, { origin, mostValues: Number.POSITIVE_INFINITY });
      const refusal = errorEnvelope.safeParse(body);
      if (refusal.success) {
        const { code, message, details } = refusal.data.error;
        throw new ServerError(code, plainText(message), details && { details });
      }
      const answer = successEnvelope(data).safeParse(body);
      // The envelope's schema parsed `data` by this schema, which the compiler cannot infer from the generic.
      if (answer.success) return (answer.data as { data: z.output<typeof data> }).data;
      throw notATradewind(origin, { status: response.status, path });
    },
  };
}
