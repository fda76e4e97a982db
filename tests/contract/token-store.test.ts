import { describe, expect, it } from 'vitest';
import { migrate } from '../../src/kernel/database/migrate.ts';
import { parseAddress } from '../../src/swap/address.ts';
import { swapMigrations } from '../../src/swap/store/swap-migrations.ts';
import { createTokenStore } from '../../src/swap/store/token-store.ts';
import { testEngines } from '../support/test-engines.ts';

const usdc = {
  address: parseAddress('0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'),
  symbol: 'USDC',
  name: 'USD Coin',
  decimals: 6,
};
const dai = {
  address: parseAddress('0x6B175474E89094C44Da98b954EedeAC495271d0F'),
  symbol: '',
  name: "D'ai ₮ \u{1f30a}",
  decimals: 18,
};
const both = [usdc.address, dai.address];

describe.each(testEngines)('the token store on $engine', ({ createStore }) => {
  async function openStore() {
    const database = await (await createStore()).open();
    await migrate(database, swapMigrations);
    return createTokenStore(database);
  }

  it('gives back what was saved, of the chain it was saved for', async () => {
    const store = await openStore();
    await store.save([usdc, dai], { chainId: 1, readAt: 1_000 });
    const found = await store.find({ chainId: 1, tokens: both, since: 0 });
    expect(found).toHaveLength(2);
    expect(found).toEqual(expect.arrayContaining([usdc, dai]));
    expect(await store.find({ chainId: 1, tokens: [dai.address], since: 0 })).toEqual([dai]);
    expect(await store.find({ chainId: 10, tokens: both, since: 0 })).toEqual([]);
    expect(await store.find({ chainId: 1, tokens: [], since: 0 })).toEqual([]);
  });

  it('leaves out what was read too long ago', async () => {
    const store = await openStore();
    await store.save([usdc], { chainId: 1, readAt: 1_000 });
    await store.save([dai], { chainId: 1, readAt: 1_001 });
    expect(await store.find({ chainId: 1, tokens: both, since: 1_000 })).toEqual([dai]);
  });

  it('writes over what was known before', async () => {
    const store = await openStore();
    await store.save([usdc], { chainId: 1, readAt: 1_000 });
    await store.save([{ ...usdc, name: 'Circle USD' }], { chainId: 1, readAt: 2_000 });
    expect(await store.find({ chainId: 1, tokens: both, since: 1_500 })).toMatchObject([
      { name: 'Circle USD' },
    ]);
  });
});
