import type { Clock } from '../../../../kernel/time/clock.ts';
import type { Block } from '../../chain-reader.ts';
import type { EndpointFailure } from '../endpoint-failure.ts';
import type { RpcEndpoint } from './create-endpoint.ts';

type Head = Pick<Block, 'number' | 'hash' | 'timestamp'>;

export type HeadWatch = {
  /** Whether at least two endpoints have lately reported their heads. */
  hasCompared(): boolean;
  /** A failure if the head is further ahead of all that were reported before than time allows. */
  note(endpoint: RpcEndpoint, head: Head): EndpointFailure | undefined;
  /** A failure if the head lies too far behind one that another endpoint reported. */
  lagOf(head: Head): EndpointFailure | undefined;
  /** Notes that an endpoint has answered for this block. */
  vouchFor(hash: string): void;
  /** Marks as failed whoever reported a block that no endpoint could answer for, and forgets the report [F66]. */
  disown(hash: string): void;
};

/**
 * How long a reported head counts, in milliseconds. Longer would let an endpoint that once claimed a
 * far future outlaw all others; shorter would forget the true head when the endpoint that knew it dies.
 */
const headLifetime = 60_000;

/** More blocks than any chain makes in a millisecond, and more than an endpoint may lie behind another. */
const mostBlocksPerMs = 1n;
const mostBlocksApart = 1_000_000n;

/** Compares the heads that the endpoints of one chain report. */
export function createHeadWatch(options: { toleratedLag: bigint; clock: Clock }): HeadWatch {
  const { toleratedLag, clock } = options;
  const reports = new Map<RpcEndpoint, { head: Head; until: number; isVouchedFor: boolean }>();
  let highest: { number: bigint; at: number } | undefined;

  function recentHeads(): Head[] {
    const now = clock.now();
    for (const [endpoint, { until }] of reports) if (until <= now) reports.delete(endpoint);
    return [...reports.values()].map(({ head }) => head);
  }

  /** By how many blocks the head is further ahead than time allows. */
  function leapOf({ number }: Head): bigint {
    if (highest === undefined) return 0n;
    const passed = BigInt(Math.max(0, Math.ceil(clock.elapsed() - highest.at)));
    return number - highest.number - mostBlocksApart - passed * mostBlocksPerMs;
  }

  return {
    hasCompared: () => recentHeads().length > 1,
    note(endpoint, head) {
      if (leapOf(head) > 0n) {
        const message = `its newest block ${head.number} is further ahead than time allows`;
        return { reason: 'garbage', message };
      }
      if (highest === undefined || head.number >= highest.number) {
        highest = { number: head.number, at: clock.elapsed() };
      }
      const last = reports.get(endpoint);
      const isVouchedFor = last?.head.hash === head.hash && last.isVouchedFor;
      reports.set(endpoint, { head, until: clock.now() + headLifetime, isVouchedFor });
      return undefined;
    },
    lagOf({ number, timestamp }) {
      // A head as late as another is not behind it, whatever number somebody gives the other.
      const lag = recentHeads()
        .filter((other) => other.timestamp > timestamp)
        .reduce((most, other) => (other.number - number > most ? other.number - number : most), 0n);
      if (lag <= toleratedLag) return undefined;
      return {
        reason: 'lagging',
        message: `its newest block ${number} is ${lag} behind that of another endpoint`,
      };
    },
    vouchFor(hash) {
      for (const report of reports.values())
        if (report.head.hash === hash) report.isVouchedFor = true;
    },
    disown(hash) {
      const claims = [...reports].filter(([, { head }]) => head.hash === hash);
      // A reorganisation removes blocks for which somebody has answered before.
      if (claims.some(([, { isVouchedFor }]) => isVouchedFor)) return;
      for (const [endpoint, { head }] of claims) {
        reports.delete(endpoint);
        const message = `no endpoint could answer for its newest block ${head.number}`;
        endpoint.failed({ reason: 'garbage', message, retryAfterMs: headLifetime });
      }
      if (claims.length > 0) highest = undefined;
    },
  };
}
