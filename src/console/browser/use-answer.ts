import { useCallback, useEffect, useRef, useState, type VNode } from '../vendor/preact.js';

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

/** Something that a person asked for: whether it is running, and how the last one ended. */
export type Action = {
  readonly isRunning: boolean;
  readonly error: unknown;
  /** The outcome of the last one, as a sentence. */
  readonly done: string | VNode;
  /** Runs the work, which returns its outcome. One at a time, so a second press does nothing. */
  run(work: () => Promise<string | VNode>): void;
};

export function useAction(): Action {
  const [state, setState] = useState<Omit<Action, 'run'>>({
    isRunning: false,
    error: undefined,
    done: '',
  });
  // Busy buttons are not disabled, since they would lose the focus, so a second press must be ignored here.
  const isRunning = useRef(false);
  const run = useCallback((work: () => Promise<string | VNode>) => {
    if (isRunning.current) return;
    isRunning.current = true;
    setState({ isRunning: true, error: undefined, done: '' });
    const tell = (came: Partial<Action>) => {
      isRunning.current = false;
      setState({ isRunning: false, error: undefined, done: '', ...came });
    };
    work().then(
      (done) => tell({ done }),
      (error: unknown) => tell({ error }),
    );
  }, []);
  return { ...state, run };
}
