import type { LaneKind } from '../../store/lanes/lane-store.ts';
import { slowAfter } from '../schedule/delivery-schedule.ts';

/** How a lane counts against the places of a process. */
export type LaneLoad = {
  /** It has delivered all and waits for more. */
  readonly isWaiting: boolean;
  readonly isFailing: boolean;
  /** Since when it has been waiting for its endpoint; undefined while it is not. */
  readonly sendingSince: number | undefined;
};

/** How many lanes are delivered side by side, and how many of them may be failing lanes. */
const [lanesAtOnce, failingAtOnce] = [512, 128];
/** How many lanes that wait long for their endpoint have places of their own. */
const slowAtOnce = 1_536;

/**
 * How many more lanes of each kind have a place. Lanes with a failing or slow endpoint have separate places, so that
 * the others keep theirs (E12.4). Lanes that wait for more events need none.
 */
export function freePlaces(loads: Iterable<LaneLoad>, now: number): Record<LaneKind, number> {
  let [working, slow, failing] = [0, 0, 0];
  for (const { isWaiting, isFailing, sendingSince } of loads) {
    if (isWaiting) continue;
    working++;
    if (isFailing) failing++;
    if (sendingSince !== undefined && now - sendingSince > slowAfter) slow++;
  }
  const others = lanesAtOnce - (working - Math.min(slow, slowAtOnce));
  return { others, failing: Math.min(others, failingAtOnce - failing) };
}
