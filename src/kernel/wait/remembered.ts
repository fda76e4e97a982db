import type { Clock } from './clock.ts';
import { onBehalfOfAll } from './presence.ts';

type RememberedAnswers<T> = {
  /** The cached answer for a key, or else what `ask` answers now. */
  get(key: string, ask: () => Promise<T>): Promise<T>;
  /** Has the next caller ask again. */
  forget(key: string): void;
};

/**
 * Caches an answer for a while, counted from the request. Concurrent callers share one request, which runs on behalf
 * of all of them, so that none fails because the first has left. A failure reaches all waiting callers and is not
 * cached.
 */
export function rememberAnswers<T>(options: {
  /** In milliseconds. */
  readonly keptFor: number;
  /** How many answers are kept; evicted ones are requested again. */
  readonly most: number;
  readonly clock: Pick<Clock, 'elapsed'>;
}): RememberedAnswers<T> {
  const { keptFor, most, clock } = options;
  const asked = createBoundedMap<string, { readonly until: number; readonly answer: Promise<T> }>(
    most,
  );
  return {
    get(key, ask) {
      const known = asked.get(key);
      if (known !== undefined && known.until > clock.elapsed()) return known.answer;
      const question = { until: clock.elapsed() + keptFor, answer: onBehalfOfAll(ask) };
      asked.set(key, question);
      question.answer.catch(() => {
        if (asked.get(key) === question) asked.delete(key);
      });
      return question.answer;
    },
    forget: (key) => asked.delete(key),
  };
}

type RememberedAnswer<T> = {
  get(): Promise<T>;
  /** Has the next caller ask again. */
  forget(): void;
};

/** The same as {@link rememberAnswers} for a single answer. */
export function rememberAnswer<T>(options: {
  /** In milliseconds; unless given, for as long as the process runs. */
  readonly keptFor?: number;
  readonly clock: Pick<Clock, 'elapsed'>;
  ask(): Promise<T>;
}): RememberedAnswer<T> {
  const answers = rememberAnswers<T>({ keptFor: Infinity, ...options, most: 1 });
  return { get: () => answers.get('', options.ask), forget: () => answers.forget('') };
}

/** A map that drops the entry that was set longest ago rather than grow beyond its bound. */
type BoundedMap<Key, Value> = {
  get(key: Key): Value | undefined;
  /** Setting a key again makes it the youngest. */
  set(key: Key, value: Value): void;
  delete(key: Key): void;
};

/** Makes a map that holds a bounded number of entries. Reading an entry does not make it younger. */
export function createBoundedMap<Key, Value>(most: number): BoundedMap<Key, Value> {
  const entries = new Map<Key, Value>();
  return {
    get: (key) => entries.get(key),
    set(key, value) {
      entries.delete(key);
      entries.set(key, value);
      const [oldest = key] = entries.keys();
      if (entries.size > most) entries.delete(oldest);
    },
    delete(key) {
      entries.delete(key);
    },
  };
}
