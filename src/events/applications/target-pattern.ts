import { eventsLimits } from '../limits.ts';

/**
 * Pure matching of target patterns. A pattern is a full resource name, `//service/path`, in which
 * `{placeholder}` stands for the text of one segment or of a part of it, as in `{in}-{out}`.
 */

const longestPattern = eventsLimits.targetPattern.value;
const segmentPattern = /^(?:[\w.~@%+-]|\{\w+\})+$/;
// A text could be split between two adjacent placeholders in several ways, and none would be the right one.
const touchingPlaceholders = /\}\{/;

/** What is wrong with a pattern, in words that continue "The pattern …"; undefined when nothing is. */
export function findPatternProblem(pattern: string): string | undefined {
  if (Buffer.byteLength(pattern) > longestPattern) return 'is longer than 1024 bytes';
  if (!pattern.startsWith('//')) return 'does not begin with //';
  const [service = '', ...path] = pattern.slice(2).split('/');
  if (!/^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/.test(service)) {
    return 'has no service in lower case after //';
  }
  if (path.length === 0) return 'names a service but nothing in it';
  const bad = path.find(
    (segment) => !segmentPattern.test(segment) || touchingPlaceholders.test(segment),
  );
  if (bad !== undefined) {
    return bad === '' ? 'has an empty segment' : `has the segment ${bad}, which cannot be matched`;
  }
  return undefined;
}

/** The service of a pattern or of a full resource name: `//drive.googleapis.com/files/f` has `drive.googleapis.com`. */
export function serviceOf(resourceName: string): string {
  return resourceName.slice(2).split('/', 1)[0] ?? '';
}

/**
 * Returns whether a target fits the pattern (E14.7), segment by segment. A `-` in the target fits only a segment that
 * is a placeholder as a whole. A placeholder is never empty.
 */
export function fitsPattern(targetResource: string, pattern: string): boolean {
  const wanted = pattern.split('/');
  const given = targetResource.split('/');
  return (
    wanted.length === given.length &&
    wanted.every((segment, index) => fitsSegment(given[index] ?? '', segment))
  );
}

function fitsSegment(given: string, wanted: string): boolean {
  const [first = '', ...between] = wanted.split(/\{\w+\}/);
  const last = between.pop();
  if (last === undefined) return given === wanted;
  if (!given.startsWith(first) || !given.endsWith(last)) return false;
  let taken = first.length;
  for (const text of between) {
    // Starts one character further on, since a placeholder is never empty. The nearest match leaves the most text to
    // the other placeholders.
    const found = given.indexOf(text, taken + 1);
    if (found === -1) return false;
    taken = found + text.length;
  }
  return taken < given.length - last.length;
}
