import type { Clock } from '../../../kernel/time/clock.ts';

/** The attempts that have begun and not ended, each by the position of its lane. */
export type AttemptsUnderWay<Position> = {
  begin(position: Position): void;
  end(position: Position): void;
  /** Resolves when the attempts of the lane have ended, or after a short time. */
  wait(lane: number): Promise<void>;
};

/** How long a caller waits for an attempt that is under way. */
const attemptAwaited = 100;

export function createAttemptsUnderWay<Position extends { readonly lane: number }>(
  clock: Pick<Clock, 'sleep'>,
): AttemptsUnderWay<Position> {
  /** Each attempt with the controller that ends the waits for it. */
  const underWay = new Map<Position, AbortController | undefined>();
  return {
    begin(position) {
      underWay.set(position, undefined);
    },
    end(position) {
      underWay.get(position)?.abort();
      underWay.delete(position);
    },
    async wait(lane) {
      for (const [position, awaited = new AbortController()] of underWay) {
        if (position.lane !== lane) continue;
        underWay.set(position, awaited);
        await clock.sleep(attemptAwaited, awaited.signal);
      }
    },
  };
}
