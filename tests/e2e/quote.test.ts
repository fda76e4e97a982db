import { encodeFunctionData, parseAbi } from 'viem';
import { describe, expect, it } from 'vitest';
import type { QuoteRequest, RoutedQuote } from '../../src/swap/quote/quote.ts';
import { openTestChain } from '../support/open-test-chain.ts';
import { runInProcess } from '../support/run-in-process.ts';
import {
  ether,
  openSwapServer,
  routedAnswer,
  routedQuote,
  sender,
  servedChain,
  swapMountOptions,
  unroutedQuote,
  usdc,
  weth,
} from '../support/swap-interface.ts';

const { useCases } = swapMountOptions;

/** A server that records the requests for quotes. */
async function openAsked(quote = routedQuote, tokens = [weth, usdc]) {
  const asked: QuoteRequest[] = [];
  const server = await openSwapServer({
    useCases: {
      ...useCases,
      tokens: async () => tokens,
      quote: async (request) => {
        asked.push(request);
        return quote;
      },
    },
  });
  return { server, asked };
}

const run = (server: string, ...words: string[]) =>
  runInProcess(['quote', ...words, '--server', server]);

describe('tradewind quote', () => {
  it('asks for symbols and whole tokens, exactly', async () => {
    const { server, asked } = await openAsked();
    const { code } = await run(server, '1.000000000000000001', 'eth', 'USDC', '--slippage', '0.3%');
    expect(code).toBe(0);
    expect(asked).toEqual([
      {
        chainId: 31337,
        tokenIn: ether.address,
        tokenOut: usdc.address,
        amountIn: 10n ** 18n + 1n,
        maxSlippage: { numerator: 3n, denominator: 1000n },
        sender,
      },
    ]);
  });

  it('asks for addresses, and learns the decimals of a token that is in no list', async () => {
    const { server, asked } = await openAsked({ ...routedQuote, tokenFrom: usdc }, []);
    await run(server, '1.5', usdc.address.toLowerCase(), weth.address);
    expect(asked.map(({ tokenIn, amountIn }) => [tokenIn, amountIn])).toEqual([
      [usdc.address, 1n],
      [usdc.address, 1_500_000n],
    ]);
  });

  it('draws the route on a terminal, with progress beside the result [H53]', async () => {
    const { server } = await openAsked();
    const argv = ['quote', '1', 'ETH', 'USDC', '--server', server];
    const { stdout, stderr } = await runInProcess(argv, { columns: 80 });
    expect(stdout).toContain('1 ETH → 2,990.95 USDC');
    expect(stdout).toContain('ETH ─┬─ 70% ─┤ 0x88e6…5640 ├─┬─ USDC');
    expect(stderr).toContain(`asking ${server}`);
    expect(stderr.endsWith('\r\u001b[K')).toBe(true);
  });

  it('lists the route and keeps quiet where there is no terminal [H53]', async () => {
    const { server } = await openAsked();
    const { stdout, stderr } = await run(server, '1', 'ETH', 'USDC');
    expect(stdout).toContain('70% of ETH\n    uniswap-v3 0x88e6…5640 → USDC');
    expect(stdout).not.toMatch(/[┌│]/);
    expect(stderr).toBe('');
  });

  it('prints the quote as one JSON document [H51]', async () => {
    const { server } = await openAsked();
    const { stdout } = await run(server, '1', 'ETH', 'USDC', '--json');
    expect(JSON.parse(stdout)).toEqual(JSON.parse(JSON.stringify(routedAnswer)));
  });

  it('says why there is no route', async () => {
    const server = await openSwapServer({
      useCases: { ...useCases, quote: async () => unroutedQuote },
    });
    const { code, stdout } = await run(server, '1', 'ETH', 'USDC');
    expect(code).toBe(0);
    expect(stdout).toBe('No route: No pool connects ETH and USDC.\n');
  });

  it('takes the server from the environment', async () => {
    const { server, asked } = await openAsked();
    const environment = { TRADEWIND_PUBLIC_URL: server };
    expect((await runInProcess(['quote', '1', 'ETH', 'USDC'], { environment })).code).toBe(0);
    expect(asked).toHaveLength(1);
  });

  it.each([
    [['1', 'ETH'], 'Give the amount and two tokens'],
    [['1', 'ETH', 'USDC', 'now'], '"now" is one word too many'],
    [['one', 'ETH', 'USDC'], 'is not a plain number'],
    [['1', 'ETH', 'USDD'], 'did you mean USDC?'],
    [['1', 'ETH', 'USDC', '--slippage', '0.5'], '"0.5" has no percent sign: write'],
    [['1', 'ETH', '0x1234'], '"0x1234" is not an address: write 0x and 40 hexadecimal digits'],
    [['-1', 'ETH', 'USDC'], 'The amount -1 is below 0: give an amount above 0.'],
    [['1', 'ETH', 'USDC', '--chain', 'abc'], '--chain is "abc" but must be a whole number above 0'],
    [['1', 'ETH', 'USDC', '--chain', '0'], '--chain is "0" but must be a whole number above 0'],
    [['1', 'ETH', 'USDC', '--chain', '1'], 'Name the account that signs on chain 1'],
    [['1', 'ETH', 'USDC', '--chain', '1', '--execute'], 'on the development chain (31337) only'],
    [['1', 'ETH', 'USDC', '--execute', '--sender', usdc.address], 'leave --sender out'],
  ])('teaches what is wrong with %j', async (words, message) => {
    const { code, stderr } = await run(await openSwapServer(), ...words);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });

  it('hands on what the server refuses [H51, H52]', async () => {
    const args = ['1', 'ETH', 'USDC', '--chain', '5', '--sender', sender, '--json'];
    const { code, stderr } = await run(await openSwapServer(), ...args);
    expect(code).toBe(1);
    expect(JSON.parse(stderr).error).toEqual({
      code: 'UNSUPPORTED_CHAIN',
      message: 'Chain 5 is not served; use 31337.',
    });
  });

  it('says how to start a server where there is none, without the password in its URL', async () => {
    const { code, stderr } = await run('http://127.0.0.1:1', '1', 'ETH', 'USDC');
    expect(code).toBe(1);
    expect(stderr).toContain('start one with tradewind serve');
    expect((await run('localhost:8787', '1', 'ETH', 'USDC')).stderr).toContain(
      '"localhost:8787" must begin with http:// or https://',
    );
    const secret = await run('http://user:hunter2@127.0.0.1:1', '1', 'ETH', 'USDC');
    expect(secret.stderr).not.toContain('hunter2');
  });
});

const wrapping = parseAbi([
  'function deposit() payable',
  'function withdraw(uint256 amount)',
  'function approve(address spender, uint256 amount) returns (bool)',
]);

/** A server that quotes wrapping on a real EVM, as the service behind the interface would. */
async function openWrapping(change: (quote: RoutedQuote) => RoutedQuote = (quote) => quote) {
  const chain = await openTestChain();
  const wrapped = { ...weth, address: chain.weth };
  const call = { from: sender, to: chain.weth, value: 0n };
  const server = await openSwapServer({
    useCases: {
      ...useCases,
      tokens: async () => [wrapped],
      quote: async ({ tokenIn, amountIn = 0n }) => {
        const isDeposit = tokenIn === ether.address;
        const data = isDeposit
          ? encodeFunctionData({ abi: wrapping, functionName: 'deposit' })
          : encodeFunctionData({ abi: wrapping, functionName: 'withdraw', args: [amountIn] });
        const args = [sender, 7n] as const;
        const approve = encodeFunctionData({ abi: wrapping, functionName: 'approve', args });
        return change({
          ...routedQuote,
          tokenFrom: isDeposit ? ether : wrapped,
          tokenTo: isDeposit ? wrapped : ether,
          amountIn,
          expectedAmountOut: amountIn,
          minAmountOut: amountIn,
          swapPrice: 1,
          priceImpact: 0,
          route: [],
          rpcUrls: [chain.rpcUrl],
          approval: isDeposit ? [] : [{ ...call, data: approve }],
          tx: {
            ...call,
            data,
            value: isDeposit ? amountIn : 0n,
            gas: 60_000n,
            gasPrice: 2_000_000_000n,
          },
        });
      },
    },
  });
  return { server, chain };
}

describe('tradewind quote --execute', () => {
  it('sends the transaction and finds what was quoted', async () => {
    const { server } = await openWrapping();
    const { code, stdout } = await run(server, '2.5', 'ETH', 'WETH', '--execute');
    expect(code).toBe(0);
    expect(stdout).toContain('Received    2.5 WETH');
    expect(stdout).toContain('Difference  none: received as quoted, to the last unit');
  });

  it('sends approvals first, and sets gas aside where the native token comes back', async () => {
    const { server, chain } = await openWrapping();
    await run(server, '2', 'ETH', 'WETH', '--execute');
    const { stdout } = await run(server, '1', 'WETH', 'ETH', '--execute', '--json');
    const { execution } = JSON.parse(stdout);
    expect(execution).toMatchObject({ received: '1000000000000000000', blockNumber: '4' });
    const data = encodeFunctionData({
      abi: parseAbi(['function allowance(address, address) view returns (uint256)']),
      args: [sender, sender],
    });
    const allowance = await chain.request('eth_call', { to: chain.weth, data });
    expect(BigInt(String(allowance))).toBe(7n);
  });

  it('shows what was lost against the quote', async () => {
    const { server } = await openWrapping((quote) => ({
      ...quote,
      expectedAmountOut: 10n ** 18n + 5n,
    }));
    const { stdout } = await run(server, '1', 'ETH', 'WETH', '--execute');
    expect(stdout).toContain('Difference  -5 of the smallest unit');
  });

  it('says so where the transaction reverts', async () => {
    const { server } = await openWrapping((quote) => ({
      ...quote,
      tx: { ...quote.tx, data: '0x2e1a7d4d' },
    }));
    const { code, stderr } = await run(server, '1', 'ETH', 'WETH', '--execute', '--json');
    expect(code).toBe(1);
    expect(JSON.parse(stderr).error.code).toBe('SWAP_REVERTED');
  });

  it('signs for no other chain than the development chain', async () => {
    const { rpcUrl, request } = await openTestChain(1);
    const { server } = await openWrapping((quote) => ({ ...quote, rpcUrls: [rpcUrl] }));
    const { code, stderr } = await run(server, '1', 'ETH', 'WETH', '--execute');
    expect(code).toBe(1);
    expect(stderr).toContain('The node belongs to chain 1');
    expect(await request('eth_getTransactionCount', sender)).toBe('0x1');
  });

  it('has nothing to send without a route', async () => {
    const server = await openSwapServer({
      useCases: { ...useCases, quote: async () => unroutedQuote },
    });
    const { code, stderr } = await run(server, '1', 'ETH', 'USDC', '--execute');
    expect(code).toBe(1);
    expect(stderr).toContain('nothing to send');
  });
});

describe('tradewind chains', () => {
  it('lists chains by id with their exchanges', async () => {
    const other = { ...servedChain, chainId: 1, name: 'Ethereum' };
    const server = await openSwapServer({
      useCases: { ...useCases, chains: async () => [servedChain, other] },
    });
    const { stdout } = await runInProcess(['chains', '--server', server]);
    expect(stdout).toBe(
      [
        'CHAIN  NAME         NATIVE  EXCHANGES',
        '1      Ethereum     ETH     uniswap-v2',
        '31337  Development  ETH     uniswap-v2',
        '',
      ].join('\n'),
    );
    const json = await runInProcess(['chains', '--server', server, '--json']);
    expect(JSON.parse(json.stdout).chains).toHaveLength(2);
  });
});
