import { expect, it } from 'vitest';
import { SwapError } from '../swap-error.ts';
import { atLatestBlock } from './at-latest-block.ts';
import type { Block } from './chain-reader.ts';
import { createRecordedChainReader } from './recorded/create-recorded-chain-reader.ts';

const hashOf = (digit: string) => `0x${digit.repeat(64)}` as const;
const recorded = (digit: string) =>
  ({
    number: '0x1',
    hash: hashOf(digit),
    parentHash: hashOf('0'),
    timestamp: '0x1',
    gasLimit: '0x1',
    gasPrice: '0x1',
  }) as const;
const readerOf = (...digits: string[]) =>
  createRecordedChainReader({ chainId: 1, blocks: digits.map(recorded), calls: {}, logs: {} });
const remember = async (digit: string): Promise<Block> => readerOf(digit).latestBlock();
const gone = () => new SwapError('UPSTREAM_ERROR', 'gone', { details: { blockUnknown: true } });

/** Notes the blocks it runs on; fails as often as it is given errors. */
function noting(...errors: Error[]) {
  const seen: string[] = [];
  const work = async ({ hash }: Block) => {
    seen.push(hash.slice(2, 3));
    const error = errors.shift();
    if (error !== undefined) throw error;
    return hash;
  };
  return { seen, work };
}

it('works on the head', async () => {
  const { seen, work } = noting();
  expect(await atLatestBlock(readerOf('a'), work)).toBe(hashOf('a'));
  expect(seen).toEqual(['a']);
});

it('works once on a remembered block that is still the head', async () => {
  const { seen, work } = noting();
  expect(await atLatestBlock(readerOf('a'), work, { remembered: await remember('a') })).toBe(
    hashOf('a'),
  );
  expect(seen).toEqual(['a']);
});

it('works again on the head when the remembered block is not it, whatever came of that', async () => {
  const { seen, work } = noting(new Error('stale'));
  expect(await atLatestBlock(readerOf('b'), work, { remembered: await remember('a') })).toBe(
    hashOf('b'),
  );
  expect(seen).toEqual(['a', 'b']);
});

it('begins again, once, when the block is taken away [Q16]', async () => {
  const { seen, work } = noting(gone());
  expect(await atLatestBlock(readerOf('a', 'b'), work)).toBe(hashOf('b'));
  expect(seen).toEqual(['a', 'b']);
  await expect(atLatestBlock(readerOf('a', 'b'), noting(gone(), gone()).work)).rejects.toThrow(
    'gone',
  );
});

it('passes on every other failure', async () => {
  const { seen, work } = noting(new Error('broken'));
  const remembered = await remember('a');
  await expect(atLatestBlock(readerOf('a'), work, { remembered })).rejects.toThrow('broken');
  expect(seen).toEqual(['a']);
});
