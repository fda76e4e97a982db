import { lookup } from 'node:dns/promises';
import {
  isInNetworks,
  isLoopbackHost,
  type Network,
  parseIpAddress,
  parseNetworks,
} from '../../kernel/model/network.ts';
import { OutboundError, type Resolve } from '../../kernel/outbound/guard-addresses.ts';
import { createOutboundFetch, type OutboundFetch } from '../../kernel/outbound/outbound-fetch.ts';
import { createOutboundHttp } from '../../kernel/outbound/outbound-http.ts';
import { longestRequestUrl, parseUrl } from '../../kernel/text/url.ts';
import { type Clock, systemClock } from '../../kernel/wait/clock.ts';
import { ClientError } from './client-error.ts';

/**
 * The characters that an address may contain. RFC 3986 allows more, but endpoints of honest servers do
 * not use them, and shells interpret `$`, quotes, parentheses, semicolons and spaces.
 */
const harmless = /^https?:\/\/[\w.~:/?#[\]@&+,=%*-]+$/i;

/**
 * Parses an address that a server named, before the client calls it or shows it to a browser: `https`,
 * or `http` on this machine; no credentials; only the characters of `harmless`, in case a later
 * program passes the address to a shell (CVE-2025-6514). `what` names the address in the message.
 *
 * Throws `UNSAFE_URL` and `INSECURE_URL`. Does not check where the host leads.
 */
export function checkUrl(text: string, what: string): URL {
  const url = harmless.test(text) ? parseUrl(text, { longest: longestRequestUrl }) : undefined;
  if (url === undefined || url.username !== '' || url.password !== '') {
    throw new ClientError(
      'UNSAFE_URL',
      `The ${what} is not an http:// or https:// URL without credentials and special characters, so nothing was opened or called: ask the operator of the server to correct it.`,
    );
  }
  if (url.protocol === 'http:' && !isLoopbackHost(url.hostname)) {
    throw new ClientError(
      'INSECURE_URL',
      `The ${what} at ${url.origin} is plain HTTP, and tokens are not sent over plain HTTP: use https://, or a server on this machine.`,
    );
  }
  return url;
}

// RFC 1918, RFC 4193, and RFC 6598, which overlay networks use.
const inner = parseNetworks([
  '10.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  'fc00::/7',
  '100.64.0.0/10',
]);
const thisMachine = parseNetworks(['loopback']);

/**
 * The `fetch` for addresses that an MCP server names: metadata, registration, tokens. A server may refer
 * the client to the public internet and to networks as close as its own: a server on this machine to this
 * machine and the private network, a server in the private network to that network. No server may refer it
 * to link-local addresses, where clouds serve credentials. Follows no redirect; limits sizes and times.
 *
 * Throws `UNSAFE_URL`, `INSECURE_URL`, `ADDRESS_REFUSED` and `UNREACHABLE`.
 */
export function createDiscoveryFetch(options: {
  serverUrl: URL;
  clock?: Clock;
  resolve?: Resolve;
  certificateAuthorities?: string | undefined;
}): OutboundFetch {
  const { serverUrl, clock = systemClock, resolve = resolveBySystem } = options;
  const { certificateAuthorities } = options;
  let opened: Promise<OutboundFetch> | undefined;

  async function open(): Promise<OutboundFetch> {
    const http = createOutboundHttp({
      allowNetworks: await networksNear(serverUrl.hostname, resolve),
      clock,
      resolve,
      // A token endpoint may have to ask an identity provider; metadata of large providers exceeds 64 KiB.
      limits: { timeoutMs: 30_000, connectTimeoutMs: 10_000, maxResponseBytes: 512 * 1024 },
      ...(certificateAuthorities === undefined ? {} : { certificateAuthorities }),
    });
    return createOutboundFetch(http);
  }

  return async (url, init) => {
    const { href, origin } = checkUrl(url, 'address named by the server');
    opened ??= open();
    const fetch = await opened;
    try {
      return await fetch(href, init);
    } catch (error) {
      throw explain(error, origin);
    }
  };
}

const resolveBySystem: Resolve = async (hostname) =>
  (await lookup(hostname, { all: true })).map(({ address }) => address);

async function networksNear(hostname: string, resolve: Resolve): Promise<readonly Network[]> {
  if (isLoopbackHost(hostname)) return [...thisMachine, ...inner];
  const literal = hostname.replace(/^\[(.*)\]$/, '$1');
  // If the name does not resolve, the call itself reports that.
  const texts = parseIpAddress(literal) ? [literal] : await resolve(hostname).catch(() => []);
  const addresses = texts.flatMap((text) => parseIpAddress(text) ?? []);
  const areAll = (networks: readonly Network[]) =>
    addresses.length > 0 && addresses.every((one) => isInNetworks(one, networks));
  if (areAll(thisMachine)) return [...thisMachine, ...inner];
  return areAll(inner) ? inner : [];
}

function explain(error: unknown, origin: string): unknown {
  if (!(error instanceof OutboundError)) return error;
  if (error.refusal !== undefined && error.refusal.kind !== 'unresolved') {
    return new ClientError(
      'ADDRESS_REFUSED',
      `The server refers to ${origin}, which is in a private network: a server on the public internet may not refer there.`,
      { cause: error },
    );
  }
  return new ClientError('UNREACHABLE', error.message, { cause: error });
}
