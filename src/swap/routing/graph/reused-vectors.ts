/*
 * Vectors that a function uses anew in each call. A search takes some dozens, and to make one of more than 64 bytes takes a
 * microsecond, longer than most of what is done with it [Q31]. A search is never interrupted by another, so that each function
 * that needs a vector may keep one: what is in it holds until the next call.
 */

/** Gives a vector of at least so many zeros: the same each time, unless it has to be longer. */
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
