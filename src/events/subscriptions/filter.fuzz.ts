import fc from 'fast-check';
import { expect, test } from 'vitest';
import { propertyRuns } from '../../../tests/support/property-runs.ts';
import { type Filter, matchesFilter, parseFilter } from './filter.ts';

const names = fc.constantFrom('a', 'b', 'c', 'q"uote', 'back\\slash', ' ');
const spaces = fc.constantFrom(' ', '  ', '\t', '\n');

/** Filters as the grammar yields them: trees in which no member of `all` is an `all`. */
const { filter } = fc.letrec<{ filter: Filter; term: Filter; condition: Filter }>((tie) => ({
  condition: fc.record({
    kind: fc.constantFrom('eventType' as const, 'targetResource' as const),
    value: names,
  }),
  term: fc.oneof(
    { maxDepth: 4, depthIdentifier: 'filter' },
    tie('condition'),
    fc.record({
      kind: fc.constant('any' as const),
      of: fc.array(tie('filter'), { minLength: 2, maxLength: 3 }),
    }),
  ),
  filter: fc.oneof(
    { maxDepth: 4, depthIdentifier: 'filter' },
    tie('term'),
    fc.record({
      kind: fc.constant('all' as const),
      of: fc.array(tie('term'), { minLength: 2, maxLength: 3 }),
    }),
  ),
}));

function write(tree: Filter, space: string): string {
  const quoted = (text: string) => `"${text.replaceAll(/["\\]/g, '\\$&')}"`;
  switch (tree.kind) {
    case 'eventType':
      return `event_types${space}:${space}${quoted(tree.value)}`;
    case 'targetResource':
      return `target_resource=${quoted(tree.value)}`;
    case 'all':
      return tree.of.map((part) => write(part, space)).join(`${space}AND${space}`);
    case 'any':
      // Members that are conditions need no parentheses, for OR binds tighter than AND.
      return tree.of
        .map((part) => ('value' in part ? write(part, space) : `(${write(part, space)})`))
        .join(`${space}OR${space}`);
  }
}

const hasType = (tree: Filter): boolean =>
  'of' in tree ? tree.of.some(hasType) : tree.kind === 'eventType';

test('reads every filter that can be written as it was meant [E3.11, E3.12]', () => {
  fc.assert(
    fc.property(filter, spaces, (tree, space) => {
      fc.pre(hasType(tree));
      expect(parseFilter(write(tree, space))).toEqual({ filter: tree });
    }),
    propertyRuns,
  );
});

test('answers any text with a filter or a problem, and never throws [E3.4, E3.15]', () => {
  const words = fc.constantFrom(
    'event_types',
    'target_resource',
    ':',
    '=',
    '"a"',
    '"',
    'AND',
    'OR',
    '(',
    ')',
    'NOT',
    ' ',
    '\\',
    'x',
  );
  const texts = fc.oneof(
    fc.string(),
    fc.array(words, { maxLength: 12 }).map((parts) => parts.join('')),
  );
  fc.assert(
    fc.property(texts, (text) => {
      const { filter: read, problem } = parseFilter(text);
      expect((read === undefined) !== (problem === undefined)).toBe(true);
    }),
    propertyRuns,
  );
});

test('gives the same answer however often a condition is repeated', () => {
  const subscription = fc.record({
    eventTypes: fc.subarray(['a', 'b', 'c']),
    targetResource: names,
  });
  fc.assert(
    fc.property(filter, subscription, (tree, one) => {
      const expected = matchesFilter(tree, one);
      expect(matchesFilter({ kind: 'all', of: [tree, tree] }, one)).toBe(expected);
      expect(matchesFilter({ kind: 'any', of: [tree, tree] }, one)).toBe(expected);
    }),
    propertyRuns,
  );
});
