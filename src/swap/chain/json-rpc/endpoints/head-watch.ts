import type { Clock } from '../../../../kernel/time/clock.ts';
import type { EndpointFailure } from '../endpoint-failure.ts';
import type { RpcEndpoint } from './create-endpoint.ts';

export type HeadWatch = {
  /** Whether at least two endpoints have lately reported their heads. */
  hasCompared(): boolean;
  note(endpoint: RpcEndpoint, head: bigint): void;
  /** A failure if the head lies too far behind one that another endpoint reported. */
  lagOf(head: bigint): EndpointFailure | undefined;
};

/**
 * How long a reported head counts, in milliseconds. Longer would let an endpoint that once claimed a
 * far future outlaw all others; shorter would forget the true head when the endpoint that knew it dies.
 */
const headLifetime = 60_000;

/** Compares the heads that the endpoints of one chain report. */
export function createHeadWatch(options: { toleratedLag: bigint; clock: Clock }): HeadWatch {
  const { toleratedLag, clock } = options;
  const reports = new Map<RpcEndpoint, { head: bigint; until: number }>();

  function recentHeads(): bigint[] {
    const now = clock.now();
    for (const [endpoint, { until }] of reports) if (until <= now) reports.delete(endpoint);
    return [...reports.values()].map(({ head }) => head);
  }

  return {
    hasCompared: () => recentHeads().length > 1,
    note(endpoint, head) {
      reports.set(endpoint, { head, until: clock.now() + headLifetime });
    },
    lagOf(head) {
      const lag = recentHeads().reduce(
        (most, other) => (other - head > most ? other - head : most),
        0n,
      );
      if (lag <= toleratedLag) return undefined;
      return {
        reason: 'lagging',
        message: `its newest block ${head} is ${lag} behind that of another endpoint`,
      };
    },
  };
}
