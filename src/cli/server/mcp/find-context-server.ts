import { z } from 'zod';
import { isLoopbackHost } from '../../../kernel/network/is-loopback-host.ts';
import { parseUrl } from '../../../kernel/text/parse-url.ts';
import type { CommandInput } from '../../command.ts';
import { UsageError } from '../../input/usage-error.ts';
import { boundedFetch } from '../bounded-fetch.ts';
import { readAnswer } from '../read-answer.ts';
import { serverUrlOf } from '../server-option.ts';

/** An MCP server, and what one signs in to there. */
export type ContextServer = {
  readonly url: string;
  /** The whole host where it offers that, so that one sign-in serves every command; else the server alone. */
  readonly signInUrl: string;
  /** What the commands need of a whole host. */
  readonly scope: string | undefined;
};

/** For `tools`, `call`, `subscribe`, `listen` and `subscriptions`; other commands ask for more when they need it. */
const commandScopes = ['swap.read', 'subscriptions.read', 'subscriptions.write'];

/**
 * Where an MCP server is: what was given, or `/mcp` there where only a host was given and it answers at
 * that path. A host that offers what the commands need is signed in to as a whole; a path that was given
 * is asked by itself. Throws {@link UsageError}.
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
 * The address that was given as an operand, or that of the server which other commands ask. A host alone gets
 * `https://`, or `http://` where it is this machine. Throws {@link UsageError}.
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
  throw new UsageError(
    `The server ${JSON.stringify(text)} is not a URL: write it as in http://localhost:8787/mcp.`,
  );
}

/** The scopes of a host that describes itself as one resource (RFC 9728); none where it does not. */
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
