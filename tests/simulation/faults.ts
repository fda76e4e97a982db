import type { SimulatedRandom } from './world/simulated-random.ts';

/** How an exchange over the network goes wrong. */
export type ExchangeEffect = 'drop' | 'repeat' | 'reset' | 'reset-after' | 'drip' | 'refuse';

/** One thing that goes wrong, and when, in milliseconds since the beginning. Nodes and receivers are counted from 0. */
export type Fault = { readonly at: number } & (
  | {
      /** The process is paused at one of its next statements to the database. */
      readonly kind: 'pause';
      readonly node: number;
      readonly call: number;
      readonly milliseconds: number;
    }
  | {
      readonly kind: 'kill';
      readonly node: number;
      readonly call: number;
      readonly milliseconds: number;
    }
  | { readonly kind: 'clock-set-back'; readonly milliseconds: number }
  | {
      /** One of the next statements of a node goes wrong. */
      readonly kind: 'statement';
      readonly node: number;
      readonly call: number;
      readonly effect: 'lost-before' | 'lost-after' | 'silent-before' | 'silent-after';
    }
  | {
      readonly kind: 'slow-statement';
      readonly node: number;
      readonly call: number;
      readonly milliseconds: number;
    }
  | {
      /** Every connection of a node to the database goes silent; new ones can be made after a while. */
      readonly kind: 'silence';
      readonly node: number;
      readonly milliseconds: number;
    }
  | {
      /** The database loses the commits that did not wait for the disk, and is down for a while. */
      readonly kind: 'crash';
      readonly milliseconds: number;
    }
  | {
      readonly kind: 'receiver';
      readonly receiver: number;
      readonly milliseconds: number;
      readonly effect: ExchangeEffect;
    }
  | {
      readonly kind: 'bus';
      readonly node: number;
      readonly milliseconds: number;
      readonly effect: ExchangeEffect;
    }
);

export type FaultKind = Fault['kind'];

export const exchangeEffects: readonly ExchangeEffect[] = [
  'drop',
  'repeat',
  'reset',
  'reset-after',
  'drip',
  'refuse',
];

export type FaultRange = {
  readonly nodes: number;
  readonly receivers: number;
  /** No fault begins later. */
  readonly until: number;
  /** The kinds that may happen; all by default. */
  readonly kinds?: readonly FaultKind[] | undefined;
};

const everyKind: readonly FaultKind[] = [
  'pause',
  'kill',
  'clock-set-back',
  'statement',
  'statement',
  'statement',
  'slow-statement',
  'silence',
  'crash',
  'receiver',
  'receiver',
  'bus',
];

/** What goes wrong in one run, in the order of time: mostly a few things, sometimes nothing. */
export function drawFaults(random: SimulatedRandom, range: FaultRange): Fault[] {
  const kinds = range.kinds ?? everyKind;
  const count = random.below(8);
  return Array.from({ length: count }, () => drawFault(random, random.pick(kinds), range)).sort(
    (a, b) => a.at - b.at,
  );
}

function drawFault(random: SimulatedRandom, kind: FaultKind, range: FaultRange): Fault {
  const at = Math.floor(random.between(0, range.until));
  const node = random.below(range.nodes);
  const call = random.below(12);
  const milliseconds = (low: number, high: number) => Math.floor(random.between(low, high));
  switch (kind) {
    case 'pause':
      return { kind, at, node, call, milliseconds: milliseconds(100, 12_000) };
    case 'kill':
      return { kind, at, node, call, milliseconds: milliseconds(500, 5_000) };
    case 'clock-set-back':
      return { kind, at, milliseconds: milliseconds(1_000, 7_200_000) };
    case 'statement': {
      const effects = ['lost-before', 'lost-after', 'silent-before', 'silent-after'] as const;
      return { kind, at, node, call, effect: random.pick(effects) };
    }
    case 'slow-statement':
      return { kind, at, node, call, milliseconds: milliseconds(100, 8_000) };
    case 'silence':
      return { kind, at, node, milliseconds: milliseconds(0, 5_000) };
    case 'crash':
      return { kind, at, milliseconds: milliseconds(200, 5_000) };
    case 'receiver':
      return {
        kind,
        at,
        receiver: random.below(range.receivers),
        milliseconds: milliseconds(100, 10_000),
        effect: random.pick(exchangeEffects),
      };
    case 'bus':
      return {
        kind,
        at,
        node,
        milliseconds: milliseconds(100, 10_000),
        effect: random.pick(exchangeEffects),
      };
  }
}

/** When the last fault is over. */
export function endOf(faults: readonly Fault[]): number {
  const ends = faults.map((fault) =>
    fault.kind === 'clock-set-back' || !('milliseconds' in fault)
      ? fault.at
      : fault.at + fault.milliseconds,
  );
  return Math.max(0, ...ends);
}
