import { EventsError } from '../../errors/events-error.ts';

/** Counts the streams of server-sent events that are open at this process. */
export type ReaderAdmission = {
  /**
   * Returns a function to call when the stream ends. Throws `RESOURCE_EXHAUSTED` if too many streams are open for one
   * of the bounds, or in all.
   */
  enter(bounds: readonly ReaderBound[]): () => void;
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
  const open = new Map<string, number>();
  const countOf = (key: string) => open.get(key) ?? 0;

  return {
    enter(bounds) {
      const all = { key: '', most: mostOfAll, whose: 'in all' };
      const met = [...bounds, all].find(({ key, most }) => countOf(key) >= most);
      if (met !== undefined) throw tooMany(met);
      const keys = [...bounds.map(({ key }) => key), all.key];
      for (const key of keys) open.set(key, countOf(key) + 1);
      let isOpen = true;
      return () => {
        if (!isOpen) return;
        isOpen = false;
        for (const key of keys) {
          if (countOf(key) > 1) open.set(key, countOf(key) - 1);
          else open.delete(key);
        }
      };
    },
  };

  function tooMany({ most, whose }: ReaderBound): EventsError {
    return new EventsError(
      'RESOURCE_EXHAUSTED',
      `${most} ${name} ${whose} are open at this server, which is the limit: close one, then try again.`,
      { reason, metadata: { limit: String(most), whose }, retryAfterSeconds: 5 },
    );
  }
}
