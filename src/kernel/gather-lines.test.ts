import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { gatherLines } from './gather-lines.ts';

it('hands on the lines of one turn together, in their order, and soon [H8]', async () => {
  const texts: string[] = [];
  const lines = gatherLines((text) => texts.push(text));
  lines.write('one\n');
  await Promise.resolve();
  lines.write('two\n');
  expect(texts).toEqual([]);
  await setImmediate();
  lines.write('three\n');
  await setImmediate();
  expect(texts).toEqual(['one\ntwo\n', 'three\n']);
});

it('hands on what is left when the process ends, and nothing twice [H8]', async () => {
  const texts: string[] = [];
  const lines = gatherLines((text) => texts.push(text));
  lines.write('last words\n');
  lines.flush();
  await setImmediate();
  expect(texts).toEqual(['last words\n']);
});
