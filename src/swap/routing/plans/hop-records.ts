/** What each hop of a run met in its pool and put into it, in the order of execution. */
export type HopRecords = {
  readonly input: Float64Array;
  readonly takenBefore: Float64Array;
  readonly givenBefore: Float64Array;
  /** The rate at the margin of a concentrated pool, before and after the hop. */
  readonly rateBefore: Float64Array;
  readonly rateAfter: Float64Array;
};

export function createHopRecords(length: number): HopRecords {
  return {
    input: new Float64Array(length),
    takenBefore: new Float64Array(length),
    givenBefore: new Float64Array(length),
    rateBefore: new Float64Array(length),
    rateAfter: new Float64Array(length),
  };
}
