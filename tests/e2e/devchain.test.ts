import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import {
  type Address,
  concat,
  createPublicClient,
  createWalletClient,
  custom,
  encodeFunctionData,
  encodePacked,
  erc20Abi,
  type Hex,
  keccak256,
  maxUint256,
  numberToHex,
  pad,
  parseAbi,
  parseEther,
  type StateOverride,
  zeroAddress,
} from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { hardhat } from 'viem/chains';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Devchain, startDevchain } from '../../src/devchain/index.ts';

let devchain: Devchain;
let client: ReturnType<typeof createClient>;
const createClient = () =>
  createPublicClient({ chain: hardhat, transport: custom(devchain, { retryCount: 0 }) });
const addressOf = (symbol: string): Address =>
  devchain.deployment.tokens.find((token) => token.symbol === symbol)!.address;
const balanceOf = (token: Address, holder: Address) =>
  client.readContract({ address: token, abi: erc20Abi, functionName: 'balanceOf', args: [holder] });
const routerAbi = parseAbi([
  'function exactInput((bytes path, address recipient, uint256 amountIn, uint256 amountOutMinimum)) payable returns (uint256 amountOut)',
  'function swapExactTokensForTokens(uint256 amountIn, uint256 amountOutMin, address[] path, address to) payable returns (uint256 amountOut)',
]);
const quoterAbi = parseAbi([
  'function quoteExactInputSingle((address tokenIn, address tokenOut, uint256 amountIn, uint24 fee, uint160 sqrtPriceLimitX96)) returns (uint256 amountOut, uint160 sqrtPriceX96After, uint32, uint256)',
]);

beforeAll(async () => {
  devchain = await startDevchain();
  client = createClient();
});
afterAll(() => devchain.close());

describe('the development chain', () => {
  it('has the id 31337 and describes what stands on it', async () => {
    const { deployment } = devchain;
    expect(deployment.chainId).toBe(31337);
    expect(await client.getChainId()).toBe(31337);
    expect(deployment.tokens.map(({ symbol }) => symbol)).toEqual([
      ...['WETH', 'USDC', 'USDT', 'DAI', 'WBTC', 'UNI', 'MKR'],
      ...['TAX', 'FROZEN', 'SCARCE', 'LONELY', 'sDAI'],
    ]);
    expect(JSON.parse(JSON.stringify(deployment))).toEqual(deployment);
    const contracts = [
      deployment.wrappedNative,
      deployment.multicall3,
      deployment.quoterV2,
      deployment.tickLens,
      ...deployment.baseTokens,
      ...deployment.tokens.map(({ address }) => address),
      ...deployment.exchanges.map(({ factory }) => factory),
      ...deployment.routers.map(({ address }) => address),
      ...deployment.pools.map(({ address }) => address),
    ];
    for (const address of contracts) {
      expect((await client.getCode({ address }))?.length ?? 0, address).toBeGreaterThan(1000);
    }
  });

  it('describes each token as its contract does', async () => {
    for (const { address, name, symbol, decimals } of devchain.deployment.tokens) {
      const read = { address, abi: erc20Abi } as const;
      expect(await client.readContract({ ...read, functionName: 'decimals' })).toBe(decimals);
      if (symbol === 'MKR') continue;
      expect(await client.readContract({ ...read, functionName: 'symbol' })).toBe(symbol);
      expect(await client.readContract({ ...read, functionName: 'name' })).toBe(name);
    }
  });

  it('has liquidity in every pool, and no pool for LONELY', async () => {
    for (const { address, tokens } of devchain.deployment.pools) {
      for (const token of tokens) {
        const isNative = token === zeroAddress;
        const held = isNative ? client.getBalance({ address }) : balanceOf(token, address);
        expect(await held).toBeGreaterThan(0n);
      }
      expect(tokens).not.toContain(addressOf('LONELY'));
    }
    expect(devchain.deployment.pools).toHaveLength(34);
  });

  it('funds ten accounts with ether and every token, their nonces untouched', async () => {
    expect(devchain.accounts).toHaveLength(10);
    for (const { address } of devchain.accounts) {
      expect(await client.getBalance({ address })).toBe(parseEther('10000'));
      expect(await client.getTransactionCount({ address })).toBe(0);
      for (const token of devchain.deployment.tokens) {
        expect(await balanceOf(token.address, address), token.symbol).toBeGreaterThan(0n);
      }
    }
  });

  it('keeps the time of the wall clock and a price for gas', async () => {
    await devchain.request({ method: 'evm_mine' });
    const { timestamp } = await client.getBlock();
    expect(Math.abs(Number(timestamp) - Date.now() / 1000)).toBeLessThan(60);
    expect(await client.getGasPrice()).toBe(2_000_000_000n);
  });

  it('swaps USDT for WBTC over V3 and V2, signed by a wallet [Q14]', async () => {
    const account = privateKeyToAccount(devchain.accounts[3]!.privateKey);
    const transport = custom(devchain);
    const wallet = createWalletClient({ account, chain: hardhat, transport });
    const [usdt, weth, wbtc] = [addressOf('USDT'), addressOf('WETH'), addressOf('WBTC')];
    const router = devchain.deployment.routers[0].address;
    const amountIn = 9_000n * 10n ** 6n;
    await wallet.sendTransaction({
      to: usdt,
      data: encodeFunctionData({
        abi: erc20Abi,
        functionName: 'approve',
        args: [router, maxUint256],
      }),
    });
    const swaps = [
      encodeFunctionData({
        abi: routerAbi,
        functionName: 'exactInput',
        args: [
          {
            path: encodePacked(
              ['address', 'uint24', 'address', 'uint24', 'address'],
              [usdt, 500, weth, 500, wbtc],
            ),
            recipient: account.address,
            amountIn,
            amountOutMinimum: 0n,
          },
        ],
      }),
      encodeFunctionData({
        abi: routerAbi,
        functionName: 'swapExactTokensForTokens',
        args: [amountIn, 0n, [usdt, weth, wbtc], account.address],
      }),
    ];
    for (const data of swaps) {
      const before = await balanceOf(wbtc, account.address);
      // Not estimated: in the next second the pools also write their price history, which costs more.
      const hash = await wallet.sendTransaction({ to: router, data, gas: 1_000_000n });
      expect((await client.getTransactionReceipt({ hash })).status).toBe('success');
      const received = (await balanceOf(wbtc, account.address)) - before;
      // 0.15 WBTC at the prices of the tokens; fees, premiums and price impact take less than two percent.
      expect(received).toBeGreaterThan(14_700_000n);
      expect(received).toBeLessThan(15_000_000n);
    }
  });

  it('simulates a swap for a sender without balance or allowance by state overrides [Q17]', async () => {
    const sender = '0x00000000000000000000000000000000000000f1';
    const [usdc, weth] = [addressOf('USDC'), addressOf('WETH')];
    const router = devchain.deployment.routers[0].address;
    const swap = (stateOverride?: StateOverride) =>
      client.call({
        account: sender,
        to: router,
        data: encodeFunctionData({
          abi: routerAbi,
          functionName: 'swapExactTokensForTokens',
          args: [3_000n * 10n ** 6n, 0n, [usdc, weth], sender],
        }),
        ...(stateOverride && { stateOverride }),
      });
    const slotOf = (key: Address, mapping: Hex) => keccak256(concat([pad(key), mapping]));
    // The storage of our tokens: the supply in slot 0, balances in 1, allowances in 2.
    const balanceSlot = slotOf(sender, numberToHex(1, { size: 32 }));
    const allowanceSlot = slotOf(router, slotOf(sender, numberToHex(2, { size: 32 })));
    const plenty = numberToHex(10n ** 12n, { size: 32 });

    await expect(swap()).rejects.toThrow('STF');
    const { data } = await swap([
      {
        address: usdc,
        stateDiff: [balanceSlot, allowanceSlot].map((slot) => ({ slot, value: plenty })),
      },
    ]);
    expect(BigInt(data!)).toBeGreaterThan(parseEther('0.98'));
    expect(await balanceOf(usdc, sender)).toBe(0n);
  });

  it('delivers TAX less its tax, and does not deliver FROZEN [Q15]', async () => {
    const { address: from } = devchain.accounts[4]!;
    const [router, v2Router] = devchain.deployment.routers;
    const weth = addressOf('WETH');
    const swap = (token: Address) => ({
      account: from,
      to: router.address,
      value: parseEther('1'),
      data: encodeFunctionData({
        abi: routerAbi,
        functionName: 'swapExactTokensForTokens',
        args: [parseEther('1'), 0n, [weth, token], from],
      }),
    });
    const tax = addressOf('TAX');
    const [, sent] = await client.readContract({
      address: v2Router.address,
      abi: parseAbi([
        'function getAmountsOut(uint256 amountIn, address[] path) view returns (uint256[])',
      ]),
      functionName: 'getAmountsOut',
      args: [parseEther('1'), [weth, tax]],
    });
    const { data } = await client.call(swap(tax));
    expect(BigInt(data!)).toBe(sent! - (sent! * 200n) / 10_000n);
    await expect(client.call(swap(addressOf('FROZEN')))).rejects.toThrow('TRANSFER_FAILED');
  });

  it('lets a large buyer of SCARCE exhaust the liquidity', async () => {
    const quote = (amountIn: bigint) =>
      client.simulateContract({
        address: devchain.deployment.quoterV2,
        abi: quoterAbi,
        functionName: 'quoteExactInputSingle',
        args: [
          {
            tokenIn: addressOf('USDC'),
            tokenOut: addressOf('SCARCE'),
            amountIn,
            fee: 3000,
            sqrtPriceLimitX96: 0n,
          },
        ],
      });
    const { result: small } = await quote(1_000n * 10n ** 6n);
    expect(small[0]).toBeGreaterThan(parseEther('98'));
    const { result: large } = await quote(60_000n * 10n ** 6n);
    const { result: larger } = await quote(70_000n * 10n ** 6n);
    expect(larger[0]).toBe(large[0]);
  });

  it('answers JSON-RPC over HTTP, in batches and for development tools', async () => {
    const post = async (body: unknown) => {
      const request = new Request('http://localhost/rpc/31337', {
        method: 'POST',
        body: JSON.stringify(body),
      });
      return (await devchain.handleRpc(request, { isForeignPage: false })).json();
    };
    const batch = [
      { jsonrpc: '2.0', id: 1, method: 'evm_snapshot' },
      { jsonrpc: '2.0', id: 2, method: 'hardhat_mine', params: ['0x1'] },
      { jsonrpc: '2.0', id: 3, method: 'eth_unheardOf' },
    ];
    const [snapshot, mined, unknown] = (await post(batch)) as [{ result: string }, object, object];
    expect(mined).toMatchObject({ id: 2, result: true });
    expect(unknown).toMatchObject({ id: 3, error: { code: -32004 } });
    const revert = { jsonrpc: '2.0', id: 4, method: 'evm_revert', params: [snapshot.result] };
    expect(await post(revert)).toMatchObject({ id: 4, result: true });
  });

  it('starts fresh: a second chain knows nothing of the first', async () => {
    const [{ address: from }, { address: to }] = [devchain.accounts[8]!, devchain.accounts[9]!];
    await devchain.request({ method: 'eth_sendTransaction', params: [{ from, to, value: '0x1' }] });
    const second = await startDevchain();
    const nonce = { method: 'eth_getTransactionCount', params: [from, 'latest'] };
    expect(await second.request(nonce)).toBe('0x0');
    expect(await devchain.request(nonce)).toBe('0x1');
    expect(second.deployment).toEqual(devchain.deployment);
    second.close();
  });

  it('does not start once its signal has fired', async () => {
    const signal = AbortSignal.abort(new Error('stopping'));
    await expect(startDevchain({ signal })).rejects.toThrow('stopping');
  });

  it('says what to install where its packages are missing, and loads none before', async () => {
    const withoutPackages = `
      import { registerHooks } from 'node:module';
      registerHooks({
        resolve(name, context, next) {
          if (!/^@(nomicfoundation|uniswap)/.test(name)) return next(name, context);
          throw Object.assign(new Error('no ' + name), { code: 'ERR_MODULE_NOT_FOUND' });
        },
      });
      const { startDevchain } = await import('./src/devchain/index.ts');
      const error = await startDevchain().catch((error) => error);
      console.log(JSON.stringify({ code: error.code, message: error.message }));`;
    const { stdout } = await promisify(execFile)(process.execPath, [
      '--input-type=module',
      '--eval',
      withoutPackages,
    ]);
    expect(JSON.parse(stdout)).toEqual({
      code: 'DEVCHAIN_UNAVAILABLE',
      message: expect.stringContaining('tradewind devchain install'),
    });
  });
});
