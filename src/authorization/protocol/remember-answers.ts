import { createBoundedMap } from '../../kernel/bounded-map.ts';
import type { Clock } from '../../kernel/time/clock.ts';

/** What was answered lately under a key, or else what `ask` answers now. */
export type RememberedAnswers<T> = (key: string, ask: () => Promise<T>) => Promise<T>;

/**
 * Caches an answer for a while, counted from the request, and sends simultaneous requests once. A failure reaches
 * everyone who waits for it and is not cached: the next caller asks again.
 */
export function rememberAnswers<T>(options: {
  /** In milliseconds. */
  readonly keptFor: number;
  /** How many answers are kept; those forgotten are asked for again. */
  readonly most: number;
  readonly clock: Clock;
}): RememberedAnswers<T> {
  const { keptFor, most, clock } = options;
  const asked = createBoundedMap<string, { readonly until: number; readonly answer: Promise<T> }>(
    most,
  );
  return (key, ask) => {
    const known = asked.get(key);
    if (known !== undefined && known.until > clock.now()) return known.answer;
    const question = { until: clock.now() + keptFor, answer: ask() };
    asked.set(key, question);
    question.answer.catch(() => {
      if (asked.get(key) === question) asked.delete(key);
    });
    return question.answer;
  };
}
