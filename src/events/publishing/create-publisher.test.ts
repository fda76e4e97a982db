import { expect, test } from 'vitest';
import { targetForms } from './create-publisher.ts';

const space = '//chat.googleapis.com/spaces/{space}';

test('gives the target itself, also for a resource below it [E14.6]', () => {
  const forms = ['//chat.googleapis.com/spaces/A', '//chat.googleapis.com/spaces/-'];
  expect(targetForms('//chat.googleapis.com/spaces/A', [{ pattern: space }])).toEqual(forms);
  expect(targetForms('//chat.googleapis.com/spaces/A/messages/B', [{ pattern: space }])).toEqual(
    forms,
  );
});

test('takes no name that only begins alike for an ancestor [E14.6]', () => {
  expect(targetForms('//chat.googleapis.com/spacesuits/A', [{ pattern: space }])).toEqual([]);
  expect(targetForms('//chat.googleapis.com/spaces', [{ pattern: space }])).toEqual([]);
  expect(targetForms('//chat.googleapis.com/spaces/', [{ pattern: space }])).toEqual([]);
});

test('replaces each placeholder by a wildcard, alone and together [E14.7]', () => {
  expect(targetForms('//shop/a/1/b/2', [{ pattern: '//shop/a/{a}/b/{b}' }])).toEqual([
    '//shop/a/1/b/2',
    '//shop/a/1/b/-',
    '//shop/a/-/b/2',
    '//shop/a/-/b/-',
  ]);
});

test('keeps a segment of which only a part is a placeholder', () => {
  const pair = '//swap/chains/{chain}/pairs/{in}-{out}';
  expect(targetForms('//swap/chains/1/pairs/a-b', [{ pattern: pair }])).toEqual([
    '//swap/chains/1/pairs/a-b',
    '//swap/chains/-/pairs/a-b',
  ]);
});

test('gives a target that fits several patterns once', () => {
  expect(
    targetForms('//shop/a/1', [{ pattern: '//shop/a/{a}' }, { pattern: '//shop/{kind}/1' }]),
  ).toEqual(['//shop/a/1', '//shop/a/-', '//shop/-/1']);
});

test('gives a target that covers the subject by its one name, wherever below it that is [G4]', () => {
  const covers = { name: '//office/all', subjects: ['//shop/', '//people/users/'] };
  const all = [{ pattern: '//office/{any}', covers }];
  for (const subject of ['//shop/a/1', '//shop/b', '//people/users/u']) {
    expect(targetForms(subject, all)).toEqual(['//office/all']);
  }
  for (const subject of ['//people/rooms/r', '//shopping/a', '//office/x']) {
    expect(targetForms(subject, all)).toEqual([]);
  }
});
