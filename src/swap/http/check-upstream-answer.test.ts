import { describe, expect, test } from 'vitest';
import {
  sender,
  usdc,
  weth,
  routedAnswer as written,
} from '../../../tests/support/swap-interface.ts';
import { nativeToken, parseAddress } from '../model.ts';
import { permit2Address } from '../permit.ts';
import type { QuoteRequest } from '../quote/quote.ts';
import { cleanAnswer, findMismatch } from './check-upstream-answer.ts';
import type { QuoteAnswer } from './to-quote-answer.ts';

const other = parseAddress('0x00000000000000000000000000000000000000ee');
const request: QuoteRequest = {
  chainId: 10,
  tokenIn: nativeToken,
  tokenOut: usdc.address,
  amountIn: 10n ** 18n,
  maxSlippage: { numerator: 5n, denominator: 1_000n },
  sender,
};
const tx = written.tx ?? expect.unreachable();
const ofToken = { ...request, tokenIn: weth.address, permit: 'auto' } as const;
const tokenAnswer: QuoteAnswer = { ...written, tokenFrom: weth, tx: { ...tx, value: '0' } };
const approve = { from: sender, to: weth.address, data: `0x095ea7b3${'0'.repeat(128)}` };
const permit = (domain: object, permitted: string): QuoteAnswer['permit'] => ({
  kind: 'permit2',
  typedData: {
    domain: { name: 'Permit2', chainId: 10, verifyingContract: permit2Address, ...domain },
    types: {},
    primaryType: 'PermitTransferFrom',
    message: { permitted: { token: permitted, amount: '1' } },
  },
});

describe('the answer of an upstream server', () => {
  test('fits what was asked for, in whichever case its addresses are [F73]', () => {
    expect(findMismatch(written, request)).toBeUndefined();
    const upper = { ...tx, from: sender.toUpperCase().replace('0X', '0x') };
    expect(findMismatch({ ...written, tx: upper }, request)).toBeUndefined();
    expect(findMismatch({ status: 'NoRoute' }, request)).toBeUndefined();
    const approved = { ...tokenAnswer, approval: [approve], permit: permit({}, weth.address) };
    expect(findMismatch(approved, ofToken)).toBeUndefined();
    const part = { ...written, status: 'Partial' as const, amountIn: '5' };
    expect(findMismatch(part, request)).toBeUndefined();
  });

  test.each<[string, Partial<QuoteAnswer>]>([
    ['the input token', { tokenFrom: weth }],
    ['the output token', { tokenTo: weth }],
    ['the sender', { tx: { ...tx, from: other } }],
    ['the recipient', { recipient: other }],
    ['the chain', { chainId: 1 }],
    ['the amount', { amountIn: '999' }],
    ['a part that is more than the whole', { status: 'Partial', amountIn: `${10n ** 19n}` }],
    ['what is sent along', { tx: { ...tx, value: `${10n ** 18n + 1n}` } }],
    ['the decimals', { tokenTo: { ...usdc, decimals: 1e9 } }],
    ['a permit that nobody asked for', { permit: permit({}, nativeToken) }],
  ])('does not fit by %s [F73]', (_, change) => {
    expect(findMismatch({ ...written, ...change }, request)).toEqual(expect.any(String));
  });

  test.each<[string, Partial<QuoteAnswer>]>([
    ['the sender of an approval', { approval: [{ ...approve, from: other }] }],
    ['the token of an approval', { approval: [{ ...approve, to: other }] }],
    ['an approval that is another call', { approval: [{ ...approve, data: '0xa9059cbb' }] }],
    ['an approval that sends something along', { approval: [{ ...approve, value: '1' }] }],
    ['the chain of a permit', { permit: permit({ chainId: 1 }, weth.address) }],
    ['the contract of a permit', { permit: permit({ verifyingContract: other }, weth.address) }],
    ['the token of a permit', { permit: permit({}, other) }],
    ['native tokens for a token', { tx: { ...tx, value: '1' } }],
  ])('does not fit by %s [F73]', (_, change) => {
    expect(findMismatch({ ...tokenAnswer, ...change }, ofToken)).toEqual(expect.any(String));
  });

  test('does not fit by a minimum below the output that was asked for [F73]', () => {
    const given = { ...request, amountIn: undefined, amountOut: 2_975_995_251n };
    expect(findMismatch(written, given)).toContain('minAmountOut');
    expect(findMismatch(written, { ...given, amountOut: 2_975_995_250n })).toBeUndefined();
  });

  test('keeps RPC endpoints that a caller may use, and none on this machine but of an upstream here [F73]', () => {
    const rpcUrls = [
      'javascript:alert(1)',
      'http://rpc.example/',
      'http://127.0.0.1:8545/',
      'https://user:key@rpc.example/',
      'https://rpc.example/',
    ];
    const cleanedFor = (hostname: string, answer: QuoteAnswer) => {
      const { rpcUrl, rpcUrls: kept } = cleanAnswer(answer, { hostname });
      return { rpcUrl, kept };
    };
    const answer = { ...written, rpcUrl: rpcUrls[0], rpcUrls };
    expect(cleanedFor('quotes.example', answer)).toEqual({
      rpcUrl: 'https://rpc.example/',
      kept: ['https://rpc.example/'],
    });
    expect(cleanedFor('localhost', answer).kept).toEqual([rpcUrls[2], rpcUrls[4]]);
    const lone = { status: 'NoRoute' as const, rpcUrl: 'http://10.0.0.1/' };
    expect(cleanAnswer(lone, { hostname: 'quotes.example' })).toEqual({ status: 'NoRoute' });
  });

  test('loses control characters and endless texts, its additions too, and nothing that is signed [F73]', () => {
    const hostile = `\u001b[2J${'x'.repeat(5_000)}\u202e`;
    const named = { ...usdc, name: hostile, symbol: hostile };
    const answer = {
      ...written,
      tokenTo: named,
      tokens: [named],
      reason: hostile,
      more: [{ text: hostile }],
    };
    const cleaned = cleanAnswer(answer, { hostname: 'quotes.example' });
    const text = JSON.stringify(cleaned);
    expect(text).not.toMatch(/\\u001b|\u202e|x{1001}/);
    expect(cleaned.tokenTo?.name).toHaveLength(64);
    expect(cleaned.tokens?.[0]?.symbol).toHaveLength(64);
    expect(cleaned.tx).toEqual(written.tx);
    expect(cleaned.route).toEqual(written.route);
    expect(cleanAnswer(written, { hostname: 'quotes.example' })).toEqual(
      JSON.parse(JSON.stringify(written)),
    );
  });
});
