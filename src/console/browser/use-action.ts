import { useCallback, useState, type VNode } from '../vendor/preact.js';

/** Something that a person asked for: whether it is under way, and what went wrong. */
export type Action = {
  readonly isRunning: boolean;
  readonly error: unknown;
  /** What came of the last one, as a sentence. */
  readonly done: string | VNode;
  /** Does it and says what came of it; one at a time. */
  run(work: () => Promise<string | VNode>): void;
};

export function useAction(): Action {
  const [state, setState] = useState<Omit<Action, 'run'>>({
    isRunning: false,
    error: undefined,
    done: '',
  });
  const run = useCallback((work: () => Promise<string | VNode>) => {
    setState({ isRunning: true, error: undefined, done: '' });
    work().then(
      (done) => setState({ isRunning: false, error: undefined, done }),
      (error: unknown) => setState({ isRunning: false, error, done: '' }),
    );
  }, []);
  return { ...state, run };
}
