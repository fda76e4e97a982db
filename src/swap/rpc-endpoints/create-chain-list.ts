import { onBehalfOfAll } from '../../kernel/cancel/presence.ts';
import { readJson } from '../../kernel/outbound-http/read-json.ts';
import type { Clock } from '../../kernel/time/clock.ts';
import { withDeadline } from '../../kernel/time/with-deadline.ts';
import { swapLimits } from '../limits.ts';
import type { Fetch } from './fetch.ts';
import { parseChainList } from './parse-chain-list.ts';

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
