import { vi } from 'vitest';

/** Waits until the assertions hold. The timeout is so long that only a hang reaches it. */
export function eventually(check: () => void | Promise<void>, timeout = 60_000): Promise<void> {
  return vi.waitFor(check, { timeout });
}
