import type { Clock } from '../../../kernel/wait/clock.ts';
import { TimedOut, withDeadline } from '../../../kernel/wait/deadline.ts';
import { swapLimits } from '../../limits.ts';
import type { Block } from '../chain-reader.ts';
import { latestBlockRequests, readBlock } from './blocks-and-logs.ts';
import { hedgeDelay, type RpcEndpoint } from './endpoint.ts';
import { type EndpointFailure, isFailure } from './rpc-failures.ts';
import type { RpcAnswer } from './rpc-messages.ts';

/** Reads the newest block of endpoints, and remembers what each reported. */
type HeadReader = Pick<HeadWatch, 'doubt' | 'vouchFor' | 'disown'> & {
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
export function createHeadReader(options: {
  toleratedLag: bigint;
  highestGasPrice?: bigint | undefined;
  clock: Clock;
}): HeadReader {
  const { clock, highestGasPrice } = options;
  const watch = createHeadWatch(options);

  function read(endpoint: RpcEndpoint, answers: readonly RpcAnswer[]): Block | EndpointFailure {
    const block = readBlock(answers, highestGasPrice);
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
    doubt: watch.doubt,
    vouchFor: watch.vouchFor,
    disown: watch.disown,
  };
}

type Head = Pick<Block, 'number' | 'hash' | 'timestamp' | 'gasPrice'>;

type HeadWatch = {
  /** Whether at least two endpoints have lately reported their heads. */
  hasCompared(): boolean;
  /** A failure if the head is further ahead of what the endpoint reported before than time allows, or far behind it [F66, F94]. */
  note(endpoint: RpcEndpoint, head: Head): EndpointFailure | undefined;
  /** A failure if the head lies too far behind, or its gas price too far from, what other endpoints reported [Q16, F94]. */
  doubt(head: Head): EndpointFailure | undefined;
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

const timesMiddle = BigInt(swapLimits.gasPriceOfOthers.value);
/** Honest nodes suggest tips this far apart where the base fee is next to nothing. */
const slackOfPrices = 3n * 10n ** 9n;

/** Compares the heads that the endpoints of one chain report. */
function createHeadWatch(options: { toleratedLag: bigint; clock: Clock }): HeadWatch {
  const { toleratedLag, clock } = options;
  const reports = new Map<RpcEndpoint, { head: Head; until: number; isVouchedFor: boolean }>();
  const histories = new WeakMap<RpcEndpoint, { number: bigint; at: number }>();

  function recentHeads(): Head[] {
    const now = clock.now();
    for (const [endpoint, { until }] of reports) if (until <= now) reports.delete(endpoint);
    return [...reports.values()].map(({ head }) => head);
  }

  /** Whether the number is further ahead of what the endpoint said before than time allows, or further behind than nodes lag. */
  function contradictsItself(endpoint: RpcEndpoint, { number }: Head): boolean {
    const before = histories.get(endpoint);
    if (before === undefined) return false;
    const passed = BigInt(Math.max(0, Math.ceil(clock.elapsed() - before.at)));
    const ahead = number - before.number;
    return ahead > mostBlocksApart + passed * mostBlocksPerMs || -ahead > mostBlocksApart;
  }

  function lagOf({ number, timestamp }: Head): EndpointFailure | undefined {
    const heads = recentHeads();
    const middles = middlesOf(heads.map((other) => other.number));
    // Of two endpoints that disagree, nobody knows which is right: each is in the middle.
    if (middles.length > 0 && middles.every((middle) => isApart(number, middle))) {
      const message = `its newest block ${number} is far from the ${middles[0]} of other endpoints`;
      return { reason: 'garbage', message };
    }
    // A head as late as another is not behind it, whatever number somebody gives the other. Nor is one so far behind that
    // only one of both can be of this chain: which of them it is, the endpoints in the middle say.
    const lag = heads
      .filter((other) => other.timestamp > timestamp && !isApart(other.number, number))
      .reduce((most, other) => (other.number - number > most ? other.number - number : most), 0n);
    if (lag <= toleratedLag) return undefined;
    return {
      reason: 'lagging',
      message: `its newest block ${number} is ${lag} behind that of another endpoint`,
    };
  }

  return {
    hasCompared: () => recentHeads().length > 1,
    note(endpoint, head) {
      if (contradictsItself(endpoint, head)) {
        const message = `its newest block ${head.number} is far from the ${histories.get(endpoint)?.number} that it named before`;
        return { reason: 'garbage', message };
      }
      histories.set(endpoint, { number: head.number, at: clock.elapsed() });
      const last = reports.get(endpoint);
      const isVouchedFor = last?.head.hash === head.hash && last.isVouchedFor;
      reports.set(endpoint, { head, until: clock.now() + headLifetime, isVouchedFor });
      return undefined;
    },
    doubt: (head) => lagOf(head) ?? mispricingOf(head, recentHeads()),
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
        histories.delete(endpoint);
        const message = `no endpoint could answer for its newest block ${head.number}`;
        endpoint.failed({ reason: 'garbage', message, retryAfterMs: headLifetime });
      }
    },
  };
}

function isApart(one: bigint, other: bigint): boolean {
  return one - other > mostBlocksApart || other - one > mostBlocksApart;
}

/** A failure if the gas price is far above what the endpoints suggest, or of three or more far below [F94]. */
function mispricingOf({ gasPrice }: Head, heads: readonly Head[]): EndpointFailure | undefined {
  // Of two endpoints that disagree, the cheaper counts.
  const [middle] = middlesOf(heads.map((head) => head.gasPrice).filter((price) => price > 0n));
  if (middle === undefined) return undefined;
  const isHigh = gasPrice > middle * timesMiddle + slackOfPrices;
  const isLow = gasPrice === 0n || gasPrice * timesMiddle + slackOfPrices < middle;
  if (!isHigh && !isLow) return undefined;
  const message = `its gas price of ${gasPrice} wei is far from the ${middle} wei of other endpoints`;
  return { reason: 'garbage', message };
}

/** The one or two in the middle, the lower one first. */
function middlesOf(quantities: readonly bigint[]): readonly bigint[] {
  const sorted = quantities.toSorted((one, other) => (one < other ? -1 : one > other ? 1 : 0));
  return sorted.slice(Math.floor((sorted.length - 1) / 2), Math.floor(sorted.length / 2) + 1);
}
