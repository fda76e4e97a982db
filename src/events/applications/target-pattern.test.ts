import { expect, test } from 'vitest';
import { longestStall } from '../../../tests/support/longest-stall.ts';
import { findPatternProblem, fitsPattern, serviceOf } from './target-pattern.ts';

test.each([
  ['//crm/deals/17', '//crm/deals/{deal}'],
  ['//crm/deals/-', '//crm/deals/{deal}'],
  ['//crm/deals/17/notes/-', '//crm/deals/{deal}/notes/{note}'],
  ['//swap/chains/1/pairs/0xa-0xb', '//swap/chains/{id}/pairs/{in}-{out}'],
  ['//a.b/c+d/e', '//a.b/c+d/{x}'],
])('%s fits %s [E14.7]', (target, pattern) => {
  expect(fitsPattern(target, pattern)).toBe(true);
});

test.each([
  ['//crm/deals/', '//crm/deals/{deal}'],
  ['//crm/deals', '//crm/deals/{deal}'],
  ['//crm/deals/17/notes', '//crm/deals/{deal}'],
  ['//crm/deals-/17', '//crm/deals/{deal}'],
  ['//crm/-/17', '//crm/deals/{deal}'],
  ['//crn/deals/17', '//crm/deals/{deal}'],
  ['//swap/chains/1/pairs/-', '//swap/chains/{id}/pairs/{in}-{out}'],
  ['//axb/ccd/e', '//a.b/c+d/{x}'],
])('%s does not fit %s [E14.7]', (target, pattern) => {
  expect(fitsPattern(target, pattern)).toBe(false);
});

test.each([
  ['/crm/deals', /begin with/],
  ['//CRM/deals', /service in lower case/],
  ['//crm', /nothing in it/],
  ['//crm/', /empty segment/],
  ['//crm//deals', /empty segment/],
  ['//crm/{a}{b}', /cannot be matched/],
  ['//crm/{deal', /cannot be matched/],
  ['//crm/(a+)+', /cannot be matched/],
  [`//crm/${'a'.repeat(1024)}`, /1024 bytes/],
])('the pattern %s is refused with its reason [E14.15]', (pattern, problem) => {
  expect(findPatternProblem(pattern)).toMatch(problem);
});

test('a sound pattern has no problem, and a service', () => {
  expect(findPatternProblem('//crm.example.com/deals/{deal}')).toBeUndefined();
  expect(serviceOf('//crm.example.com/deals/{deal}')).toBe('crm.example.com');
});

test('many placeholders in a segment are matched in linear time', async () => {
  const pattern = `//crm/${'{a}-'.repeat(200)}{a}`;
  const target = `//crm/${'-'.repeat(1_000)}/`;
  expect(findPatternProblem(pattern)).toBeUndefined();
  expect(fitsPattern(`//crm/${'a-'.repeat(200)}a`, pattern)).toBe(true);
  expect(fitsPattern(`//crm/${'a-'.repeat(200)}`, pattern)).toBe(false);
  const stall = await longestStall([target], (text) =>
    fitsPattern(`${text.slice(0, -1)}.`, pattern),
  );
  expect(stall).toBeLessThan(500);
});
