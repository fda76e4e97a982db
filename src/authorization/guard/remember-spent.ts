import type { Clock } from '../../kernel/time/clock.ts';

/** More proofs than an honest client makes in two minutes; the oldest are forgotten first. */
const idsKept = 100_000;

/** Remembers in memory which ids were used, until they expire. Returns whether a use is the first. */
export function rememberSpent(clock: Clock): (id: string, expiresAt: number) => Promise<boolean> {
  const spent = new Map<string, number>();
  return async (id, expiresAt) => {
    for (const [oldest, until] of spent) {
      if (until > clock.now() && spent.size < idsKept) break;
      spent.delete(oldest);
    }
    if (spent.has(id)) return false;
    spent.set(id, expiresAt);
    return true;
  };
}
