import { createQueue, type Leave, type Queue } from '../../../kernel/wait/queue.ts';

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

/**
 * One gate for each origin. Calls pass in the order they came, so that subscriptions at one origin take turns. Each
 * call without an answer halves the number of calls at once, down to one, which probes whether the origin is back. Each
 * answer doubles it again.
 */
export function createOriginGates(): OriginGates {
  const gates = new Map<string, Queue>();

  const open = (origin: string): Queue => {
    const gate = createQueue(callsPerOrigin);
    gates.set(origin, gate);
    forgetIdle(gates);
    return gate;
  };

  const passOf = (origin: string, gate: Queue, leave: Leave): Pass => ({
    leave(isReachable) {
      gate.places = isReachable
        ? Math.min(gate.places * 2, callsPerOrigin)
        : Math.max(1, Math.floor(gate.places / 2));
      leave();
      if (gate.inside === 0 && gate.places === callsPerOrigin) gates.delete(origin);
    },
  });

  return {
    enter(origin) {
      const gate = gates.get(origin) ?? open(origin);
      if (gate.places === 1 && gate.waiting >= waitingAtClosedGate) return undefined;
      const entered = gate.enter();
      if (typeof entered === 'function') return passOf(origin, gate, entered);
      return entered.then((leave) => passOf(origin, gate, leave));
    },
  };
}

function forgetIdle(gates: Map<string, Queue>): void {
  if (gates.size <= originsRemembered) return;
  for (const [origin, { inside }] of gates) {
    if (inside > 0) continue;
    gates.delete(origin);
    return;
  }
}
