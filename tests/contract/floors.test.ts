import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const forbidden = [
  ['src/kernel/swap-user.ts', '../swap/index.ts'],
  ['src/kernel/edge/app-user.ts', '../../app/compose.ts'],
  ['src/swap/quote/authorization-user.ts', '../../authorization/index.ts'],
  ['src/swap/devchain-user.ts', '../devchain/index.ts'],
  ['src/console/swap-user.ts', '../swap/wire.ts'],
  ['src/swap/console-user.ts', '../console/index.ts'],
  ['src/app/console-door-breaker.ts', '../console/pages.ts'],
  ['src/events/app-user.ts', '../app/compose.ts'],
  ['src/devchain/swap-user.ts', '../swap/index.ts'],
  ['src/app/door-breaker.ts', '../swap/routing/find-route.ts'],
  ['src/app/cli-user.ts', '../cli/commands/serve.ts'],
  ['src/cli/door-breaker.ts', '../events/http/routes.ts'],
  ['src/app/wire-user.ts', '../events/wire.ts'],
] as const;

const allowed = [
  ['src/swap/quote/routing-user.ts', '../routing/find-route.ts'],
  ['src/swap/kernel-user.ts', '../kernel/wait/clock.ts'],
  ['src/app/swap-user.ts', '../swap/index.ts'],
  ['src/app/kernel-user.ts', '../kernel/database/migrate.ts'],
  ['src/cli/app-user.ts', '../app/compose.ts'],
  ['src/cli/events-user.ts', '../events/wire.ts'],
  ['src/cli/authorization-user.ts', '../authorization/wire.ts'],
] as const;

const root = fileURLToPath(new URL('../..', import.meta.url));
const house = mkdtempSync(join(tmpdir(), 'tradewind-floors-'));
afterAll(() => rmSync(house, { recursive: true }));

let report = '';
beforeAll(() => {
  copyFileSync(join(root, 'biome.json'), join(house, 'biome.json'));
  for (const [path, imported] of [...forbidden, ...allowed]) {
    mkdirSync(dirname(join(house, path)), { recursive: true });
    writeFileSync(join(house, path), `import { part } from '${imported}';\n\npart();\n`);
  }
  const args = ['lint', '--vcs-enabled=false', '--max-diagnostics=none', '--reporter=github'];
  report = spawnSync(join(root, 'node_modules/.bin/biome'), args, { cwd: house }).stdout.toString();
});

describe('the floors, as the linter holds them', () => {
  const breach = (path: string) => new RegExp(`noRestrictedImports,file=[^,]*${path},`);

  it.each(forbidden)('%s may not import %s', (path) => {
    expect(report).toMatch(breach(path));
  });

  it.each(allowed)('%s may import %s', (path) => {
    expect(report).not.toMatch(breach(path));
  });
});
