import { createBag } from '../../wait/bag.ts';
import { edgeLimits } from '../limits.ts';

/** A body whose end has not come. */
type ArrivingBody = {
  /** The caller that sends it. */
  readonly key: string;
  /** Bytes that have come. */
  bytes: number;
  /** Whether it still counts. */
  isHeld: boolean;
  /** Closes its connection. */
  cut(): void;
};

/**
 * Bounds the bytes of unfinished bodies of all callers together, by what has come of them and never by what they announce (F78).
 * Beyond the bound the largest body of the caller that holds most is cut off, so that a newcomer loses nothing to others.
 */
export class ArrivingBodies {
  readonly #bodies = createBag<ArrivingBody>();
  readonly #most: number;
  #whole = 0;

  constructor(most: number = edgeLimits.bodyBytes.value) {
    this.#most = most;
  }

  /** Begins to count a body. Returns how to tell that more of it has come, and that it has come whole or its sender has left. */
  begin(key: string, cut: () => void) {
    const held = this.#bodies.add({ key, bytes: 0, isHeld: true, cut });
    const { item } = held;
    return {
      grow: (bytes: number): void => {
        if (!item.isHeld) return;
        item.bytes += bytes;
        this.#whole += bytes;
        if (this.#whole > this.#most) this.#cutLargest();
      },
      end: (): void => {
        if (this.#bodies.delete(held)) this.#whole -= item.bytes;
        item.isHeld = false;
      },
    };
  }

  #cutLargest(): void {
    const all = this.#bodies.all();
    const sums = new Map<string, number>();
    for (const { item } of all) sums.set(item.key, (sums.get(item.key) ?? 0) + item.bytes);
    const [[key] = ['']] = [...sums].toSorted(([, one], [, other]) => other - one);
    const ofKey = all.filter(({ item }) => item.key === key);
    const [largest] = ofKey.toSorted((one, other) => other.item.bytes - one.item.bytes);
    if (largest === undefined || !this.#bodies.delete(largest)) return;
    this.#whole -= largest.item.bytes;
    largest.item.isHeld = false;
    largest.item.cut();
  }
}
