import { isIP } from 'node:net';
import { z } from 'zod';
import { readJson } from '../../kernel/text/json.ts';
import { parseUrl } from '../../kernel/text/url.ts';
import type { Clock } from '../../kernel/wait/clock.ts';
import { withDeadline } from '../../kernel/wait/deadline.ts';
import { onBehalfOfAll } from '../../kernel/wait/presence.ts';
import { swapLimits } from '../limits.ts';

const listUrl = 'https://chainid.network/chains.json';
const hourMs = 3_600_000;
const patienceMs = 10_000;

/** Some five times the size of the list in 2026. */
const bounds = {
  mostBytes: swapLimits.chainList.value,
  mostValues: swapLimits.chainListValues.value,
};

/** The public list of chains. */
export type ChainList = {
  /** The open endpoints that the list names for a chain. */
  endpointsOf(chainId: number, signal?: AbortSignal): Promise<readonly string[]>;
};

/**
 * Reads the public list of chains when it is first asked for, and again at most once an hour, also
 * after a failure. Without internet, or with a list that makes no sense, it quietly keeps what it
 * read last, which at first is nothing.
 */
export function createChainList({ fetch, clock }: { fetch: Fetch; clock: Clock }): ChainList {
  let reading: Promise<ReadonlyMap<number, readonly string[]>> = Promise.resolve(new Map());
  let nextReadAt = Number.NEGATIVE_INFINITY;

  async function read(signal?: AbortSignal) {
    return withDeadline({ clock, milliseconds: patienceMs, signal }, async (signal) => {
      const response = await fetch(listUrl, { method: 'GET', redirect: 'error', signal });
      return parseChainList(await readJson(response, bounds));
    });
  }

  return {
    async endpointsOf(chainId, signal) {
      if (clock.now() >= nextReadAt) {
        nextReadAt = clock.now() + hourMs;
        const before = reading;
        reading = onBehalfOfAll(() => read(signal)).catch(() => before);
      }
      return (await reading).get(chainId) ?? [];
    },
  };
}

/** Providers put keys into the path: long segments of letters and digits, or very long words. */
function isKeyLike(segment: string): boolean {
  return (/\d/.test(segment) && /^[\w-]{16,}$/.test(segment)) || /^[A-Za-z]{24,}$/.test(segment);
}

/** Some put keys into the host name. Chain names are shorter or have hyphens. */
function isKeyLikeLabel(label: string): boolean {
  return /\d/.test(label) && /^[a-z0-9]{20,}$/.test(label);
}

/** Names that mean something only inside a network. */
const inside = /^[^.]+$|\.(local|localhost|internal|lan|home\.arpa)$/;

/**
 * Whether an endpoint may be named to anyone: HTTPS, at a public name, and with nothing in it that
 * could be a credential: no user, no query, no template such as `${API_KEY}`, no key-like part of the
 * path or the host. It resolves no names; a public name may still lead to a private address.
 */
export function isOpenUrl(text: string): boolean {
  const url = /[${}<>]/.test(text) ? undefined : parseUrl(text);
  if (url === undefined) return false;
  if (url.protocol !== 'https:' || url.username || url.password || url.search || url.hash) {
    return false;
  }
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (isIP(host) !== 0 || inside.test(host)) return false;
  if (host.split('.').some(isKeyLikeLabel)) return false;
  return !url.pathname.split('/').some(isKeyLike);
}

/** Enough to choose five from, for chains that name a hundred. */
const mostPerChain = 40;

const chainList = z.array(z.object({ chainId: z.int().positive(), rpc: z.array(z.string()) }));

/**
 * The open endpoints in a list of chains as published at chainid.network, by chain id. Throws zod's
 * error for a text that is no such list.
 */
export function parseChainList(json: unknown): ReadonlyMap<number, readonly string[]> {
  const open = chainList.parse(json).map(({ chainId, rpc }) => {
    const urls = new Set(rpc.filter(isOpenUrl).map(normalizeUrl));
    return [chainId, [...urls].slice(0, mostPerChain)] as const;
  });
  return new Map(open);
}

/** One text for one endpoint, so that the same one from two lists counts once. */
export function normalizeUrl(text: string): string {
  const { href, pathname, search, hash } = new URL(text);
  return pathname === '/' && !search && !hash ? href.slice(0, -1) : href;
}

/** The part of `fetch` that the directory needs, passed in so that it can be confined. */
export type Fetch = (
  url: string,
  init: {
    readonly method: 'GET' | 'POST';
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: string;
    /** A redirect would be the answer of another server. */
    readonly redirect: 'error';
    readonly signal: AbortSignal;
  },
) => Promise<Response>;
