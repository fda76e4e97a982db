import type { Clock } from '../../../../kernel/time/clock.ts';
import { TimedOut, withDeadline } from '../../../../kernel/time/with-deadline.ts';
import type { Block } from '../../chain-reader.ts';
import { type EndpointFailure, isFailure } from '../endpoint-failure.ts';
import { latestBlockRequests, readBlock } from '../messages/read-block.ts';
import type { RpcAnswer } from '../messages/rpc-message.ts';
import type { RpcEndpoint } from './create-endpoint.ts';
import { createHeadWatch, type HeadWatch } from './head-watch.ts';
import { hedgeDelay } from './latency.ts';

/** Reads the newest block of endpoints, and remembers what each reported. */
export type HeadReader = Pick<HeadWatch, 'lagOf' | 'vouchFor' | 'disown'> & {
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
