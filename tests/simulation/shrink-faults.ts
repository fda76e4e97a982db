import type { Fault } from './faults.ts';

/**
 * Finds few faults that still fail: leaves out ever smaller parts of them, and then shortens those that are left.
 * `fails` runs the simulation with the remaining faults. It is called often, and must be deterministic.
 */
export async function shrinkFaults(
  faults: readonly Fault[],
  fails: (faults: readonly Fault[]) => Promise<boolean>,
): Promise<readonly Fault[]> {
  let left = faults;
  for (
    let size = Math.ceil(left.length / 2);
    size >= 1;
    size = size === 1 ? 0 : Math.ceil(size / 2)
  ) {
    for (let from = 0; from < left.length; ) {
      const fewer = left.toSpliced(from, size);
      if (await fails(fewer)) left = fewer;
      else from += size;
    }
  }
  for (const [index, fault] of left.entries()) {
    if (!('milliseconds' in fault)) continue;
    const shorter = { ...fault, milliseconds: Math.ceil(fault.milliseconds / 2) };
    const changed = left.with(index, shorter);
    if (await fails(changed)) left = changed;
  }
  return left;
}
