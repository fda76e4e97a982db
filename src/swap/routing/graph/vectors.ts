/**
 * Reads a vector at an index the caller knows to be inside. A read outside gives NaN, which spoils
 * every figure that follows and so cannot pass unseen.
 */
export function at(vector: Float64Array, index: number): number {
  return vector[index] ?? Number.NaN;
}

/** The same for numbers of tokens, edges and segments: outside it gives −1, which is none of them. */
export function intAt(vector: Int32Array, index: number): number {
  return vector[index] ?? -1;
}

/*
 * Vectors that a function reuses in each call. A search needs some dozens. Allocating one of more than 64 bytes takes a
 * microsecond, longer than most of the work that is done with it [Q31]. No search interrupts another, so each function may
 * keep a vector of its own. Its contents are valid until the next call.
 */

/** Gives a vector of at least `length` zeros: the same one each time, unless it has to be longer. */
export function reuseFloats(): (length: number) => Float64Array {
  let vector = new Float64Array(64);
  return (length) => {
    if (length > vector.length) vector = new Float64Array(2 * length);
    else vector.fill(0, 0, length);
    return vector;
  };
}

/** The same for numbers of tokens, edges and segments. */
export function reuseIntegers(): (length: number) => Int32Array {
  let vector = new Int32Array(64);
  return (length) => {
    if (length > vector.length) vector = new Int32Array(2 * length);
    else vector.fill(0, 0, length);
    return vector;
  };
}
