import type { z } from 'zod';
import type { OutboundFetch } from '../../../kernel/outbound-http/create-outbound-fetch.ts';
import { parseJson } from '../../../kernel/text/parse-json.ts';
import { ClientError } from '../client-error.ts';

export type DocumentRequest = {
  readonly fetch: OutboundFetch;
  /** Of MCP; servers may answer each version differently. */
  readonly protocolVersion: string;
  readonly signal?: AbortSignal | undefined;
};

/**
 * Reads a metadata document, or `undefined` where the server has none: an answer in the 300s and 400s, or
 * something that is no JSON object, such as the page that some servers answer for every path. Both names
 * of the version header are sent: `Ctx-Protocol-Version`, and the one that servers in the field read.
 *
 * Throws `UNREACHABLE` for an answer in the 500s, which says nothing about the document, and
 * `INVALID_ANSWER` for a document that lacks what it must have.
 */
export async function readDocument<Schema extends z.ZodType>(
  url: string,
  schema: Schema,
  { fetch, protocolVersion, signal }: DocumentRequest,
): Promise<z.output<Schema> | undefined> {
  const response = await fetch(url, {
    headers: {
      accept: 'application/json',
      'ctx-protocol-version': protocolVersion,
      'mcp-protocol-version': protocolVersion,
    },
    signal,
  });
  const { origin, pathname } = new URL(url);
  if (response.status >= 500) {
    throw new ClientError(
      'UNREACHABLE',
      `${origin}${pathname} answers ${response.status}: try again, or ask the operator of the server.`,
    );
  }
  if (!response.ok) return undefined;
  const body: unknown = await response
    .text()
    .then(parseJson)
    .catch(() => undefined);
  if (typeof body !== 'object' || body === null) return undefined;
  const document = schema.safeParse(body);
  if (document.success) return document.data;
  const [problem] = document.error.issues;
  const where = problem?.path.join('.') || 'the document';
  throw new ClientError(
    'INVALID_ANSWER',
    `The document at ${origin}${pathname} is invalid (${where}: ${problem?.message}): ask the operator of the server to correct it.`,
  );
}
