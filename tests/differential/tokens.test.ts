import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { concat, encodeAbiParameters, type Hex, numberToHex, parseAbiParameters, size } from 'viem';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { uniswapDeployment } from '../../src/devchain/known-exchanges.ts';
import type { Database } from '../../src/kernel/database/database.ts';
import { migrate } from '../../src/kernel/database/migrate.ts';
import { openDatabase } from '../../src/kernel/database/open-database.ts';
import type { Clock } from '../../src/kernel/wait/clock.ts';
import { type Address, parseAddress } from '../../src/swap/model.ts';
import { swapMigrations } from '../../src/swap/store/swap-migrations.ts';
import { findTokenMetadata, saveTokenMetadata } from '../../src/swap/store/token-store.ts';
import { createTokenDirectory, readTokens } from '../../src/swap/tokens/token-directory.ts';
import { openWorld, type World } from '../support/open-world.ts';

let world: World;
let database: Database;
let tokens: Address[];
let now = 1_000_000_000_000;
const clock: Clock = {
  now: () => now,
  elapsed: () => now,
  sleep: async () => {},
  turn: async () => {},
};

beforeAll(async () => {
  world = await openWorld();
  tokens = world.tokens.map(({ address }) => parseAddress(address));
});
afterAll(() => world.close());

/** A contract that answers every call with the same bytes. */
async function answerAlways(data: Hex): Promise<Address> {
  const length = numberToHex(size(data), { size: 3 });
  // PUSH3 length DUP1 PUSH1 13 PUSH1 0 CODECOPY PUSH1 0 RETURN, and the data.
  const code = concat(['0x62', length, '0x80600d6000396000f3', data]);
  const address = parseAddress(`0x${size(data).toString(16).padStart(40, 'a')}`);
  await world.evm.request({ method: 'hardhat_setCode', params: [address, code] });
  return address;
}

describe('readTokens', () => {
  it('reads what tokens say of themselves, with text in 32 bytes too, in one round trip [Q15]', async () => {
    const block = await world.reader.latestBlock();
    world.server.resetCounts();
    const found = await readTokens(world.reader, { tokens, block });
    expect(world.server.requests).toBe(1);
    expect([...found.values()]).toEqual(
      world.tokens.map(({ address, symbol, name, decimals }) => ({
        address,
        symbol,
        name,
        decimals,
      })),
    );
  });

  it('omits addresses that are not tokens', async () => {
    const nobody = parseAddress(`0x${'0d'.repeat(20)}`);
    const router = parseAddress(uniswapDeployment.swapRouter02);
    const block = await world.reader.latestBlock();
    const found = await readTokens(world.reader, { tokens: [nobody, router, tokens[0]!], block });
    expect([...found.keys()]).toEqual([tokens[0]]);
  });

  it('copes with a token that answers every call with oversized data', async () => {
    const huge = encodeAbiParameters(parseAbiParameters('string'), ['x'.repeat(20_000)]);
    const hostile = await answerAlways(huge);
    const short = await answerAlways('0x01');
    const block = await world.reader.latestBlock();
    const found = await readTokens(world.reader, { tokens: [hostile, short, tokens[0]!], block });
    // The contract also answers `decimals` with the offset of the string, 32.
    expect(found.get(hostile)).toEqual({
      address: hostile,
      symbol: 'x'.repeat(64),
      name: 'x'.repeat(64),
      decimals: 32,
    });
    expect(found.has(short)).toBe(false);
    expect(found.get(tokens[0]!)).toMatchObject({ symbol: 'WETH' });
  });
});

describe('a token directory', () => {
  beforeEach(async () => {
    const directory = mkdtempSync(join(tmpdir(), 'tradewind-tokens-'));
    database = await openDatabase({ dataDir: directory });
    await migrate(database, swapMigrations);
    return async () => {
      await database.close();
      rmSync(directory, { recursive: true });
    };
  });

  const open = (reader = world.reader) =>
    createTokenDirectory({ reader, database, clock, capacity: 5 });
  const countRequests = async (work: () => Promise<unknown>) => {
    world.server.resetCounts();
    await work();
    return world.server.requests;
  };

  it('asks the chain once, then its memory, and after a restart the store', async () => {
    const block = await world.reader.latestBlock();
    const directory = open();
    const some = tokens.slice(0, 4);
    const first = await directory.find(some, { block });
    expect(first.size).toBe(4);
    expect(await countRequests(() => directory.find(some, { block }))).toBe(0);
    const restarted = open();
    expect(await countRequests(() => restarted.find(some, { block }))).toBe(0);
    expect(await restarted.find(some, { block })).toEqual(first);
  });

  it('asks the chain again after a week', async () => {
    const block = await world.reader.latestBlock();
    const directory = open();
    await directory.find(tokens.slice(0, 2), { block });
    now += 8 * 24 * 3_600_000;
    expect(await countRequests(() => directory.find(tokens.slice(0, 2), { block }))).toBe(1);
    expect(await countRequests(() => open().find(tokens.slice(0, 2), { block }))).toBe(0);
  });

  it('finds more tokens than it keeps', async () => {
    const block = await world.reader.latestBlock();
    const directory = open();
    expect((await directory.find(tokens, { block })).size).toBe(tokens.length);
    expect((await directory.find(tokens, { block })).size).toBe(tokens.length);
  });

  it('neither reads nor writes stored tokens of the development chain', async () => {
    const block = await world.reader.latestBlock();
    const [address] = tokens;
    const old = { address: address!, symbol: 'OLD', name: 'of an earlier run', decimals: 3 };
    await saveTokenMetadata(database, [old], { chainId: 31337, readAt: now });
    const directory = open({ ...world.reader, chainId: 31337 });
    expect((await directory.find(tokens, { block })).get(address!)).toMatchObject({
      symbol: 'WETH',
    });
    const stored = await findTokenMetadata(database, { chainId: 31337, tokens, since: 0 });
    expect(stored).toEqual([old]);
  });
});
