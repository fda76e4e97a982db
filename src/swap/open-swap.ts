import type { Swap, SwapOptions } from './create-swap.ts';

/** The swap service, loaded only by a process that runs it: its libraries are half of the memory. */
export async function openSwap(options: SwapOptions): Promise<Swap> {
  const { createSwap } = await import('./create-swap.ts');
  return createSwap(options);
}
