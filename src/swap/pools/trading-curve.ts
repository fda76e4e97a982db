/**
 * What a pool gives in one direction, in float64: a chain of segments of constant liquidity.
 *
 * Let s be the square root of the pool's price, in units of output per unit of input, before fees.
 * Input pushes s down. Within a segment of liquidity L, moving from s to s' takes L·(1/s' − 1/s) of
 * input that trades and gives L·(s − s') of output. A constant-product pair is one segment with
 * L = √(x·y) and s = √(y/x), a concentrated pool one for each range between ticks, and any other
 * concave curve is tabulated so (`tabulateCurve`).
 *
 * The upper bound of a route rests on two promises. The contract gives no more than the curve says, for
 * every input. And with u = 2⁻⁵³ each figure of segment k has a relative error of at most (k + 8)·u,
 * as if it came from integers by eight roundings and one more for each step along the chain.
 */
export type TradingCurve = {
  /** The part of the input that trades, γ; the rest is the fee. */
  readonly keep: number;
  /**
   * In falling order of s, beginning where there is liquidity. Segments without liquidity are gaps;
   * the last one is the end of the pool, or of what is known of it, and reaches down to s = 0.
   */
  readonly segments: readonly Segment[];
  /** Set where the fee stays in the reserves and moves the price: one segment, `x · y = k`. */
  readonly compounds?: true;
  /** Set where segments end at initialized ticks, which cost gas to cross. */
  readonly isTicked?: true;
  /** Set where the pool goes on beyond the last segment, in ticks that were not read. */
  readonly isOpen?: true;
  /**
   * Set if the segments only approximate the pool's function: corners that no trade exceeds, in the form of
   * gaps. Without it the segments themselves are never below what the contract gives.
   */
  readonly bound?: readonly Segment[];
  /** Set if the kind can refine the curve around an input. */
  readonly isTabulated?: true;
};

export type Segment = {
  /** s where the segment begins. */
  readonly start: number;
  readonly liquidity: number;
  /** What the segments before this one take of trading input, and what they give. */
  readonly inputBefore: number;
  readonly outputBefore: number;
};

/** The one segment of a pool that cannot trade. */
export const endOfCurve: Segment = { start: 0, liquidity: 0, inputBefore: 0, outputBefore: 0 };

/** A concave function to be tabulated, of input that trades. */
export type CurveFunction = {
  /** What the pool gives for so much input: at least what its contract gives, but for `slack`. */
  value(input: number): number;
  /** The derivative of `value`, which never rises. */
  slope(input: number): number;
  /** The part of the input that trades; the whole by default. */
  readonly keep?: number;
  /** The most that the pool takes of trading input. */
  readonly capacity: number;
  /** Output units by which the contract's rounding may exceed `value`; one by default. */
  readonly slack?: number;
  /** Trading input around which to look closely: a tenth to both sides. */
  readonly around?: number | undefined;
};

const wholeRangeNodes = 48;
const closeNodes = 32;
/** The smallest input in the table, as a part of the capacity. */
const least = 1e-9;

/**
 * The curve of a function, for kinds whose invariant has no other form [Q27]. A segment between two nodes
 * passes through both of their values, which for smooth functions misses little. The bound consists of the
 * tangents at all nodes: no concave function exceeds those. Over the whole range both are coarse, so that a
 * search asks again `around` the input that it found.
 */
export function tabulateCurve(curve: CurveFunction): TradingCurve {
  const { keep = 1, slack = 1 } = curve;
  const nodes = nodesOf(curve).map((input) => {
    return { input, output: input === 0 ? 0 : curve.value(input), slope: curve.slope(input) };
  });
  const steps = nodes.slice(1).flatMap((node, index) => {
    const before = nodes[index] as CurveNode; // one less than the node's own index
    const rate = (node.output - before.output) / (node.input - before.input);
    return rate > 0 && before.slope > 0 ? [{ before, node, rate }] : [];
  });
  if (steps.length === 0) return { keep, segments: [endOfCurve] };
  const segments = steps.map(({ before, node, rate }): Segment => {
    // Between the slopes at both ends, so that segments fall; the product of the two roots is the rate.
    const start = Math.min(Math.sqrt(before.slope), rate / Math.sqrt(Math.max(node.slope, 0)));
    const fall = start - rate / start;
    const given = node.output - before.output;
    return {
      start,
      // A straight line has no finite liquidity; one that bends by next to nothing serves as well.
      liquidity: given / Math.max(fall, straight * start),
      inputBefore: before.input,
      outputBefore: before.output,
    };
  });
  const last = steps.at(-1);
  const end = {
    start: last === undefined ? 0 : Math.sqrt(last.rate) * (1 - straight),
    liquidity: 0,
    inputBefore: last?.node.input ?? 0,
    outputBefore: last?.node.output ?? 0,
  };
  return { keep, segments: [...segments, end], bound: tangents(nodes, slack), isTabulated: true };
}

/** The curve of a pool with a constant rate up to an end: a vault, a wrapper. */
export function linearCurve(line: {
  readonly rate: number;
  readonly capacity: number;
  readonly keep?: number;
}): TradingCurve {
  const { rate, capacity, keep = 1 } = line;
  if (!(rate > 0 && capacity > 0)) return { keep, segments: [endOfCurve] };
  const start = Math.sqrt(rate);
  const whole = { inputBefore: capacity, outputBefore: rate * capacity };
  return {
    keep,
    segments: [
      { start, liquidity: (start * capacity) / bend, inputBefore: 0, outputBefore: 0 },
      { start: start * (1 - bend), liquidity: 0, ...whole },
    ],
    bound: [{ start, liquidity: 0, ...whole }],
  };
}

/**
 * The part by which a line falls over its whole length: where the price does not move, a search finds no
 * amount. At the very end it costs the model a thousandth of a basis point.
 */
const bend = 1e-7;

type CurveNode = { readonly input: number; readonly output: number; readonly slope: number };

/** Relative fall of a segment that counts as straight. */
const straight = 1e-9;

function nodesOf({ capacity, around }: CurveFunction): number[] {
  const ratio = least ** (-1 / (wholeRangeNodes - 1));
  const inputs = new Set([0, capacity]);
  for (let input = least * capacity; input < capacity; input *= ratio) inputs.add(input);
  if (around !== undefined && around > 0) {
    for (let node = 0; node <= closeNodes; node++) {
      const input = around * (0.9 + (0.2 * node) / closeNodes);
      if (input < capacity) inputs.add(input);
    }
  }
  return [...inputs].sort((left, right) => left - right);
}

/** Where neighbouring tangents meet: a trader who stops at a price stops at such a corner. */
function tangents(nodes: readonly CurveNode[], slack: number): Segment[] {
  return nodes.flatMap((node, index): Segment[] => {
    if (!(node.slope > 0)) return [];
    const next = nodes[index + 1];
    const bends = next !== undefined && node.slope > next.slope;
    const along = bends
      ? (next.output - node.output - next.slope * (next.input - node.input)) /
        (node.slope - next.slope)
      : (next?.input ?? node.input) - node.input;
    const ahead = Math.min(Math.max(0, along), (next?.input ?? node.input) - node.input);
    return [
      {
        start: Math.sqrt(node.slope),
        liquidity: 0,
        inputBefore: node.input + ahead,
        outputBefore: node.output + ahead * node.slope + slack,
      },
    ];
  });
}
