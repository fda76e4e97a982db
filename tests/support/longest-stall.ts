/**
 * The longest time in milliseconds for which one call blocks the event loop, over all inputs. Only the CPU
 * time of this thread counts, so a busy machine makes no call longer.
 */
export async function longestStall<Input>(
  inputs: readonly Input[],
  call: (input: Input) => unknown,
): Promise<number> {
  let longest = 0;
  for (const input of inputs) {
    const before = process.threadCpuUsage();
    await call(input);
    const { user, system } = process.threadCpuUsage(before);
    longest = Math.max(longest, (user + system) / 1_000);
  }
  return longest;
}
