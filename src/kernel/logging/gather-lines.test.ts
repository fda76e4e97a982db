import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createFakeClock } from '../../../tests/support/fake-clock.ts';
import { gatherLines } from './gather-lines.ts';

it('writes the lines of 10 milliseconds together and in order [H8]', async () => {
  const clock = createFakeClock();
  const texts: string[] = [];
  const lines = gatherLines({ write: (text) => texts.push(text) }, { clock });
  lines.write('one\n');
  clock.advance(9);
  lines.write('two\n');
  await setImmediate();
  expect(texts).toEqual([]);
  clock.advance(1);
  await setImmediate();
  lines.write('three\n');
  clock.advance(10);
  await setImmediate();
  expect(texts).toEqual(['one\ntwo\n', 'three\n']);
});

it('writes the remaining lines when the process ends, and none twice [H8]', async () => {
  const texts: string[] = [];
  const clock = createFakeClock();
  const lines = gatherLines({ write: (text) => texts.push(text) }, { clock });
  lines.write('last words\n');
  lines.flush();
  clock.advance(10);
  await setImmediate();
  expect(texts).toEqual(['last words\n']);
});

it('drops lines while the output is not read, and reports their number once afterwards [H8]', () => {
  const texts: string[] = [];
  const stream = { write: (text: string) => texts.push(text), writableLength: 2 ** 24 + 1 };
  const lines = gatherLines(stream, { onLost: (count) => lines.write(`${count} lost\n`) });
  lines.write('one\n');
  lines.write('two\n');
  lines.flush();
  expect(texts).toEqual([]);
  stream.writableLength = 0;
  lines.write('three\n');
  lines.flush();
  lines.write('four\n');
  lines.flush();
  expect(texts).toEqual(['three\n2 lost\n', 'four\n']);
});
