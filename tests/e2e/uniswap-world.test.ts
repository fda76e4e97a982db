import {
  type Address,
  createPublicClient,
  custom,
  encodeFunctionData,
  encodePacked,
  erc20Abi,
  type Hex,
  hexToString,
  keccak256,
  multicall3Abi,
  parseAbi,
  parseEther,
  zeroAddress,
} from 'viem';
import { mainnet } from 'viem/chains';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Evm, openEvm } from '../../src/devchain/evm/open-evm.ts';
import { testAccounts } from '../../src/devchain/evm/test-accounts.ts';
import { sendTransaction } from '../../src/devchain/evm/transactions.ts';
import { deployUniswap } from '../../src/devchain/exchanges/deploy-uniswap.ts';
import { uniswapDeployment as uniswap } from '../../src/devchain/known-exchanges.ts';
import { addConcentratedPool } from '../../src/devchain/pools/add-concentrated-pool.ts';
import {
  addConstantProductPool,
  sortTokens,
} from '../../src/devchain/pools/add-constant-product-pool.ts';
import { createToken, giveTokens, type Token } from '../../src/devchain/tokens.ts';

const alice = testAccounts[0]!.address;
const bob = testAccounts[1]!.address;
const weth = uniswap.wrappedNative;
const routerAbi = parseAbi([
  'function swapExactTokensForTokens(uint256 amountIn, uint256 amountOutMin, address[] path, address to) payable returns (uint256 amountOut)',
  'function exactInput((bytes path, address recipient, uint256 amountIn, uint256 amountOutMinimum)) payable returns (uint256 amountOut)',
  'function multicall(uint256 deadline, bytes[] data) payable returns (bytes[])',
]);
const quoterAbi = parseAbi([
  'function quoteExactInput(bytes path, uint256 amountIn) returns (uint256 amountOut, uint160[], uint32[], uint256)',
]);
const v2RouterAbi = parseAbi([
  'function getAmountsOut(uint256 amountIn, address[] path) view returns (uint256[])',
]);

let evm: Evm;
let client: ReturnType<typeof createClient>;
let base: Hex;

const createClient = () =>
  createPublicClient({ chain: mainnet, transport: custom(evm, { retryCount: 0 }) });
const balanceOf = (token: Address, holder: Address) =>
  client.readContract({ address: token, abi: erc20Abi, functionName: 'balanceOf', args: [holder] });
const approve = (token: Token, spender: Address, amount: bigint) =>
  sendTransaction(evm, {
    from: alice,
    to: token.address,
    data: encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [spender, amount] }),
  });
const transfer = (token: Token, to: Address, amount: bigint) =>
  sendTransaction(evm, {
    from: alice,
    to: token.address,
    data: encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, amount] }),
  });

beforeAll(async () => {
  evm = await openEvm({ chainId: 1 });
  await deployUniswap(evm);
  client = createClient();
  base = (await evm.request({ method: 'evm_snapshot' })) as Hex;
});
beforeEach(async () => {
  await evm.request({ method: 'evm_revert', params: [base] });
  base = (await evm.request({ method: 'evm_snapshot' })) as Hex;
});
afterAll(() => evm.close());

describe('deployUniswap', () => {
  it.each(Object.entries(uniswap))('puts %s at its address on mainnet', async (_name, address) => {
    expect((await client.getCode({ address }))?.length).toBeGreaterThan(100);
  });

  it('binds the contracts to each other as on mainnet', async () => {
    const abi = parseAbi([
      'function factory() view returns (address)',
      'function factoryV2() view returns (address)',
      'function positionManager() view returns (address)',
      'function WETH() view returns (address)',
      'function WETH9() view returns (address)',
    ]);
    const read = (address: Address, functionName: (typeof abi)[number]['name']) =>
      client.readContract({ address, abi, functionName });
    const router = uniswap.swapRouter02;
    expect(await read(router, 'factory')).toBe(uniswap.concentratedFactory);
    expect(await read(router, 'factoryV2')).toBe(uniswap.constantProductFactory);
    expect(await read(router, 'positionManager')).toBe(uniswap.positionManager);
    expect(await read(router, 'WETH9')).toBe(weth);
    expect(await read(uniswap.quoterV2, 'factory')).toBe(uniswap.concentratedFactory);
    expect(await read(uniswap.constantProductRouter, 'WETH')).toBe(weth);
  });

  it('batches calls through Multicall3, failures among them', async () => {
    const token = await createToken(evm, { name: 'Any', symbol: 'ANY', decimals: 18 });
    const read = { address: token.address, abi: erc20Abi } as const;
    const results = await client.multicall({
      contracts: [
        { ...read, functionName: 'symbol' },
        { ...read, functionName: 'transfer', args: [bob, 1n] },
        {
          address: uniswap.multicall3,
          abi: multicall3Abi,
          functionName: 'getCurrentBlockTimestamp',
        },
      ],
    });
    expect(results.map(({ status }) => status)).toEqual(['success', 'failure', 'success']);
    expect(results[0].result).toBe('ANY');
  });
});

describe('pools', () => {
  it('creates a V2 pool with exact reserves that SwapRouter02 trades in', async () => {
    const token = await createToken(evm, { name: 'Gold', symbol: 'GOLD', decimals: 8 });
    const pool = await addConstantProductPool(evm, {
      tokens: [weth, token.address],
      reserves: [parseEther('100'), 300_000n * 10n ** 8n],
    });
    expect(
      await client.readContract({
        address: uniswap.constantProductFactory,
        abi: parseAbi(['function getPair(address, address) view returns (address)']),
        functionName: 'getPair',
        args: [token.address, weth],
      }),
    ).toBe(pool);
    expect(await balanceOf(weth, pool)).toBe(parseEther('100'));
    expect(await balanceOf(token.address, pool)).toBe(300_000n * 10n ** 8n);

    const [, expected] = await client.readContract({
      address: uniswap.constantProductRouter,
      abi: v2RouterAbi,
      functionName: 'getAmountsOut',
      args: [parseEther('1'), [weth, token.address]],
    });
    await sendTransaction(evm, {
      from: alice,
      to: uniswap.swapRouter02,
      value: parseEther('1'),
      data: encodeFunctionData({
        abi: routerAbi,
        functionName: 'swapExactTokensForTokens',
        args: [parseEther('1'), expected!, [weth, token.address], alice],
      }),
    });
    expect(await balanceOf(token.address, alice)).toBe(expected);
  });

  it('creates a V3 pool whose swap by SwapRouter02 gives what QuoterV2 says', async () => {
    const token = await createToken(evm, { name: 'Gold', symbol: 'GOLD', decimals: 18 });
    const [token0, token1] = sortTokens(weth, token.address);
    const pool = await addConcentratedPool(evm, {
      token0,
      token1,
      fee: 500,
      sqrtPriceX96: 1n << 96n,
      positions: [
        { tickLower: -100, tickUpper: 200, amount0: parseEther('50'), amount1: parseEther('50') },
        { tickLower: 300, tickUpper: 500, amount0: parseEther('9'), amount1: 0n },
      ],
    });
    expect(
      await client.readContract({
        address: uniswap.concentratedFactory,
        abi: parseAbi(['function getPool(address, address, uint24) view returns (address)']),
        functionName: 'getPool',
        args: [token0, token1, 500],
      }),
    ).toBe(pool);

    const path = encodePacked(['address', 'uint24', 'address'], [weth, 500, token.address]);
    const { result } = await client.simulateContract({
      address: uniswap.quoterV2,
      abi: quoterAbi,
      functionName: 'quoteExactInput',
      args: [path, parseEther('3')],
    });
    const swap = encodeFunctionData({
      abi: routerAbi,
      functionName: 'exactInput',
      args: [{ path, recipient: alice, amountIn: parseEther('3'), amountOutMinimum: result[0] }],
    });
    const deadline = BigInt(Math.floor(Date.now() / 1000) + 60);
    await sendTransaction(evm, {
      from: alice,
      to: uniswap.swapRouter02,
      value: parseEther('3'),
      data: encodeFunctionData({
        abi: routerAbi,
        functionName: 'multicall',
        args: [deadline, [swap]],
      }),
    });
    expect(await balanceOf(token.address, alice)).toBe(result[0]);
    expect(result[0]).toBeGreaterThan(parseEther('2.9'));
  });

  it('refuses a swap whose deadline has passed', async () => {
    await expect(
      sendTransaction(evm, {
        from: alice,
        to: uniswap.swapRouter02,
        data: encodeFunctionData({
          abi: routerAbi,
          functionName: 'multicall',
          args: [BigInt(Math.floor(Date.now() / 1000) - 60), []],
        }),
      }),
    ).rejects.toMatchObject({ code: 3, message: 'execution reverted: Transaction too old' });
  });

  it('adds all tiers of V3 fees, the latest among them', async () => {
    const token = await createToken(evm, { name: 'Gold', symbol: 'GOLD', decimals: 18 });
    const [token0, token1] = sortTokens(weth, token.address);
    for (const fee of [100, 500, 3000, 10000] as const) {
      const pool = await addConcentratedPool(evm, {
        token0,
        token1,
        fee,
        sqrtPriceX96: 1n << 96n,
        positions: [{ tickLower: -6000, tickUpper: 6000, amount0: 1000n, amount1: 1000n }],
      });
      expect(await balanceOf(weth, pool)).toBeGreaterThan(0n);
    }
  });

  it('derives pool addresses from the creation code in the packages', async () => {
    const { default: pair } = await import('@uniswap/v2-core/build/UniswapV2Pair.json', {
      with: { type: 'json' },
    });
    const { default: pool } = await import(
      '@uniswap/v3-core/artifacts/contracts/UniswapV3Pool.sol/UniswapV3Pool.json',
      { with: { type: 'json' } }
    );
    expect(keccak256(`0x${pair.bytecode}`)).toMatch(/^0x96e8ac42.*845f$/);
    expect(keccak256(pool.bytecode as Hex)).toMatch(/^0xe34f199b.*8b54$/);
  });
});

describe('tokens', () => {
  it('are ordinary by default, with any decimals', async () => {
    const token = await createToken(evm, { name: 'Six Decimals', symbol: 'SIX', decimals: 6 });
    const read = { address: token.address, abi: erc20Abi } as const;
    expect(await client.readContract({ ...read, functionName: 'name' })).toBe('Six Decimals');
    expect(await client.readContract({ ...read, functionName: 'symbol' })).toBe('SIX');
    expect(await client.readContract({ ...read, functionName: 'decimals' })).toBe(6);
    await giveTokens(evm, { token: token.address, holders: [alice, bob], amount: 50n });
    await transfer(token, bob, 20n);
    expect(await balanceOf(token.address, alice)).toBe(30n);
    expect(await balanceOf(token.address, bob)).toBe(70n);
    expect(await client.readContract({ ...read, functionName: 'totalSupply' })).toBe(100n);
    await expect(transfer(token, bob, 31n)).rejects.toThrow('transfer amount exceeds balance');
  });

  it('may stand at any address, and wrapped ether can be given like them', async () => {
    const address = '0x2260FAC5E5542a773Aa44fBCfeDf7C193bc2C599';
    const token = await createToken(evm, { name: 'B', symbol: 'B', decimals: 8, address });
    expect(token.address).toBe(address);
    await giveTokens(evm, { token: weth, holders: [alice, bob], amount: 7n });
    expect(await balanceOf(weth, bob)).toBe(7n);
    expect(await balanceOf(weth, uniswap.multicall3)).toBe(0n);
  });

  it('may tax transfers: the recipient gets less than was sent [Q15]', async () => {
    const token = await createToken(evm, {
      name: 'Taxed',
      symbol: 'TAX',
      decimals: 18,
      kind: 'taxed',
      taxBps: 250,
    });
    await giveTokens(evm, { token: token.address, holders: [alice], amount: 10_000n });
    await transfer(token, bob, 1_000n);
    expect(await balanceOf(token.address, alice)).toBe(9_000n);
    expect(await balanceOf(token.address, bob)).toBe(975n);
    await expect(transfer(token, bob, 9_001n)).rejects.toThrow('exceeds balance');
  });

  it('may return nothing and want an allowance set to zero first, like USDT [Q15]', async () => {
    const token = await createToken(evm, {
      name: 'T',
      symbol: 'T',
      decimals: 6,
      kind: 'no-return',
    });
    await giveTokens(evm, { token: token.address, holders: [alice], amount: 100n });
    const data = encodeFunctionData({
      abi: erc20Abi,
      functionName: 'transfer',
      args: [bob, 1n],
    });
    expect((await client.call({ account: alice, to: token.address, data })).data).toBeUndefined();
    await transfer(token, bob, 40n);
    expect(await balanceOf(token.address, bob)).toBe(40n);
    await approve(token, bob, 5n);
    await expect(approve(token, bob, 6n)).rejects.toThrow('execution reverted');
    await approve(token, bob, 0n);
    await approve(token, bob, 6n);
  });

  it('may have bytes32 for name and symbol, like MKR [Q15]', async () => {
    const token = await createToken(evm, {
      name: 'Maker',
      symbol: 'MKR',
      decimals: 18,
      kind: 'bytes32-metadata',
    });
    const symbol = await client.readContract({
      address: token.address,
      abi: parseAbi(['function symbol() view returns (bytes32)']),
      functionName: 'symbol',
    });
    expect(hexToString(symbol, { size: 32 })).toBe('MKR');
    await expect(
      client.readContract({ address: token.address, abi: erc20Abi, functionName: 'symbol' }),
    ).rejects.toThrow();
  });

  it('may fail every transfer and have a pool all the same [Q15]', async () => {
    const token = await createToken(evm, {
      name: 'Frozen',
      symbol: 'FROZEN',
      decimals: 18,
      kind: 'failing',
    });
    await addConstantProductPool(evm, {
      tokens: [token.address, weth],
      reserves: [5_000n, 5_000n],
    });
    await giveTokens(evm, { token: token.address, holders: [alice], amount: 10n });
    await expect(transfer(token, bob, 1n)).rejects.toThrow('transfers are paused');
    await approve(token, zeroAddress, 1n);
  });
});
