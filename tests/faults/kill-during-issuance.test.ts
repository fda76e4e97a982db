import { expect, test } from 'vitest';
import { type OpenDatabaseOptions, openDatabase } from '../../src/kernel/database/open-database.ts';
import { createDataDir } from '../support/create-data-dir.ts';
import { createFakeClock } from '../support/fake-clock.ts';
import { openTokenWorld, type TokenAnswer } from '../support/open-token-world.ts';
import { createSeededFractions } from '../support/seeded-fractions.ts';
import { type Child, startChild } from '../support/start-child.ts';
import { startPostgres } from '../support/start-postgres.ts';
import { testRounds } from '../support/test-rounds.ts';

const script = new URL('children/issue-until-killed.ts', import.meta.url);
/** Room for many rounds on a slow machine. */
const timeout = 300_000 + testRounds * 8_000;
/** How many grants of a round are checked; each check costs a few durable writes. */
const grantsChecked = 40;

test('a killed process loses no acknowledged token and revives no spent code in the file [R1, R8]', {
  timeout,
}, async ({ annotate }) => {
  const options = { dataDir: createDataDir() };
  const fraction = createSeededFractions(3);
  let acknowledged = 0;
  for (let round = 1; round <= testRounds; round++) {
    const child = await issueForAWhile(options, fraction);
    await child.kill();
    acknowledged += await checkTokens(options, { ...child, killedAt: Date.now() });
  }
  await annotate(`${testRounds} rounds, ${acknowledged} acknowledged answers, none lost`);
});

test('a killed client or server of PostgreSQL loses no acknowledged token and revives no spent code [R1, R8]', {
  timeout,
}, async ({ annotate }) => {
  const server = await startPostgres({ isDurable: true });
  try {
    const options = { dataDir: '', url: server.url };
    const fraction = createSeededFractions(4);
    let acknowledged = 0;
    for (let round = 1; round <= testRounds; round++) {
      const child = await issueForAWhile(options, fraction);
      const isServerKilled = round % 4 === 0;
      if (isServerKilled) await server.kill();
      await child.kill();
      const killedAt = Date.now();
      if (isServerKilled) await server.restart();
      acknowledged += await checkTokens(options, { ...child, killedAt });
    }
    await annotate(`${testRounds} rounds, ${acknowledged} acknowledged answers, none lost`);
  } finally {
    await server.stop();
  }
});

/** Resolves at a random moment, sometimes before the first answer. */
async function issueForAWhile(
  options: OpenDatabaseOptions,
  fraction: () => number,
): Promise<Child> {
  const child = startChild(script, [JSON.stringify(options)]);
  await child.said(Math.floor(fraction() ** 2 * 600));
  return child;
}

type Said = { grant: string; form: Record<string, string>; tokens: TokenAnswer };

/**
 * Uses the tokens that the child printed, and returns the number of its answers. The clock stays at the
 * moment of the kill, since the grace of R2 is shorter than the check may take.
 */
async function checkTokens(
  options: OpenDatabaseOptions,
  { lines, killedAt }: Child & { killedAt: number },
): Promise<number> {
  const database = await openDatabase(options);
  try {
    const world = await openTokenWorld({ database, clock: createFakeClock(killedAt) });
    const latest = new Map<string, Said>();
    for (const line of lines) {
      const said: Said = JSON.parse(line);
      latest.set(said.grant, said);
      expect(await world.enter(said.tokens.access_token)).toBe(200);
    }
    for (const { form, tokens } of [...latest.values()].slice(-grantsChecked)) {
      // A rotation may be stored though its answer was lost: then the grace of R2 applies.
      expect(await world.refresh(tokens.refresh_token)).toMatchObject({ status: 200 });
      // `invalid_grant`, or too many such failures (R6).
      expect((await world.post('/token', form)).status).toBeOneOf([400, 429]);
    }
  } finally {
    await database.close();
  }
  return lines.length;
}
