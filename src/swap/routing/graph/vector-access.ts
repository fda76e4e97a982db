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
