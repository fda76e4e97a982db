import type { Heard } from './world/cluster.ts';
import type { Receipt } from './world/simulated-receivers.ts';

export type Violation = { readonly oracle: Oracle; readonly text: string };

/** What must hold in every run, whatever goes wrong. */
export type Oracle =
  | 'acknowledged is delivered'
  | 'first deliveries are in order'
  | 'a code is used once'
  | 'no refresh family is logged out'
  | 'a refresh has one successor'
  | 'revoked is refused, and nothing else'
  | 'what is replayed comes again'
  | 'the outbox is relayed in order'
  | 'scheduled work is done'
  | 'leased work goes on'
  | 'answers are documented'
  | 'answers come in time'
  | 'queues are bounded'
  | 'all is well in the end';

type Event = { readonly publisher: number; readonly id: string; readonly lane: number };

export type Replay = {
  readonly lane: number;
  readonly id: string;
  readonly receivedBefore: number;
};

export type Observed = ReturnType<typeof createObserved>;

/** Records what clients and receivers see, and finds violations of the oracles. */
export function createObserved({
  note,
  isCalm,
}: {
  note(text: string): void;
  /** Whether nodes and database stay healthy throughout the run. */
  readonly isCalm: boolean;
}) {
  const violations: Violation[] = [];
  const acknowledged: Event[] = [];
  /** The ids that each lane received, in order, repetitions included. */
  const received: string[][] = [];
  const replays: Replay[] = [];
  const codes = new Map<string, number>();
  const handled: { key: string; count: unknown }[] = [];
  const planned = new Set<string>();
  const worked = new Set<string>();
  const ticks: { key: string; count: number }[] = [];

  const violate = (oracle: Oracle, text: string) => {
    note(`VIOLATION ${oracle}: ${text}`);
    violations.push({ oracle, text });
  };
  const times = (lane: number, id: string) =>
    (received[lane] ?? []).filter((one) => one === id).length;

  const missing = () => [
    ...acknowledged
      .filter(({ lane, id }) => times(lane, id) === 0)
      .map(({ id, lane }) => ['acknowledged is delivered', `${id} on lane ${lane}`] as const),
    ...replays
      .filter(({ lane, id, receivedBefore }) => times(lane, id) <= receivedBefore)
      .map(({ id, lane }) => ['what is replayed comes again', `${id} on lane ${lane}`] as const),
    ...ticks
      .filter((tick) => !handled.some(({ key, count }) => key === tick.key && count === tick.count))
      .map(({ key, count }) => ['the outbox is relayed in order', `${key} ${count}`] as const),
  ];

  return {
    violations,
    violate,
    ticks,
    planned,
    /** Requests to publish that are not acknowledged yet. */
    publishing: 0,
    acknowledge(event: Event) {
      acknowledged.push(event);
    },
    receive({ receiver, ids, isAnswered }: Receipt) {
      note(`received ${receiver} ${ids} ${isAnswered}`);
      received[receiver] = [...(received[receiver] ?? []), ...ids];
    },
    /** How often a lane has received an event. */
    times,
    /** A node promised a replay; `receivedBefore` counts the receipts when the replay was requested. */
    replay({ replayed, ...asked }: Replay & { readonly replayed: number }) {
      note(`replayed ${asked.id} ${replayed}`);
      if (replayed > 0) replays.push(asked);
      // Under faults the node that delivers an event may be unreachable; the event then counts as on its way.
      else if (isCalm) violate('what is replayed comes again', `${asked.id} counts as on its way`);
    },
    redeem({ code, times }: { code: string; times: number }) {
      const total = (codes.get(code) ?? 0) + times;
      codes.set(code, total);
      if (total > 1) violate('a code is used once', `${total} times`);
    },
    compareSuccessors(one: { refresh_token: string }, other: { refresh_token: string }) {
      if (one.refresh_token === other.refresh_token) return;
      violate('a refresh has one successor', 'two tabs got two');
    },
    handle(tick: { key: string; payload: unknown }) {
      handled.push({ key: tick.key, count: tick.payload });
    },
    work(key: string) {
      worked.add(key);
    },
    /** Judges an answer that is no success: it may be lost, or say that the store is unavailable. */
    judgeRefusal(
      what: 'publish' | 'replay' | 'token' | 'refresh' | 'revoke',
      heard: Heard | undefined,
    ) {
      if (heard === undefined || heard.status === 503 || heard.status === 429) return;
      const text = `${what}: ${heard.status} ${JSON.stringify(heard.body)}`;
      if (what === 'refresh' && heard.status === 400) {
        return violate('no refresh family is logged out', text);
      }
      // A second use of a code is refused: after a lost answer, or when a thief has the code too.
      if (what === 'token' && heard.status === 400) return;
      violate('answers are documented', text);
    },
    isEverythingThere: () => missing().length === 0 && [...planned].every((key) => worked.has(key)),
    /** Judges what can only be judged at the end of the run. */
    judge({ isClockTrue }: { isClockTrue: boolean }) {
      for (const [oracle, text] of missing()) violate(oracle, text);
      for (const key of planned) {
        // After the clock was set back, work waits until its due time comes again.
        if (isClockTrue && !worked.has(key)) violate('scheduled work is done', key);
      }
      judgeOrder();
    },
  };

  function judgeOrder(): void {
    for (const [lane, ids] of received.entries()) {
      const first = new Map<string, number>();
      for (const [index, id] of (ids ?? []).entries()) if (!first.has(id)) first.set(id, index);
      const byPublisher = Map.groupBy(
        acknowledged.filter((event) => event.lane === lane && first.has(event.id)),
        ({ publisher }) => publisher,
      );
      for (const events of byPublisher.values()) {
        for (const [index, { id }] of events.entries()) {
          const before = events[index - 1];
          if (before && first.get(before.id)! > first.get(id)!) {
            violate('first deliveries are in order', `${id} before ${before.id} on lane ${lane}`);
          }
        }
      }
    }
    const firstHandled = ticks.map(({ key, count }) => ({
      key,
      at: handled.findIndex((one) => one.key === key && one.count === count),
    }));
    for (const same of Map.groupBy(firstHandled, ({ key }) => key).values()) {
      for (const [index, { key, at }] of same.entries()) {
        const before = same[index - 1];
        if (before && at >= 0 && before.at > at) {
          violate('the outbox is relayed in order', `${key}: ${index} before the one before it`);
        }
      }
    }
  }
}
