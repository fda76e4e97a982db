import { erc20Abi, type Hex, hexToBigInt, numberToHex } from 'viem';
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { concat, encodeFunctionData, parseAbi, slice } from 'viem/utils';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Evm, openEvm } from '../../src/devchain/evm/open-evm.ts';
import { deployByCreate2, impersonate } from '../../src/devchain/evm/transactions.ts';
import { deployPermit2 } from '../../src/devchain/exchanges/deploy-more-exchanges.ts';
import { deployUniswap } from '../../src/devchain/exchanges/deploy-uniswap.ts';
import { uniswapDeployment } from '../../src/devchain/known-exchanges.ts';
import { addConcentratedPool } from '../../src/devchain/pools/add-concentrated-pool.ts';
import {
  addConstantProductPool,
  sortTokens,
} from '../../src/devchain/pools/add-constant-product-pool.ts';
import { createToken, giveTokens, type TokenKind } from '../../src/devchain/tokens.ts';
import { ethereum } from '../../src/swap/deployments/chains/ethereum.ts';
import type { ChainDeployment } from '../../src/swap/deployments/deployment.ts';
import { executorBuilds } from '../../src/swap/executor/executor-builds.ts';
import { type Address, parseAddress } from '../../src/swap/model.ts';
import { permit2Address } from '../../src/swap/permit.ts';
import type { QuoteRequest, RoutedQuote } from '../../src/swap/quote/quote.ts';
import { executeQuote, send, succeedsWith, undone } from '../support/execute-quote.ts';
import { openQuotes, type Quotes } from '../support/open-quotes.ts';
import { openRpcServer, type RpcServer } from '../support/rpc-server.ts';

const owner = privateKeyToAccount(numberToHex(0xa11ce, { size: 32 }));
const thief = privateKeyToAccount(numberToHex(0x7415f, { size: 32 }));
const whole = 10n ** 18n;
const permitAbi = parseAbi([
  'function permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s)',
]);

let evm: Evm;
let server: RpcServer;
let quotes: Quotes;
let deployment: ChainDeployment;
const tokens = new Map<string, Address>();
const tokenOf = (symbol: string) => tokens.get(symbol)!;

/** One token of each sort, all traded for the first, in pools of two kinds so that routes are split. */
beforeAll(async () => {
  evm = await openEvm({ chainId: 1 });
  await deployUniswap(evm);
  await deployPermit2(evm);
  for (const { deploymentData } of executorBuilds) await deployByCreate2(evm, deploymentData);
  await addToken('OUT', 'ordinary');
  for (const kind of ['permitted', 'ordinary', 'no-return'] as const) {
    await addToken(kind, kind);
    await addPools([tokenOf('OUT'), tokenOf(kind)]);
    for (const { address } of [owner, thief]) {
      await giveTokens(evm, { token: tokenOf(kind), holders: [address], amount: 100n * whole });
      await impersonate(evm, address);
    }
  }
  server = await openRpcServer(evm);
  deployment = {
    ...ethereum,
    exchanges: ethereum.exchanges.filter(({ name }) => /^uniswap-v[23]$/.test(name)),
    baseTokens: [],
    routers: [
      {
        kind: 'swap-router-02',
        address: parseAddress(uniswapDeployment.swapRouter02),
        exchanges: ['uniswap-v2', 'uniswap-v3'],
        source: 'src/devchain',
      },
    ],
  };
  quotes = await openQuotes({ deployment, urls: [server.url] });
});
afterAll(async () => {
  await quotes.close();
  await server.close();
  evm.close();
});

async function addToken(symbol: string, kind: TokenKind): Promise<void> {
  const { address } = await createToken(evm, { symbol, name: symbol, decimals: 18, kind });
  tokens.set(symbol, parseAddress(address));
}

async function addPools(pair: readonly [Address, Address]): Promise<void> {
  await addConstantProductPool(evm, {
    tokens: pair,
    reserves: [1_000n * whole, 1_000n * whole],
  });
  const [token0, token1] = sortTokens(...pair);
  const amounts = { amount0: 1_000n * whole, amount1: 1_000n * whole };
  await addConcentratedPool(evm, {
    token0,
    token1,
    fee: 3000,
    sqrtPriceX96: 1n << 96n,
    positions: [{ tickLower: -6000, tickUpper: 6000, ...amounts }],
  });
}

function ask(symbol: string, request: Partial<QuoteRequest> = {}): Promise<RoutedQuote> {
  return quotes.quote({
    tokenIn: tokenOf(symbol),
    tokenOut: tokenOf('OUT'),
    amountIn: 50n * whole,
    sender: parseAddress(owner.address),
    gasPrice: 0n,
    permit: 'auto',
    ...request,
  }) as Promise<RoutedQuote>;
}

/** Signs the typed data of the answer as a wallet does; its numbers are strings. */
function sign({ permit }: RoutedQuote, signer: PrivateKeyAccount = owner): Promise<Hex> {
  return signer.signTypedData(permit!.typedData as Parameters<typeof signer.signTypedData>[0]);
}

/** The quote with the signature appended to its data, sent by `sender`. */
function signedBy(quote: RoutedQuote, signature: Hex, sender = owner): RoutedQuote {
  const from = parseAddress(sender.address);
  return { ...quote, tx: { ...quote.tx, from, data: concat([quote.tx.data, signature]) } };
}

async function readAmount(token: Address, functionName: 'allowance' | 'balanceOf', args: Hex[]) {
  const data = encodeFunctionData({ abi: erc20Abi, functionName, args } as never);
  return hexToBigInt(
    (await evm.request({ method: 'eth_call', params: [{ to: token, data }, 'latest'] })) as Hex,
  );
}

/** Executes a signed quote, and checks that it gave the promised amounts and left no allowance and no tokens. */
async function expectKept(quote: RoutedQuote): Promise<void> {
  // The limit exceeds the gas that is needed by at most a tenth.
  expect(await succeedsWith(evm, quote, (quote.tx.gas * 10n - 1n) / 11n)).toBe(false);
  expect(await executeQuote(evm, quote)).toMatchObject({
    succeeded: true,
    received: quote.expectedAmountOut,
    spent: quote.amountIn,
  });
  const [token, executor] = [quote.tokenFrom.address, quote.tx.to];
  expect(await readAmount(token, 'allowance', [owner.address, executor])).toBe(0n);
  expect(await readAmount(token, 'balanceOf', [executor])).toBe(0n);
}

describe('a swap by a signature instead of an approval', () => {
  it('is allowed by the token itself where that takes EIP-2612 [Q29]', async () => {
    const quote = await ask('permitted');
    expect(quote).toMatchObject({
      approval: [],
      permit: {
        kind: 'eip2612',
        typedData: { primaryType: 'Permit', domain: { name: 'permitted', version: '2' } },
      },
    });
    expect(new Set(quote.route.map(({ path }) => path)).size).toBe(2);
    await undone(evm, async () => {
      await expectKept(signedBy(quote, await sign(quote)));
      // The second permit of an owner writes no new slot for its nonce, and the gas limit accounts for that.
      const second = await ask('permitted', { amountIn: 7n * whole });
      expect(second.permit?.typedData.message).toMatchObject({ nonce: '1' });
      await expectKept(signedBy(second, await sign(second)));
    });
  });

  it.each(['ordinary', 'no-return'])(
    'is brought by Permit2 where a token has nothing of its own, as %s tokens, after one approval for all trades [Q29]',
    async (symbol) => {
      const quote = await ask(symbol);
      expect(quote.permit?.kind).toBe('permit2');
      expect(quote.approval).toMatchObject([{ to: tokenOf(symbol) }]);
      await undone(evm, async () => {
        for (const call of quote.approval) await send(evm, call);
        await expectKept(signedBy(quote, await sign(quote)));
        const second = await ask(symbol, { amountIn: 3n * whole });
        expect(second.approval).toEqual([]);
        await expectKept(signedBy(second, await sign(second)));
      });
    },
  );

  it('pays another recipient and an integrator too [Q29]', async () => {
    const recipient = parseAddress(`0x${'ec'.repeat(20)}`);
    const feeRecipient = parseAddress(`0x${'fe'.repeat(20)}`);
    for (const permit of ['eip2612', 'permit2'] as const) {
      const asked = { recipient, fee: 1_000_000n, feeRecipient, permit };
      const quote = await ask('permitted', asked);
      await undone(evm, async () => {
        for (const call of quote.approval) await send(evm, call);
        const { succeeded } = await executeQuote(evm, signedBy(quote, await sign(quote)));
        expect(succeeded).toBe(true);
        const out = tokenOf('OUT');
        expect(await readAmount(out, 'balanceOf', [recipient])).toBe(quote.expectedAmountOut);
        expect(await readAmount(out, 'balanceOf', [feeRecipient])).toBe(quote.feeAmount);
      });
    }
  });

  it('goes on where somebody handed the permit to the token before [Q24] [Q29]', async () => {
    const quote = await ask('permitted');
    const signature = await sign(quote);
    const { message } = quote.permit!.typedData;
    const args = [
      owner.address,
      quote.tx.to,
      BigInt(message.value as string),
      BigInt(message.deadline as string),
      Number(slice(signature, 64, 65)),
      slice(signature, 0, 32),
      slice(signature, 32, 64),
    ] as const;
    await undone(evm, async () => {
      const data = encodeFunctionData({ abi: permitAbi, functionName: 'permit', args });
      const from = parseAddress(thief.address);
      const ahead = await send(evm, { from, to: tokenOf('permitted'), data, value: 0n });
      expect(ahead.succeeded).toBe(true);
      expect(await executeQuote(evm, signedBy(quote, signature))).toMatchObject({
        succeeded: true,
        received: quote.expectedAmountOut,
      });
    });
  });

  it.each(['eip2612', 'permit2'] as const)(
    'is worth nothing to others, for another trade or a second time, by %s [Q24] [Q29]',
    async (permit) => {
      const quote = await ask('permitted', { permit });
      const other = await ask('permitted', { permit, amountIn: 51n * whole });
      const signature = await sign(quote);
      await undone(evm, async () => {
        for (const call of quote.approval) await send(evm, call);
        const refused = async (attempt: RoutedQuote) =>
          expect((await send(evm, { ...attempt.tx, gas: 2_000_000n })).succeeded).toBe(false);
        await refused(signedBy(quote, signature, thief));
        await refused(signedBy(other, signature));
        await refused(signedBy(quote, await sign(quote, thief)));
        await refused(signedBy(quote, slice(signature, 0, 64)));
        await refused(signedBy(quote, concat([signature, '0x00'])));
        await refused(quote);
        expect((await send(evm, signedBy(quote, signature).tx)).succeeded).toBe(true);
        await refused(signedBy(quote, signature));
        expect(await readAmount(tokenOf('permitted'), 'balanceOf', [owner.address])).toBe(
          50n * whole,
        );
      });
    },
  );

  it('is good for its own program alone by Permit2, also where another takes as much until the same moment [Q24] [Q29]', async () => {
    const friend = parseAddress(`0x${'ec'.repeat(20)}`);
    const quote = await ask('ordinary', { permit: 'permit2', recipient: friend });
    const recipient = parseAddress(thief.address);
    const other = await ask('ordinary', { permit: 'permit2', recipient });
    const { nonce: _, ...same } = other.permit!.typedData.message;
    expect(quote.permit!.typedData.message).toMatchObject(same);
    const signature = await sign(quote);
    await undone(evm, async () => {
      for (const call of quote.approval) await send(evm, call);
      const { tx } = signedBy(other, signature);
      expect((await send(evm, { ...tx, gas: 2_000_000n })).succeeded).toBe(false);
      expect((await send(evm, signedBy(quote, signature).tx)).succeeded).toBe(true);
    });
  });

  it('is refused with the way out where the token or the chain has none, and is not asked of ether [Q29]', async () => {
    await expect(ask('ordinary', { permit: 'eip2612' })).rejects.toMatchObject({
      code: 'INVALID_PARAMS',
      details: { permit: expect.stringContaining('name permit2') },
    });
    await expect(
      ask('permitted', { permit: 'permit2', router: 'swap-router-02' }),
    ).rejects.toMatchObject({
      code: 'INVALID_PARAMS',
      details: { permit: expect.stringContaining('tradewind') },
    });
    const plain = await ask('permitted', { router: 'swap-router-02' });
    expect(plain.permit).toBeUndefined();
    expect(plain.approval).toHaveLength(1);
    await undone(evm, async () => {
      await evm.request({ method: 'hardhat_setCode', params: [permit2Address, '0x'] });
      const elsewhere = await openQuotes({ deployment, urls: [server.url] });
      const asked = { tokenIn: tokenOf('ordinary'), tokenOut: tokenOf('OUT'), amountIn: whole };
      const sender = parseAddress(owner.address);
      await expect(elsewhere.quote({ ...asked, sender, permit: 'permit2' })).rejects.toMatchObject({
        code: 'INVALID_PARAMS',
      });
      const approved = (await elsewhere.quote({ ...asked, sender, permit: 'auto' })) as RoutedQuote;
      expect(approved).toMatchObject({ approval: [{}] });
      expect(approved.permit).toBeUndefined();
      await elsewhere.close();
    });
  });
});
