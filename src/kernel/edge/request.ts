import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { IpAddress } from '../model/network.ts';
import { longestRequestUrl, parseUrl } from '../text/url.ts';

/**
 * The parts of a request that the rules of the edge read. Requests come in through Hono or directly
 * to an {@link Endpoint}; both ways convert them to this type, so that every rule is written once.
 */
export type EdgeRequest = {
  readonly method: string;
  /** Without the query string. */
  readonly path: string;
  /** By which the server was called. */
  readonly address: RequestAddress;
  /** Absent if the request was made inside the process, as in tests. */
  readonly connection: Connection | undefined;
  /** A header by its name in lower case; one that was sent several times is joined by commas. */
  header(name: string): string | undefined;
  /**
   * Calls back once the body has arrived or its sender has left, and tells of the bytes of each part that comes before. Absent if
   * the request was made inside the process.
   */
  whenReceived?(done: () => void, came?: (bytes: number) => void): void;
  /** Whether the caller hung up. */
  isAborted(): boolean;
};

/** A header of Node.js, as {@link EdgeRequest} shows it. */
export function readHeader(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' ? value : value?.join(', ');
}

/** The socket a request came in on. The listener fills it; tests hand it to `app.request` as the environment. */
export type Connection = {
  /** Address of the peer; absent when the peer is gone already. */
  readonly remoteAddress?: string;
  /** Whether this server itself terminated the TLS of the connection. */
  readonly encrypted: boolean;
  /** Whether it is closed, so that no answer reaches anybody. Absent in tests, where nobody hangs up. */
  isClosed?(): boolean;
  /** Closes it at once. Absent in tests. */
  close?(): void;
};

/** The other end of a connection, as the edge judges it. */
export type Peer = {
  readonly address: IpAddress | undefined;
  /** Whether it is on this machine. */
  readonly isLocal: boolean;
  /** Whether it is a declared proxy, whose `Forwarded` and `X-Forwarded-*` headers are believed. */
  readonly isProxy: boolean;
};

/** Who is calling, as far as the network can tell: the peer, or whom a declared proxy speaks for. */
export type Caller = {
  /** The exact address, for the log. */
  readonly address: string;
  /** What rate limits are keyed by: the IPv4 address, or the IPv6 /64. */
  readonly key: string;
};

/**
 * The address by which a server was called, read once. Whoever has this value has nothing left to parse: every part is text
 * that a URL can have.
 */
export type RequestAddress = {
  /** Scheme, host and port, with the parts below, as a URL has them. */
  readonly origin: string;
  readonly protocol: string;
  readonly host: string;
  readonly hostname: string;
  readonly port: string;
  readonly pathname: string;
  /** What follows the question mark, undecoded. */
  readonly query: string;
  readonly href: string;
  /**
   * The names of the hosts as they were written, in lower case: that of the request target and that of the `Host` header.
   * They are one name unless the target is a whole address, which outranks the header (RFC 9112 section 3.2.2).
   */
  readonly hosts: readonly string[];
};

/** What a request says about its address. */
type WrittenAddress = {
  /** Whether the connection is TLS. */
  readonly encrypted: boolean;
  /** The request target: a path with a query, or a whole address. */
  readonly target: string;
  /** The `Host` header. */
  readonly host: string | undefined;
};

/** A host and a port, in the characters that RFC 3986 section 3.2 gives them. */
const authority = /^(\[[0-9a-f:.]{2,45}\]|[\w.~!$&'()*+,;=%-]{1,255})(?::(\d{1,5}))?$/i;
const wholeAddress = /^https?:\/\/([^/?#]*)/i;
/** A target that a URL parser would not change. */
const plainTarget = /^((?:\/[\w-]+)+)(?:\?([\w.,:%&=+*-]*))?$/;

type Site = Pick<RequestAddress, 'origin' | 'protocol' | 'host' | 'hostname' | 'port' | 'hosts'>;

/**
 * Returns a function that reads the address of a request. `undefined` if it has none: a target that is neither a path nor an
 * address of the web, a host that no URL can have, or a backslash in the path, which some readers take for a slash.
 */
export function createAddressReader(): (written: WrittenAddress) => RequestAddress | undefined {
  // All requests of a caller name the same host.
  let [knownAs, known]: [string, Site | undefined] = ['', undefined];
  const siteAt = (protocol: string, host: string) => {
    const text = `${protocol}//${host}`;
    if (text !== knownAs) [knownAs, known] = [text, readSite(protocol, host)];
    return known;
  };

  return ({ encrypted, target, host }) => {
    const protocol = encrypted ? 'https:' : 'http:';
    const site = host === undefined ? undefined : siteAt(protocol, host);
    const [plain, pathname = '', query = ''] = plainTarget.exec(target) ?? [];
    if (plain !== undefined) {
      return site && { ...site, pathname, query, href: `${site.origin}${plain}` };
    }
    const [, targetHost] = wholeAddress.exec(target) ?? [];
    if (targetHost === undefined) {
      return site && target.startsWith('/') ? readTarget(site, target) : undefined;
    }
    return host !== undefined && site === undefined
      ? undefined
      : readWhole(target, { targetHost, hosts: site?.hosts ?? [] });
  };
}

function readSite(protocol: string, host: string): Site | undefined {
  const [, name] = authority.exec(host) ?? [];
  const url = name === undefined ? undefined : parseUrl(`${protocol}//${host}`);
  return name === undefined || url === undefined
    ? undefined
    : { ...siteOf(url), hosts: [name.toLowerCase()] };
}

function siteOf({ origin, protocol, host, hostname, port }: URL): Omit<Site, 'hosts'> {
  return { origin, protocol, host, hostname, port };
}

function readWhole(
  target: string,
  { targetHost, hosts }: { readonly targetHost: string; readonly hosts: readonly string[] },
): RequestAddress | undefined {
  const url = parseUrl(target, { longest: longestRequestUrl });
  if (url === undefined) return undefined;
  // With credentials, which a request target must not have, it is the name of no host.
  const named = [hostNameOf(targetHost) ?? '', ...hosts];
  const rest = target.slice(target.indexOf('//') + 2 + targetHost.length);
  return readTarget({ ...siteOf(url), hosts: named }, rest);
}

function readTarget(site: Site, target: string): RequestAddress | undefined {
  const path = /^[^?#]*/.exec(target)?.[0] ?? '';
  if (path.includes('\\') || (path !== '' && path[0] !== '/')) return undefined;
  const url = parseUrl(`${site.origin}${target}`, { longest: longestRequestUrl });
  if (url === undefined) return undefined;
  const { pathname, search, href } = url;
  return { ...site, pathname, query: search.slice(1), href };
}

/** The name in a host with or without a port, in lower case; `undefined` if it is none. */
export function hostNameOf(host: string): string | undefined {
  return authority.exec(host)?.[1]?.toLowerCase();
}

/** The parameters in the query of a `Request`. */
export function queryOf({ url }: { readonly url: string }): URLSearchParams {
  return new URLSearchParams(addressOf(url).query);
}

/**
 * The address of a request that the listener has read before, or that was made inside the process: the address of a
 * `Request` is always a URL. A `Host` header that is none is kept as the name of no host.
 */
export function addressOf(href: string, host?: string): RequestAddress {
  const url = new URL(href);
  const hosts = host === undefined ? [url.hostname] : [url.hostname, hostNameOf(host) ?? ''];
  return { ...siteOf(url), pathname: url.pathname, query: url.search.slice(1), href, hosts };
}

/** Decodes as the web does, which drops a byte order mark. */
const utf8 = new TextDecoder();

/** Reads a body as UTF-8. Does not limit its size. Rejects when the caller hangs up before its end. */
export function readBody(incoming: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.once('end', () => {
      const [only] = chunks;
      const body = chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks);
      resolve(utf8.decode(body));
    });
    incoming.once('error', reject);
  });
}
