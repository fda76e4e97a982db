import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '../../src/kernel/database/open-database.ts';
import { systemClock as clock } from '../../src/kernel/wait/clock.ts';
import { issuer, openTokenWorld } from '../../tests/support/open-token-world.ts';

const checks = 20_000;
const firstChecks = 1_000;

/** Processor time of the guard for one request: with a token it has seen before, and with a new one. */
export async function measureGuard() {
  const dataDir = mkdtempSync(join(tmpdir(), 'tradewind-bench-'));
  const database = await openDatabase({ dataDir });
  const { tokens, actForItself } = await openTokenWorld({ database, clock });
  const requestWith = (token: string) =>
    new Request(`${issuer}/mcp`, { headers: { authorization: `Bearer ${token}` } });
  const check = async (request: Request) => {
    const { principal } = await tokens.guard.check(request, { scope: ['swap.read'] });
    if (principal === undefined) throw new Error('The guard refused a good token.');
  };

  const fresh: Request[] = [];
  for (let count = 0; count < firstChecks; count++) {
    fresh.push(requestWith((await actForItself()).access_token));
  }
  const cold = await microsOf(fresh.length, (count) => check(fresh[count] as Request));
  const known = requestWith((await actForItself()).access_token);
  await microsOf(checks, () => check(known));
  const warm = await microsOf(checks, () => check(known));
  await database.close();
  rmSync(dataDir, { recursive: true });
  return { 'guard check, cpu µs': { warm: warm.toFixed(1), 'first use': cold.toFixed(1) } };
}

async function microsOf(count: number, work: (index: number) => Promise<void>): Promise<number> {
  const before = process.cpuUsage();
  for (let index = 0; index < count; index++) await work(index);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / count;
}
