import { useCallback, useRef, useState, type VNode } from '../vendor/preact.js';

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
