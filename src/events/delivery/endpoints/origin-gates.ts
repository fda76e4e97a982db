/** Lets calls through to each origin, a few at a time. */
export type OriginGates = {
  /**
   * Returns a pass, at once or when a call ends; undefined if too many calls wait for an origin that does not answer.
   */
  enter(origin: string): Pass | Promise<Pass> | undefined;
};

/** The right to one call. */
export type Pass = {
  /** Ends the call and reports whether the origin answered. */
  leave(isReachable: boolean): void;
};

/** As many as the outbound client has connections to an origin. With 16 a delivery costs a fifteenth more. */
export const callsPerOrigin = 32;
/** How many calls may wait for an origin that does not answer; others are refused and retried later. */
const waitingAtClosedGate = 4;
/**
 * How many gates are kept, for origins that are being called or did not answer; beyond it the oldest idle one is
 * dropped.
 */
const originsRemembered = 10_000;

/** Every call inside holds the gate itself as its pass. */
type Gate = Pass & { limit: number; inside: number; readonly waiting: Array<(pass: Pass) => void> };

/**
 * One gate for each origin. Calls pass in the order they came, so that subscriptions at one origin take turns. Each
 * call without an answer halves the number of calls at once, down to one, which probes whether the origin is back. Each
 * answer doubles it again.
 */
export function createOriginGates(): OriginGates {
  const gates = new Map<string, Gate>();

  const open = (origin: string): Gate => {
    const gate: Gate = {
      limit: callsPerOrigin,
      inside: 0,
      waiting: [],
      leave(isReachable) {
        gate.inside--;
        gate.limit = isReachable
          ? Math.min(gate.limit * 2, callsPerOrigin)
          : Math.max(1, Math.floor(gate.limit / 2));
        while (gate.inside < gate.limit) {
          const next = gate.waiting.shift();
          if (next === undefined) break;
          gate.inside++;
          next(gate);
        }
        if (gate.inside === 0 && gate.limit === callsPerOrigin) gates.delete(origin);
      },
    };
    gates.set(origin, gate);
    forgetIdle(gates);
    return gate;
  };

  return {
    enter(origin) {
      const gate = gates.get(origin) ?? open(origin);
      if (gate.inside < gate.limit) {
        gate.inside++;
        return gate;
      }
      if (gate.limit === 1 && gate.waiting.length >= waitingAtClosedGate) return undefined;
      return new Promise((resolve) => gate.waiting.push(resolve));
    },
  };
}

function forgetIdle(gates: Map<string, Gate>): void {
  if (gates.size <= originsRemembered) return;
  for (const [origin, { inside }] of gates) {
    if (inside > 0) continue;
    gates.delete(origin);
    return;
  }
}
