import { expect, test } from 'vitest';
import { targetForms } from './create-publisher.ts';

const space = '//chat.googleapis.com/spaces/{space}';

test('gives the target itself, also for a resource below it [E14.6]', () => {
  const forms = ['//chat.googleapis.com/spaces/A', '//chat.googleapis.com/spaces/-'];
  expect(targetForms('//chat.googleapis.com/spaces/A', [space])).toEqual(forms);
  expect(targetForms('//chat.googleapis.com/spaces/A/messages/B', [space])).toEqual(forms);
});

test('takes no name that only begins alike for an ancestor [E14.6]', () => {
  expect(targetForms('//chat.googleapis.com/spacesuits/A', [space])).toEqual([]);
  expect(targetForms('//chat.googleapis.com/spaces', [space])).toEqual([]);
  expect(targetForms('//chat.googleapis.com/spaces/', [space])).toEqual([]);
});

test('replaces each placeholder by a wildcard, alone and together [E14.7]', () => {
  expect(targetForms('//shop/a/1/b/2', ['//shop/a/{a}/b/{b}'])).toEqual([
    '//shop/a/1/b/2',
    '//shop/a/1/b/-',
    '//shop/a/-/b/2',
    '//shop/a/-/b/-',
  ]);
});

test('keeps a segment of which only a part is a placeholder', () => {
  const pair = '//swap/chains/{chain}/pairs/{in}-{out}';
  expect(targetForms('//swap/chains/1/pairs/a-b', [pair])).toEqual([
    '//swap/chains/1/pairs/a-b',
    '//swap/chains/-/pairs/a-b',
  ]);
});

test('gives a target that fits several patterns once', () => {
  expect(targetForms('//shop/a/1', ['//shop/a/{a}', '//shop/{kind}/1'])).toEqual([
    '//shop/a/1',
    '//shop/a/-',
    '//shop/-/1',
  ]);
});
