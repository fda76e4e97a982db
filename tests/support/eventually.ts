import { vi } from 'vitest';

/** Waits until what is asserted holds, as something under way makes it so. Only what hangs takes so long. */
export function eventually(check: () => void | Promise<void>, timeout = 60_000): Promise<void> {
  return vi.waitFor(check, { timeout });
}
