import { describe, expect, it } from 'vitest';
import { parseAddress } from '../model.ts';
import type { Hop, SwapOrder } from '../swap-order.ts';
import { encodeExecutor } from './encode-executor.ts';

const addressOf = (byte: string) => parseAddress(`0x${byte.repeat(20)}`);
const [tokenIn, between, tokenOut] = [addressOf('01'), addressOf('02'), addressOf('03')];
const executor = addressOf('ee');

const pair: Hop = {
  tokenIn,
  tokenOut: between,
  pool: addressOf('a1'),
  leg: undefined,
  step: { number: 0, extra: '0x26f2' },
  runsForeignCode: false,
};
const concentrated: Hop = {
  tokenIn: between,
  tokenOut,
  pool: addressOf('a2'),
  leg: undefined,
  step: { number: 1, extra: '0x' },
  runsForeignCode: false,
};
const backwards: Hop = { ...concentrated, tokenIn: tokenOut, tokenOut: between };

const order: SwapOrder = {
  paths: [{ hops: [pair, concentrated], amountIn: 0x1234n }],
  tokenOut,
  minAmountOut: 0x99n,
  sender: addressOf('77'),
  recipient: addressOf('77'),
  deadline: 0x6553f100n,
  isNativeIn: false,
  isNativeOut: false,
};

const bytes = (byte: string, count: number) => byte.repeat(count);

describe('encodeExecutor', () => {
  it('writes the end of the program and the permitted amount behind the header where the sender signs a permit [Q22] [Q29]', () => {
    const { data } = encodeExecutor(executor, { ...order, permit: 'eip2612' });
    const { data: plain } = encodeExecutor(executor, order);
    const size = (data.length - 2) / 2;
    expect(data.slice(0, 2 + 132)).toBe(`${plain.slice(0, 10)}24${plain.slice(12, 2 + 132)}`);
    expect(data.slice(2 + 132, 2 + 168)).toBe(
      `${size.toString(16).padStart(4, '0')}${'1234'.padStart(32, '0')}`,
    );
    expect(data.slice(2 + 168)).toBe(plain.slice(2 + 132));
    // Permit2 transfers the input, and the last path takes what is left of it.
    const { data: brought } = encodeExecutor(executor, { ...order, permit: 'permit2' });
    expect(brought.slice(10, 12)).toBe('44');
    expect(brought.slice(2 + 168, 2 + 202)).toBe(`02${'0'.repeat(32)}`);
  });

  it('packs a program without padding: header, paths, hops [Q22]', () => {
    expect(encodeExecutor(executor, order)).toEqual({
      to: executor,
      value: 0n,
      data: [
        '0x8119c065', // swap()
        '04', // pays the recipient directly
        bytes('01', 20),
        bytes('03', 20),
        `${bytes('00', 15)}99`,
        '006553f100',
        '02', // two hops
        `${bytes('00', 14)}1234`,
        `80${bytes('a1', 20)}26f2`, // a pair that keeps 9970 of 10000
        bytes('02', 20),
        `81${bytes('a2', 20)}`,
      ].join(''),
    });
  });

  it('names the recipient where it is another, and the direction of each hop [Q22]', () => {
    const { data } = encodeExecutor(executor, {
      ...order,
      recipient: addressOf('88'),
      paths: [{ hops: [backwards], amountIn: 5n }],
      tokenOut: between,
    });
    expect(data.slice(10, 12)).toBe('0c');
    expect(data).toContain(`006553f100${bytes('88', 20)}01`);
    expect(data.endsWith(`01${bytes('a2', 20)}`)).toBe(true);
  });

  it('lets the last path of a native input take the rest, and sends the whole amount as value [Q22]', () => {
    const path = { hops: [pair, concentrated], amountIn: 7n } as const;
    const { data, value } = encodeExecutor(executor, {
      ...order,
      paths: [path, { ...path, amountIn: 8n }],
      isNativeIn: true,
      isNativeOut: true,
    });
    expect(value).toBe(15n);
    expect(data.slice(10, 12)).toBe('03');
    const amounts = [...data.matchAll(/02(0{30}[0-9a-f]{2})80a1/g)].map(([, amount]) => amount);
    expect(amounts).toEqual([`${bytes('00', 15)}07`, bytes('00', 16)]);
  });

  it('gathers the output where a pool runs foreign code [Q24] [F29]', () => {
    const foreign: Hop = { ...pair, runsForeignCode: true };
    const paths = [{ hops: [foreign, concentrated], amountIn: 5n }] as const;
    expect(encodeExecutor(executor, { ...order, paths }).data.slice(10, 12)).toBe('00');
  });

  it('refuses amounts that do not fit into a program [Q22]', () => {
    const tooMuch = [{ hops: [pair, concentrated], amountIn: 1n << 128n }] as const;
    expect(() => encodeExecutor(executor, { ...order, paths: tooMuch })).toThrow();
  });

  it('refuses a pool that the contract cannot swap in [Q22]', () => {
    const paths = [{ hops: [{ ...pair, step: undefined }], amountIn: 1n }] as const;
    expect(() => encodeExecutor(executor, { ...order, paths })).toThrow(RangeError);
  });
});
