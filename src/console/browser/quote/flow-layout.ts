import type { RouteLeg } from './quote-answer.ts';

/** One path of a route as a band from left to right: its thickness, its place, and its labels. */
export type FlowLane = {
  readonly share: number;
  readonly thickness: number;
  /** The middle of the band where it leaves the token paid, where it runs, and where it reaches the token received. */
  readonly startY: number;
  readonly laneY: number;
  readonly endY: number;
  readonly hops: readonly { readonly x: number; readonly leg: RouteLeg }[];
  /** The tokens between the hops. */
  readonly stops: readonly { readonly x: number; readonly token: string }[];
};

export type FlowLayout = {
  readonly height: number;
  /** The bars at both ends. */
  readonly bar: { readonly top: number; readonly height: number };
  readonly lanes: readonly FlowLane[];
};

const fullThickness = 96;
/** Room for the label of a band, however thin the band is. */
const leastPitch = 44;
const thinnest = 2;

/**
 * Lays out a route as bands whose thickness is their share of the input, the largest first. `left` is where
 * the left bar ends and `right` where the right bar begins.
 */
export function layOutFlow(
  route: readonly RouteLeg[],
  { left, right }: { left: number; right: number },
): FlowLayout {
  const paths = [...Map.groupBy(route, ({ path }) => path).values()].sort(
    ([a], [b]) => (b?.share ?? 0) - (a?.share ?? 0),
  );
  const thicknesses = paths.map(([first]) =>
    Math.max(thinnest, (first?.share ?? 0) * fullThickness),
  );
  const barHeight = thicknesses.reduce((sum, each) => sum + each, 0);
  const pitches = thicknesses.map((each) => Math.max(leastPitch, each + 12));
  const height = Math.max(
    pitches.reduce((sum, each) => sum + each, 0),
    barHeight,
  );
  const top = (height - barHeight) / 2;
  let [offset, laneTop] = [top, (height - pitches.reduce((sum, each) => sum + each, 0)) / 2];
  const lanes = paths.map((legs, index) => {
    const thickness = thicknesses[index] ?? thinnest;
    const pitch = pitches[index] ?? leastPitch;
    const [startY, laneY] = [offset + thickness / 2, laneTop + pitch / 2];
    offset += thickness;
    laneTop += pitch;
    const xAt = (part: number) => left + ((right - left) * part) / legs.length;
    return {
      share: legs[0]?.share ?? 0,
      thickness,
      startY,
      laneY,
      endY: startY,
      hops: legs.map((leg, at) => ({ x: xAt(at + 0.5), leg })),
      stops: legs.slice(1).map((leg, at) => ({ x: xAt(at + 1), token: leg.tokenIn })),
    };
  });
  return { height, bar: { top, height: barHeight }, lanes };
}
