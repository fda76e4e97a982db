/** What many callers hold at the same time: a share for each, and a whole for all (N23). */
export type Shares = {
  /** Takes an amount for a caller, and returns what gives it back, or which of the two bounds forbids it. */
  take(key: string, amount: number): (() => void) | 'each' | 'all';
};

/** Callers that hold nothing are forgotten together, since a map that loses an entry with each request keeps memory. */
const mostIdle = 1_000;

export function createShares(most: { readonly each: number; readonly all: number }): Shares {
  const held = new Map<string, { amount: number }>();
  let whole = 0;

  function shareOf(key: string): { amount: number } {
    const known = held.get(key);
    if (known !== undefined) return known;
    if (held.size >= mostIdle) {
      for (const [other, { amount }] of held) if (amount === 0) held.delete(other);
    }
    const share = { amount: 0 };
    held.set(key, share);
    return share;
  }

  return {
    take(key, amount) {
      if (whole + amount > most.all) return 'all';
      const share = shareOf(key);
      if (share.amount + amount > most.each) return 'each';
      share.amount += amount;
      whole += amount;
      let isHeld = true;
      return () => {
        if (!isHeld) return;
        isHeld = false;
        share.amount -= amount;
        whole -= amount;
      };
    },
  };
}
