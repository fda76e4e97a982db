import { useCallback, useEffect, useState } from '../vendor/preact.js';

/** A request of a view: its newest answer, and the state of the last attempt. */
export type Asked<T> = {
  readonly answer: T | undefined;
  readonly error: unknown;
  readonly isWaiting: boolean;
  /** Asks again. The previous answer stays until the new one arrives. */
  readonly again: () => void;
};

/** Asks when the view appears and whenever one of `inputs` changes. Aborts the request when the view goes away. */
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
