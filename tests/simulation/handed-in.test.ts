import { readFileSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import { expect, test } from 'vitest';

/**
 * The files that wrap the system's time, turns of the event loop and randomness as what others are handed; the
 * command line; and the example programs for callers.
 */
const allowed =
  /^src\/(kernel\/(wait\/clock|model\/random)\.ts|console\/browser\/clock\.ts|swap\/http\/examples\.ts|cli\/|main\.ts)/;
const direct =
  /\b(?:setImmediate|setTimeout|setInterval|queueMicrotask|Date\.now|Math\.random|performance\.now)\(|node:timers|nextTick\(|AbortSignal\.timeout\(/;

test('no source file takes time, turns or randomness but from its parameters [N13]', async () => {
  const found: string[] = [];
  for await (const path of glob('src/**/*.ts')) {
    if (allowed.test(path) || /\.(?:test|fuzz|contract)\.ts$/.test(path)) continue;
    if (direct.test(readFileSync(path, 'utf8'))) found.push(path);
  }
  expect(found).toEqual([]);
});
