/** A map that drops the entry that was set longest ago rather than grow beyond its bound. */
export type BoundedMap<Key, Value> = {
  get(key: Key): Value | undefined;
  /** Setting a key again makes it the youngest. */
  set(key: Key, value: Value): void;
  delete(key: Key): void;
};

/** Makes a map that holds a bounded number of entries. Reading an entry does not make it younger. */
export function createBoundedMap<Key, Value>(most: number): BoundedMap<Key, Value> {
  const entries = new Map<Key, Value>();
  return {
    get: (key) => entries.get(key),
    set(key, value) {
      entries.delete(key);
      entries.set(key, value);
      const [oldest = key] = entries.keys();
      if (entries.size > most) entries.delete(oldest);
    },
    delete(key) {
      entries.delete(key);
    },
  };
}
