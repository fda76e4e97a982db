import type { Database, Unlisten } from '../../kernel/database/database.ts';
import { drawText, type Random } from '../../kernel/model/random.ts';
import type { Clock } from '../../kernel/wait/clock.ts';
import { rememberAnswer } from '../../kernel/wait/remembered.ts';
import {
  findHolder,
  readWriteRequest,
  requestWrite,
  writeChannel,
  writtenChannel,
} from '../store/lanes/lane-notices.ts';
import type { ProgressWriter } from './progress-writer.ts';

/**
 * A holder that has not answered by then is paused or dead; events whose delivery it did not write are delivered
 * again.
 */
const longestWait = 2_000;

/** Resolves when the progress of a subscription is written, or after two seconds. */
export type CatchUp = (subscriptionId: string) => Promise<void>;

/**
 * Progress is written after the deliveries, so a reader first asks the process that delivers the lane to write it.
 * If no process holds the lane, everything is written already, and nobody is asked.
 */
export function createCatchUp(options: {
  readonly database: Database;
  readonly clock: Clock;
  readonly random: Random;
}): CatchUp {
  const { database, clock, random } = options;
  const reader = drawText(random, 12);
  const waiting = new Map<string, AbortController>();
  const onWritten = (id: string | undefined): void => {
    // Without an id the connection was lost, and any of the answers with it.
    for (const one of id ? [id] : waiting.keys()) waiting.get(one)?.abort();
  };
  const listening = rememberAnswer({
    clock,
    ask: () => database.listen(writtenChannel(reader), onWritten),
  });

  return async (subscriptionId) => {
    const holder = await findHolder(database, subscriptionId);
    if (holder === undefined) return;
    await listening.get();
    const id = drawText(random, 12);
    const written = new AbortController();
    waiting.set(id, written);
    try {
      const { owner, lane } = holder;
      await database.relaxed.transaction(async (tx) =>
        requestWrite(tx, owner, { lane, reader, id }),
      );
      await clock.sleep(longestWait, written.signal);
    } finally {
      waiting.delete(id);
    }
  };
}

/** Lets a process write the progress of its lanes when a reader asks, see {@link createCatchUp}. */
export function answerReaders(options: {
  readonly database: Database;
  readonly owner: string;
  readonly writer: Pick<ProgressWriter, 'catchUp'>;
  onFailure(error: unknown): void;
}): Promise<Unlisten> {
  const { database, owner, writer, onFailure } = options;

  const answer = async (detail: string | undefined): Promise<void> => {
    const request = readWriteRequest(detail);
    if (request === undefined) return;
    await writer.catchUp(request.lane);
    await database.relaxed.transaction(async (tx) =>
      tx.notify(writtenChannel(request.reader), request.id),
    );
  };
  return database.listen(writeChannel(owner), (detail) => void answer(detail).catch(onFailure));
}
