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

/** Where callers wait for one another, each with why it is no queue of `kernel/wait`. This list only shrinks. */
const ownWaits = {
  'src/kernel/database/sqlite/group-commit.ts': 'joins transactions in one commit of the disk',
  'src/events/publishing/create-shared-commits.ts': 'joins publications in one transaction',
  'src/authorization/client/sign-in/authorize.ts': 'a browser answers each, by its state',
};
const keepsResolvers =
  /PromiseWithResolvers<|push\(\(?(?:resolve|reject|enter|go)\b|set\([^()]*, resolve\)|add\(go\)|push\(\{[^}]*\bresolve\b/;

async function filesWith(pattern: RegExp, isAllowed: (path: string) => boolean): Promise<string[]> {
  const found: string[] = [];
  for await (const path of glob('src/**/*.ts')) {
    if (isAllowed(path) || /\.(?:test|fuzz|contract)\.ts$/.test(path)) continue;
    if (pattern.test(readFileSync(path, 'utf8'))) found.push(path);
  }
  return found.sort();
}

test('whoever waits in a queue waits in the one that `kernel/wait` has [Y5]', async () => {
  const found = await filesWith(keepsResolvers, (path) => path.startsWith('src/kernel/wait/'));
  expect(found).toEqual(Object.keys(ownWaits).sort());
});

test('no source file takes time, turns or randomness but from its parameters [N13]', async () => {
  expect(await filesWith(direct, (path) => allowed.test(path))).toEqual([]);
});
