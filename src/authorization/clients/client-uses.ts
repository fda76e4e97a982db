import type { Database } from '../../kernel/database/database.ts';
import { patienceWithWorker, type Worker } from '../../kernel/process/worker.ts';
import type { Clock } from '../../kernel/wait/clock.ts';
import { authorizationLimits } from '../limits.ts';
import type { ClientId } from '../model/client.ts';
import { writeClientUses } from '../store/client-store.ts';

/** When clients last got a token. */
type ClientUses = {
  note(clientId: ClientId): void;
  /** Writes once a minute, and when it ends, what was noted. */
  readonly worker: Worker;
};

const pauseBetweenWrites = 60_000;
const mostNoted = authorizationLimits.clientUsesNoted.value;

/**
 * Notes uses in memory and writes those of a minute in one relaxed commit, so that issuing a token costs nothing
 * more. A crash loses the last minute.
 */
export function noteClientUses(options: {
  readonly database: Database;
  readonly clock: Clock;
  readonly onFailure: (error: unknown) => void;
}): ClientUses {
  const { database, clock, onFailure } = options;
  let noted = new Map<ClientId, number>();

  async function write(): Promise<void> {
    if (noted.size === 0) return;
    const uses = noted;
    noted = new Map();
    await writeClientUses(database.relaxed, uses).catch(onFailure);
  }

  return {
    note(clientId) {
      if (noted.size < mostNoted || noted.has(clientId)) noted.set(clientId, clock.now());
    },
    worker: {
      name: 'client-uses',
      movesWithin: pauseBetweenWrites + patienceWithWorker,
      async run(signal, move = () => {}) {
        while (!signal.aborted) {
          move();
          await clock.sleep(pauseBetweenWrites, signal);
          await write();
        }
      },
    },
  };
}
