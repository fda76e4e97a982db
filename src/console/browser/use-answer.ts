import { useCallback, useEffect, useState } from '../vendor/preact.js';

/** What was asked for: the newest answer, and what became of the last question. */
export type Asked<T> = {
  readonly answer: T | undefined;
  readonly error: unknown;
  readonly isWaiting: boolean;
  /** Asks again; the answer from before stays until the new one is there. */
  readonly again: () => void;
};

/** Asks when the view appears and whenever one of `inputs` changes; who leaves is no longer waited for. */
export function useAnswer<T>(
  ask: (signal: AbortSignal) => Promise<T>,
  inputs: readonly unknown[] = [],
): Asked<T> {
  const [state, setState] = useState<Omit<Asked<T>, 'again'>>({
    answer: undefined,
    error: undefined,
    isWaiting: true,
  });
  const [round, setRound] = useState(0);
  useEffect(() => {
    const controller = new AbortController();
    setState((before) => ({ ...before, isWaiting: true }));
    const tell = (next: Partial<Omit<Asked<T>, 'again'>>) => {
      if (controller.signal.aborted) return;
      setState((before) => ({ ...before, error: undefined, isWaiting: false, ...next }));
    };
    ask(controller.signal).then(
      (answer) => tell({ answer }),
      (error: unknown) => tell({ error }),
    );
    return () => controller.abort();
  }, [...inputs, round]);
  const again = useCallback(() => setRound((before) => before + 1), []);
  return { ...state, again };
}
