import { describe, expect, test } from 'vitest';
import { openSigningKeys } from '../../src/authorization/keys/signing-keys.ts';
import type { AccountId } from '../../src/authorization/model/account.ts';
import { createTokenPruner } from '../../src/authorization/store/pruners.ts';
import { createSealer } from '../../src/kernel/crypto/sealer.ts';
import type { Database } from '../../src/kernel/database/database.ts';
import { type Sql, sql, sqlText } from '../../src/kernel/database/sql.ts';
import { systemRandom } from '../../src/kernel/model/random.ts';
import { countQueries } from '../support/count-queries.ts';
import { createFakeClock, type FakeClock } from '../support/fake-clock.ts';
import { answered, issuer, openTokenWorld } from '../support/open-token-world.ts';
import { startWorker } from '../support/start-worker.ts';
import { migratedEngines } from '../support/test-engines.ts';

const day = 24 * 3_600_000;
const masterKey = new Uint8Array(32).fill(1);
const sealer = createSealer({ masterKey, purpose: 'signing-keys', random: systemRandom });

describe.each(migratedEngines)('tokens on $engine', ({ engine, createStore }) => {
  /** Two processes if the engine allows two, else two that share its one connection. */
  const openTwo = async (): Promise<[Database, Database]> => {
    const store = await createStore();
    const first = await store.open();
    return [first, engine === 'postgres' ? await store.open() : first];
  };
  const openKeys = (database: Database, clock: FakeClock) =>
    openSigningKeys({ database, sealer, clock, random: systemRandom });

  test('a code that two processes redeem concurrently succeeds once [R8, A8]', async () => {
    const [one, other] = await openTwo();
    const worlds = [
      await openTokenWorld({ database: one }),
      await openTokenWorld({ database: other }),
    ] as const;
    for (let round = 0; round < 5; round++) {
      const form = await worlds[0].allow();
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, n) => worlds[n % 2]!.post('/token', form)),
      );
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    }
  });

  test('processes that refresh concurrently get the same successor [R2, A8]', async () => {
    const [one, other] = await openTwo();
    const worlds = [
      await openTokenWorld({ database: one }),
      await openTokenWorld({ database: other }),
    ] as const;
    let { refresh_token } = await worlds[0].signIn();
    for (let round = 0; round < 5; round++) {
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, n) => worlds[n % 2]!.refresh(refresh_token)),
      );
      const successors = new Set(answers.map((answer) => answered(answer).refresh_token));
      expect(successors.size).toBe(1);
      [refresh_token = ''] = successors;
    }
  });

  test.each([
    { before: 'it reads the grant', statement: 'FROM grants WHERE refresh_id' },
    { before: 'it spends the token', statement: 'UPDATE grants SET refresh_hash' },
  ])(
    'a refresh that was paused before $before, until its token was long spent, revokes nothing [R1, R2]',
    async (still) => {
      const [one, other] = await openTwo();
      const held = Promise.withResolvers<void>();
      const came = Promise.withResolvers<void>();
      const standStill = async (text: readonly string[]) => {
        if (!text.join().includes(still.statement)) return;
        came.resolve();
        await held.promise;
      };
      const slow: Database = {
        ...one,
        async first(statement) {
          await standStill(statement.strings);
          return one.first(statement);
        },
        async run(statement) {
          await standStill(statement.strings);
          return one.run(statement);
        },
      };
      const clock = createFakeClock();
      const [standing, moving] = [
        await openTokenWorld({ database: slow, clock }),
        await openTokenWorld({ database: other, clock }),
      ];
      const { refresh_token: first } = await moving.signIn();

      const late = standing.refresh(first);
      await came.promise;
      // The client has given up on this request, asks another process, and goes on with that answer.
      clock.advance(5_000);
      const { refresh_token: second } = answered(await moving.refresh(first));
      const { refresh_token: third } = answered(await moving.refresh(second));
      held.resolve();

      expect((await late).status).toBe(400);
      expect((await moving.refresh(third)).status).toBe(200);
    },
  );

  test('a request whose caller has left revokes nothing by a token or code that was spent meanwhile [R1, R2]', async () => {
    const [database] = await openTwo();
    const world = await openTokenWorld({ database });
    const form = await world.allow();
    const tokens = answered(await world.post('/token', form));
    const { refresh_token: first } = tokens;
    const { refresh_token: second } = answered(await world.refresh(first));
    const { refresh_token: third } = answered(await world.refresh(second));
    const asGone = (sent: Record<string, string>) =>
      world.fetch(
        new Request(`${issuer}/token`, {
          method: 'POST',
          body: new URLSearchParams(sent),
          signal: AbortSignal.abort(),
        }),
      );
    const refresh = { grant_type: 'refresh_token', client_id: 'app', refresh_token: first };
    for (const sent of [refresh, form]) expect((await asGone(sent)).status).toBe(400);
    expect((await world.refresh(third)).status).toBe(200);
  });

  test('a refresh restores the full lifetime of a grant once it has lost a hundredth of it [S12]', async () => {
    const [database] = await openTwo();
    const clock = createFakeClock();
    const world = await openTokenWorld({ database, clock });
    const readEnd = async () =>
      (await database.first<{ end: number }>(sql`SELECT MAX(expires_at) AS end FROM grants`))?.end;
    let { refresh_token } = await world.signIn();
    const refresh = async () => {
      ({ refresh_token } = answered(await world.refresh(refresh_token)));
    };
    const lifetime = ((await readEnd()) ?? 0) - clock.now();
    const first = clock.now() + lifetime;
    clock.advance(lifetime / 100 - 1);
    await refresh();
    expect(await readEnd()).toBe(first);
    clock.advance(2);
    await refresh();
    expect(await readEnd()).toBe(clock.now() + lifetime);
  });

  test('a spent code and a reused refresh token end the grant everywhere [R1]', async () => {
    const [one, other] = await openTwo();
    const world = await openTokenWorld({ database: one });
    const elsewhere = await openTokenWorld({ database: other });
    const form = await world.allow();
    const { access_token, refresh_token } = answered(await world.post('/token', form));
    expect(await elsewhere.enter(access_token)).toBe(200);
    expect((await elsewhere.post('/token', form)).status).toBe(400);
    expect(await elsewhere.enter(access_token)).toBe(401);
    expect((await world.refresh(refresh_token)).status).toBe(400);
  });

  test('what one process revokes is refused by the other as soon as it is woken [S1]', async () => {
    const [one, other] = await openTwo();
    const clock = createFakeClock();
    const world = await openTokenWorld({ database: one, clock });
    const elsewhere = await openTokenWorld({ database: other, clock });
    for (const worker of elsewhere.tokens.workers) startWorker(worker);
    await clock.whenAsleep(3);
    const { access_token } = await world.signIn();
    expect(await elsewhere.enter(access_token)).toBe(200);
    await world.tokens.grants.transaction((_, revoke) => revoke({ accountId: 'ann' as AccountId }));
    expect(await world.enter(access_token)).toBe(401);
    await expect.poll(() => elsewhere.enter(access_token)).toBe(401);
  });

  test('a waiter is notified when its token is revoked, in every process, and no other waiter is [S1]', async () => {
    const [one, other] = await openTwo();
    const clock = createFakeClock();
    const world = await openTokenWorld({ database: one, clock });
    const elsewhere = await openTokenWorld({ database: other, clock });
    for (const worker of elsewhere.tokens.workers) startWorker(worker);
    await clock.whenAsleep(3);
    const token = async () => String((await world.signIn()).access_token);
    const tokens = [await token(), await token(), await token()];
    const told: string[] = [];
    const waits = [];
    for (const [index, presented] of tokens.entries()) {
      for (const [name, { tokens: here }] of Object.entries({ world, elsewhere })) {
        const headers = { authorization: `Bearer ${presented}` };
        const { principal } = await here.guard.check(new Request(`${issuer}/mcp`, { headers }));
        waits.push(principal!.onRevoked!(() => told.push(`${index} ${name}`)));
      }
    }
    const [, , , , ...ofThird] = waits;
    for (const stop of ofThird) stop();
    await world.post('/revoke', { client_id: 'app', token: tokens[0]! });
    expect(told).toContain('0 world');
    await expect.poll(() => [...told].sort()).toEqual(['0 elsewhere', '0 world']);
    await world.tokens.grants.transaction((_, revoke) => revoke({ accountId: 'ann' as AccountId }));
    await expect.poll(() => told.slice(2).sort()).toEqual(['1 elsewhere', '1 world']);
  });

  test('a lost wake delays a revocation by at most a second [S1]', async () => {
    const [one, other] = await openTwo();
    const clock = createFakeClock();
    const world = await openTokenWorld({ database: one, clock });
    const deaf = { ...other, listen: async () => async () => {} };
    const elsewhere = await openTokenWorld({ database: deaf, clock });
    for (const worker of elsewhere.tokens.workers) startWorker(worker);
    await clock.whenAsleep(3);
    const { access_token } = await world.signIn();
    await world.tokens.grants.revokeIdentityProviderSession('none');
    await world.post('/revoke', { client_id: 'app', token: access_token });
    expect(await elsewhere.enter(access_token)).toBe(200);
    clock.advance(1_000);
    await expect.poll(() => elsewhere.enter(access_token)).toBe(401);
  });

  test('a process that starts knows what was revoked before [S1]', async () => {
    const [one, other] = await openTwo();
    const world = await openTokenWorld({ database: one });
    const { access_token } = await world.signIn();
    await world.post('/revoke', { client_id: 'app', token: access_token });
    expect(await (await openTokenWorld({ database: other })).enter(access_token)).toBe(401);
  });

  test('processes that start together sign with one key [S12]', async () => {
    const [one, other] = await openTwo();
    const clock = createFakeClock();
    await openTokenWorld({ database: one, clock });
    await one.run(sql`DELETE FROM signing_keys`);
    const all = await Promise.all(
      [one, other, one, other].map((database) => openKeys(database, clock)),
    );
    const kids = new Set(all.map((keys) => keys.current().kid));
    expect(kids.size).toBe(1);
  });

  test('a key is published a day before it signs, and until its last token has expired [S12]', async () => {
    const [one, other] = await openTwo();
    const clock = createFakeClock();
    await openTokenWorld({ database: one, clock });
    const [keys, elsewhere] = [await openKeys(one, clock), await openKeys(other, clock)];
    for (const { worker } of [keys, elsewhere]) startWorker(worker);
    await clock.whenAsleep(2);
    const first = keys.current().kid;
    const kids = () => keys.published().map(({ kid }) => kid);
    expect(kids()).toEqual([first]);

    clock.advance(29 * day);
    await expect.poll(kids).toHaveLength(2);
    await expect.poll(() => elsewhere.published()).toHaveLength(2);
    const second = kids()[1];
    expect([keys.current().kid, elsewhere.current().kid]).toEqual([first, first]);

    clock.advance(day);
    expect([keys.current().kid, elsewhere.current().kid]).toEqual([second, second]);
    expect(keys.find(first)).toBeDefined();
    clock.advance(3_600_000);
    expect(keys.find(first)).toBeUndefined();
    expect(kids()).toEqual([second]);
  });

  test('the private part of a key does not open under another master key [R7]', async () => {
    const [database] = await openTwo();
    const clock = createFakeClock();
    await openTokenWorld({ database, clock });
    const other = createSealer({
      masterKey: new Uint8Array(32).fill(2),
      purpose: 'signing-keys',
      random: systemRandom,
    });
    await expect(
      openSigningKeys({ database, sealer: other, clock, random: systemRandom }),
    ).rejects.toThrow(/does not open/);
  });

  test('the codes of a grant are forgotten with it, and looked at by no round before [N11]', async () => {
    const [stored] = await openTwo();
    const { database, count } = countQueries(stored);
    const clock = createFakeClock();
    const world = await openTokenWorld({ database, clock });
    await world.signIn();
    const redeemed = await world.allow();
    await world.post('/token', redeemed);
    for (let n = 0; n < 3; n++) await world.allow();
    const asked: string[] = [];
    const note = <T>({ strings }: Sql, answer: T): T => {
      asked.push(strings.join('?').replaceAll(/\s+/g, ' '));
      return answer;
    };
    const noted: Database = {
      ...database,
      run: (statement) => note(statement, database.run(statement)),
      transaction: (work) =>
        database.transaction((tx) =>
          work({
            ...tx,
            all: (statement) => note(statement, tx.all(statement)),
            run: (statement) => note(statement, tx.run(statement)),
          }),
        ),
    };
    const ofCodes = () => asked.splice(0).filter((text) => text.includes('authorization_codes'));
    const pruner = startWorker(createTokenPruner({ database: noted, clock }));
    await clock.whenAsleep();
    expect(ofCodes()).toEqual([]);
    const before = count.rows;
    clock.advance(60_000);
    await clock.whenAsleep();
    expect(ofCodes()).toEqual(['DELETE FROM authorization_codes WHERE grant_id IN (?, ?, ?)']);
    expect(count.rows - before).toBe(3);
    expect(await database.all(sql`SELECT hash FROM authorization_codes`)).toHaveLength(2);
    await pruner.stop();
    // A replayed code is recognized for as long as the grant has tokens.
    clock.advance(20 * day);
    expect((await world.post('/token', redeemed)).status).toBe(400);
    expect(await database.all(sql`SELECT id FROM grants`)).toHaveLength(1);
  });

  test('expired rows are pruned, and no others', async () => {
    const [database] = await openTwo();
    const clock = createFakeClock();
    const world = await openTokenWorld({ database, clock });
    const count = async () => {
      const tables = ['grants', 'authorization_codes', 'revocations', 'spent_ids'];
      const counts = tables.map(async (table) => {
        const row = await database.first<{ n: number }>(
          sqlText(`SELECT COUNT(*) AS n FROM ${table}`),
        );
        return row?.n;
      });
      return Promise.all(counts);
    };
    const kept = await world.signIn();
    const { access_token } = await world.signIn();
    await world.post('/revoke', { client_id: 'app', token: access_token });
    await world.allow();
    await database.run(sql`INSERT INTO spent_ids (id, expires_at) VALUES ('x', ${clock.now()})`);
    expect(await count()).toEqual([3, 3, 1, 1]);

    const pruner = startWorker(createTokenPruner({ database, clock }));
    await clock.whenAsleep();
    expect(await count()).toEqual([3, 3, 1, 0]);
    clock.advance(3_600_000);
    await clock.whenAsleep();
    expect(await count()).toEqual([2, 2, 0, 0]);
    await pruner.stop();
    expect(await world.refresh(kept.refresh_token)).toMatchObject({ status: 200 });
  });
});
