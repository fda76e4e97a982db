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
