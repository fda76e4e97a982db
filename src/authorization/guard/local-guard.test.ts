import { expect, it } from 'vitest';
import { hostileTexts } from '../../../tests/support/hostile-texts.ts';
import { longestStall } from '../../../tests/support/longest-stall.ts';
import { systemClock } from '../../kernel/wait/clock.ts';
import { createLocalGuard } from './local-guard.ts';

const noToken = () => {
  throw new Error('No request of these tests carries a token.');
};
const guard = createLocalGuard({
  publicUrl: new URL('http://localhost:8787'),
  paths: ['/v1', '/mcp', '/mcp/more'],
  read: noToken,
  isLive: noToken,
  checkProof: noToken,
  clock: systemClock,
});

it.each([
  ['/mcp', '/mcp'],
  ['/mcp/', '/mcp'],
  ['/mcp/more/of/it', '/mcp/more'],
  ['/mcp/mor', '/mcp'],
  ['/mcps', ''],
  ['/', ''],
])('answers %s with the metadata of the resource "%s" [S1]', async (path, resource) => {
  const { refusal } = await guard.check(new Request(`http://localhost:8787${path}`));
  const metadata = `http://localhost:8787/.well-known/oauth-protected-resource${resource}"`;
  expect(refusal?.challenges[0]).toContain(metadata);
});

it('finds the resource of a path in time linear in its length [F2]', async () => {
  const paths = ['/'.repeat(60_000), '/a'.repeat(30_000), ...hostileTexts(60_000)];
  const requests = paths.map(
    (path) => new Request(`http://localhost:8787/${encodeURI(path.toWellFormed())}`),
  );
  expect(await longestStall(requests, (request) => guard.check(request))).toBeLessThan(500);
});
