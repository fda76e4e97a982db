/**
 * Runs work of one key one after another, in the order it came: guesses at the same time would all
 * be let through before one of them is counted as a failure.
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
