/** Runs work in lanes: pieces of one key in sequence, those of different keys in parallel. */
export type KeyLanes = {
  /** Puts a piece of work behind the others of its key. It must not reject. */
  add(key: string, work: () => Promise<void>): void;
  /** Resolves when fewer than this many pieces are left: 1 for none. */
  fewerThan(count: number): Promise<void>;
};

export function createKeyLanes(): KeyLanes {
  const lanes = new Map<string, Promise<void>>();
  let left = 0;
  let tellOfEnd = () => {};

  return {
    add(key, work) {
      left += 1;
      const lane = (lanes.get(key) ?? Promise.resolve()).then(work).then(() => {
        left -= 1;
        if (lanes.get(key) === lane) lanes.delete(key);
        tellOfEnd();
      });
      lanes.set(key, lane);
    },
    async fewerThan(count) {
      while (left >= count) {
        await new Promise<void>((resolve) => {
          tellOfEnd = resolve;
        });
      }
    },
  };
}
