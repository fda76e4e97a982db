/** What many callers hold at the same time: a share for each, and a whole for all (N23). */
type Shares = {
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

/** Places of a process that accounts hold for a while, such as open streams. */
type Places = {
  /**
   * Takes a place for an account and returns how to leave it; undefined if there is none for it. If all are taken, the
   * account with the most loses its oldest place, which is told by `end`, unless the newcomer would then have more than it.
   */
  take(account: string, end: () => void): (() => void) | undefined;
};

type Place = { readonly end: () => void };

/**
 * Shares places among accounts: any that has fewer than another by two gets one, so no number of accounts that hold
 * several places each keeps out one that has none (N23).
 */
export function sharePlaces(all: number): Places {
  const held = new Map<string, Set<Place>>();
  let taken = 0;

  function leave(account: string, place: Place): void {
    const own = held.get(account);
    if (!own?.delete(place)) return;
    taken -= 1;
    if (own.size === 0) held.delete(account);
  }

  function makeRoom(newcomer: string): boolean {
    const most = findMost(held);
    const [loser] = most?.[1] ?? [];
    if (most === undefined || loser === undefined) return false;
    if (!isUnfair(most[1].size, held.get(newcomer)?.size ?? 0)) return false;
    leave(most[0], loser);
    loser.end();
    return true;
  }

  return {
    take(account, end) {
      if (taken >= all && !makeRoom(account)) return undefined;
      const place = { end };
      const own = held.get(account);
      if (own === undefined) held.set(account, new Set([place]));
      else own.add(place);
      taken += 1;
      return () => leave(account, place);
    },
  };
}

/** Whether one who holds `most` should give a place to one who holds `own`: it then still has as many. */
export function isUnfair(most: number, own: number): boolean {
  return most > own + 1;
}

/** The holder of the most; the first of several. */
export function findMost<Held extends { readonly size: number }>(
  held: ReadonlyMap<string, Held>,
): readonly [string, Held] | undefined {
  let found: readonly [string, Held] | undefined;
  for (const one of held) if (one[1].size > (found?.[1].size ?? 0)) found = one;
  return found;
}
