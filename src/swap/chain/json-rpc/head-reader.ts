import type { Clock } from '../../../kernel/wait/clock.ts';
import { TimedOut, withDeadline } from '../../../kernel/wait/deadline.ts';
import type { Block } from '../chain-reader.ts';
import { latestBlockRequests, readBlock } from './blocks-and-logs.ts';
import { hedgeDelay, type RpcEndpoint } from './endpoint.ts';
import { type EndpointFailure, isFailure } from './rpc-failures.ts';
import type { RpcAnswer } from './rpc-messages.ts';

/** Reads the newest block of endpoints, and remembers what each reported. */
type HeadReader = Pick<HeadWatch, 'lagOf' | 'vouchFor' | 'disown'> & {
  ask(endpoint: RpcEndpoint, signal: AbortSignal): Promise<Block | EndpointFailure>;
  /** The newest block, from answers to {@link latestBlockRequests} in a batch with other requests. */
  read(endpoint: RpcEndpoint, answers: readonly RpcAnswer[]): Block | EndpointFailure;
  /**
   * A lag of the first endpoint shows only against other heads. If none are known, asks two more endpoints.
   * Settles when both have answered or failed; undefined if there is nothing to ask.
   */
  compare(endpoints: () => readonly RpcEndpoint[]): Promise<void> | undefined;
};

/** Reads the heads of one chain; an endpoint that is slow to report its head beside others is marked as failed. */
export function createHeadReader(options: { toleratedLag: bigint; clock: Clock }): HeadReader {
  const { clock } = options;
  const watch = createHeadWatch(options);

  function read(endpoint: RpcEndpoint, answers: readonly RpcAnswer[]): Block | EndpointFailure {
    const block = readBlock(answers);
    return isFailure(block) ? block : (watch.note(endpoint, block) ?? block);
  }

  async function ask(endpoint: RpcEndpoint, signal: AbortSignal): Promise<Block | EndpointFailure> {
    const answers = await endpoint.send(latestBlockRequests, signal);
    return isFailure(answers) ? answers : read(endpoint, answers);
  }

  async function askOthers(endpoints: readonly RpcEndpoint[]): Promise<void> {
    const patience = hedgeDelay(undefined);
    const others = endpoints.filter(({ health }) => health.leftOutUntil <= clock.now()).slice(1, 3);
    await Promise.all(
      others.map(async (endpoint) => {
        const head = await withDeadline({ clock, milliseconds: patience }, (signal) =>
          ask(endpoint, signal),
        ).catch((error: unknown): EndpointFailure => {
          if (!(error instanceof TimedOut)) throw error;
          return { reason: 'slow', message: `no answer for ${patience} ms` };
        });
        if (isFailure(head)) endpoint.failed(head);
      }),
    );
  }

  return {
    ask,
    read,
    compare: (endpoints) => (watch.hasCompared() ? undefined : askOthers(endpoints())),
    lagOf: watch.lagOf,
    vouchFor: watch.vouchFor,
    disown: watch.disown,
  };
}

type Head = Pick<Block, 'number' | 'hash' | 'timestamp'>;

type HeadWatch = {
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
function createHeadWatch(options: { toleratedLag: bigint; clock: Clock }): HeadWatch {
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
