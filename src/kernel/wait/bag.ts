/** Something in a bag. */
export type Held<T> = {
  readonly item: T;
  /** Where the bag holds it. */
  place: number;
};

/**
 * Holds what comes and goes with each request, in no particular order.
 *
 * A `Set` or `Map` would do the same, but not in V8. It replaces the table behind a busy one again and again, and each
 * table points to its successor and to the entries of that moment. Once a single table has reached the old generation,
 * all later ones stay reachable from it, with their entries, until the next full collection: collections of the young
 * generation then copy all that was ever in the set. An array has no such chain.
 */
export type Bag<T> = {
  readonly size: number;
  add(item: T): Held<T>;
  /** Whether it was in the bag. */
  delete(held: Held<T>): boolean;
  /** What is in the bag now. */
  all(): Held<T>[];
};

export function createBag<T>(): Bag<T> {
  const places: Held<T>[] = [];
  return {
    get size() {
      return places.length;
    },
    add(item) {
      const held = { item, place: places.length };
      places.push(held);
      return held;
    },
    delete(held) {
      if (places[held.place] !== held) return false;
      const last = places.pop();
      if (last !== undefined && last !== held) {
        places[held.place] = last;
        last.place = held.place;
      }
      return true;
    },
    all: () => [...places],
  };
}
