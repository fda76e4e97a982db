/**
 * Runs the work of one key one at a time, in order of arrival: concurrent guesses would all be let
 * through before the first one counts as a failure.
 */
export function createTurns(): <T>(key: string, work: () => Promise<T>) => Promise<T> {
  const last = new Map<string, Promise<unknown>>();
  return (key, work) => {
    const turn = (last.get(key) ?? Promise.resolve()).then(work, work);
    last.set(key, turn);
    const forget = () => void (last.get(key) === turn && last.delete(key));
    turn.then(forget, forget);
    return turn;
  };
}
