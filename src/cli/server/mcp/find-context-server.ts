import { z } from 'zod';
import { isLoopbackHost } from '../../../kernel/model/network.ts';
import { parseUrl } from '../../../kernel/text/url.ts';
import type { CommandInput } from '../../command.ts';
import { UsageError } from '../../input/usage-error.ts';
import { boundedFetch } from '../bounded-fetch.ts';
import { readAnswer } from '../server-client.ts';
import { refuseServer, serverUrlOf } from '../server-option.ts';

/** An MCP server, and the resource to sign in to. */
export type ContextServer = {
  readonly url: string;
  /** The whole host if it offers that, so that one sign-in serves every command; else the MCP server alone. */
  readonly signInUrl: string;
  /** The scopes that the commands need at a whole host. */
  readonly scope: string | undefined;
};

/** For `tools`, `call`, `subscribe`, `listen` and `subscriptions`; other commands ask for more when they need it. */
const commandScopes = ['swap.read', 'subscriptions.read', 'subscriptions.write'];

/**
 * Finds the MCP server at the given address. For a bare host that is `/mcp`, unless the host answers 404
 * there. The sign-in is for the whole host if it offers scopes that the commands need; if the address has a
 * path, it is for that path alone. Throws {@link UsageError}.
 */
export async function findContextServer(input: CommandInput): Promise<ContextServer> {
  const { origin, pathname, href } = parseServer(input);
  if (pathname !== '/') return { url: href, signInUrl: href, scope: undefined };
  const usual = `${origin}/mcp`;
  const answer = await boundedFetch(usual, { headers: { accept: 'text/event-stream' } }).catch(
    () => undefined,
  );
  await answer?.body?.cancel();
  const url = answer?.status === 404 ? href : usual;
  const offered = await readHostScopes(origin);
  const scope = commandScopes.filter((word) => offered.includes(word)).join(' ');
  return scope === ''
    ? { url, signInUrl: url, scope: undefined }
    : { url, signInUrl: origin, scope };
}

/**
 * The address given as an operand, else that of the server which other commands use. A bare host gets `https://`, or
 * `http://` if it is this machine. Throws {@link UsageError}.
 */
export function parseServer(input: CommandInput): URL {
  const [given] = input.operands;
  if (given !== undefined && input.flags.server !== undefined) {
    throw new UsageError(`${given} and --server name two servers: give one of them.`);
  }
  const text = given ?? serverUrlOf(input);
  const host = /^(\[[^\]]+\]|[^/:]+)/.exec(text)?.[1] ?? '';
  const url = parseUrl(
    text.includes('://') ? text : `${isLoopbackHost(host) ? 'http' : 'https'}://${text}`,
  );
  if (url !== undefined && /^https?:$/.test(url.protocol)) return url;
  throw refuseServer(text, 'http://localhost:8787/mcp');
}

/** The scopes of a host that describes itself as one resource (RFC 9728); none if it does not. */
async function readHostScopes(origin: string): Promise<readonly string[]> {
  const document = await boundedFetch(`${origin}/.well-known/oauth-protected-resource`, {
    redirect: 'error',
  })
    .then((answer) => readAnswer(answer, { origin }))
    .catch(() => undefined);
  const { data } = hostMetadata.safeParse(document);
  return data !== undefined && parseUrl(data.resource)?.href === `${origin}/`
    ? data.scopes_supported
    : [];
}

const hostMetadata = z.object({ resource: z.string(), scopes_supported: z.array(z.string()) });
