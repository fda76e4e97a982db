import { sharePlaces } from '../../../kernel/wait/shares.ts';
import { EventsError } from '../../model/events-error.ts';

/** Counts the streams of server-sent events that are open at this process. */
export type ReaderAdmission = {
  /**
   * Returns a function to call when the stream ends. Throws `RESOURCE_EXHAUSTED` if too many streams are open for one
   * of the bounds, or in all. If those of all are too many, the oldest stream of the account with the most ends for one
   * that has fewer (N23).
   */
  enter(reader: Reader): () => void;
};

export type Reader = {
  readonly account: string;
  readonly bounds: readonly ReaderBound[];
  /** Ends the stream for another one. */
  end(): void;
};

/** How many streams with one key may be open. */
export type ReaderBound = {
  readonly key: string;
  readonly most: number;
  /** Whose they are, as in "of yours". */
  readonly whose: string;
};

export function admitReaders(options: {
  /** What the streams are called in error messages, in the plural. */
  readonly name: string;
  readonly reason: string;
  readonly mostOfAll: number;
}): ReaderAdmission {
  const { name, reason, mostOfAll } = options;
  const places = sharePlaces(mostOfAll);
  const open = new Map<string, number>();
  const countOf = (key: string) => open.get(key) ?? 0;

  return {
    enter({ account, bounds, end }) {
      const met = bounds.find(({ key, most }) => countOf(key) >= most);
      if (met !== undefined) throw tooMany(met);
      let isOpen = true;
      const leave = () => {
        if (!isOpen) return;
        isOpen = false;
        free?.();
        for (const { key } of bounds) {
          if (countOf(key) > 1) open.set(key, countOf(key) - 1);
          else open.delete(key);
        }
      };
      const free = places.take(account, () => {
        leave();
        end();
      });
      if (free === undefined) throw tooMany({ most: mostOfAll, whose: 'in all' });
      for (const { key } of bounds) open.set(key, countOf(key) + 1);
      return leave;
    },
  };

  function tooMany({ most, whose }: Omit<ReaderBound, 'key'>): EventsError {
    return new EventsError(
      'RESOURCE_EXHAUSTED',
      `${most} ${name} ${whose} are open at this server, which is the limit: close one, then try again.`,
      { reason, metadata: { limit: String(most), whose }, retryAfterSeconds: 5 },
    );
  }
}
