/** The value at a part of the way through the sorted values. */
const at = (values: readonly number[], part: number) =>
  values.toSorted((a, b) => a - b)[Math.floor(part * (values.length - 1))] ?? 0;

export const median = (values: readonly number[]) => at(values, 0.5);

/** The values between which half of all lie. */
export const quartiles = (values: readonly number[]): readonly [number, number] => [
  at(values, 0.25),
  at(values, 0.75),
];
