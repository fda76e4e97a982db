import { vi } from 'vitest';

/** Waits until what is asserted holds, as something under way makes it so. Only what hangs takes a minute. */
export function eventually(check: () => void | Promise<void>): Promise<void> {
  return vi.waitFor(check, { timeout: 60_000 });
}
