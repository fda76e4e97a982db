import type { Hex } from 'viem';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Address } from '../model.ts';
import type { ChainReader } from './chain-reader.ts';

/** The chain and the reader that the suite needs. */
export type ChainReaderHarness = {
  /** Runs the reads of `work` on the reader under test. */
  read<T>(work: (reader: ChainReader) => Promise<T>): Promise<T>;
  readonly chainId: number;
  readonly contracts: {
    /** Returns its first storage slot, which holds 7. */
    readonly answering: Address;
    /** Reverts with 0xdeadbeef. */
    readonly reverting: Address;
    /** Logged `topic` once in the newest block, and nothing else. */
    readonly logging: Address;
  };
  readonly topic: Hex;
  close(): Promise<void>;
};

const seven = `0x${'7'.padStart(64, '0')}` as const;
const nine = `0x${'9'.padStart(64, '0')}` as const;
const slotZero = `0x${'0'.repeat(64)}` as const;
/** NUMBER PUSH1 0 MSTORE PUSH1 32 PUSH1 0 RETURN: a constructor that answers the block's number. */
const answerNumber = '0x4360005260206000f3';

/** What every reader of a chain must do; run it for each implementation. */
export function describeChainReader(
  name: string,
  openHarness: () => Promise<ChainReaderHarness>,
): void {
  describe(`${name} as a ChainReader`, () => {
    let harness: ChainReaderHarness;
    beforeAll(async () => {
      harness = await openHarness();
    });
    afterAll(() => harness.close());

    it('says which chain it reads', async () => {
      expect(await harness.read(async ({ chainId }) => chainId)).toBe(harness.chainId);
    });

    it('names the newest block by number and hash, with its price of gas', async () => {
      const block = await harness.read((reader) => reader.latestBlock());
      expect(block.hash).toMatch(/^0x[0-9a-f]{64}$/);
      expect(block.parentHash).toMatch(/^0x[0-9a-f]{64}$/);
      expect(block.number).toBeGreaterThan(0n);
      expect(block.timestamp).toBeGreaterThan(0n);
      expect(block.gasLimit).toBeGreaterThan(0n);
      expect(block.gasPrice).toBeGreaterThanOrEqual(block.baseFeePerGas ?? 0n);
    });

    it('runs several calls on the state of one block, in their order [Q16]', async () => {
      const { number, outcomes } = await harness.read(async (reader) => {
        const block = await reader.latestBlock();
        const calls = [
          { to: harness.contracts.answering, data: '0x' },
          { data: answerNumber },
        ] as const;
        return { number: block.number, outcomes: await reader.call(calls, { block }) };
      });
      expect(outcomes).toEqual([
        { status: 'returned', data: seven },
        { status: 'returned', data: `0x${number.toString(16).padStart(64, '0')}` },
      ]);
    });

    it('tells the newest block beside the outcomes of calls on an earlier one [Q16] [Q31]', async () => {
      const { block, answered } = await harness.read(async (reader) => {
        const block = await reader.latestBlock();
        const calls = [
          { data: answerNumber },
          { to: harness.contracts.answering, data: '0x' },
        ] as const;
        return { block, answered: await reader.callWithHead(calls, { block }) };
      });
      expect(answered.head).toEqual(block);
      expect(answered.outcomes).toEqual([
        { status: 'returned', data: `0x${block.number.toString(16).padStart(64, '0')}` },
        { status: 'returned', data: seven },
      ]);
    });

    it('gives a revert as the outcome of its call and answers the others', async () => {
      const { answering, reverting } = harness.contracts;
      const outcomes = await harness.read(async (reader) => {
        const block = await reader.latestBlock();
        const calls = [
          { to: reverting, data: '0x' },
          { to: answering, data: '0x' },
        ] as const;
        return reader.call(calls, { block });
      });
      expect(outcomes).toEqual([
        { status: 'failed', data: '0xdeadbeef', reason: expect.any(String) },
        { status: 'returned', data: seven },
      ]);
    });

    it('runs a call on a state that is overridden for it alone [Q17]', async () => {
      const { answering } = harness.contracts;
      const outcomes = await harness.read(async (reader) => {
        const block = await reader.latestBlock();
        const overrides = { [answering]: { slots: { [slotZero]: nine } } };
        const calls = [
          { to: answering, data: '0x', overrides },
          { to: answering, data: '0x' },
        ] as const;
        return reader.call(calls, { block });
      });
      expect(outcomes).toEqual([
        { status: 'returned', data: nine },
        { status: 'returned', data: seven },
      ]);
    });

    it('reads the logs of one block', async () => {
      const { answering, logging } = harness.contracts;
      const logs = await harness.read(async (reader) => {
        const block = await reader.latestBlock();
        return reader.logs([answering, logging], { block });
      });
      expect(logs).toEqual([{ address: logging, topics: [harness.topic], data: '0x' }]);
    });

    it('answers nothing when nothing is asked', async () => {
      const [outcomes, logs] = await harness.read(async (reader) => {
        const block = await reader.latestBlock();
        return [await reader.call([], { block }), await reader.logs([], { block })];
      });
      expect([outcomes, logs]).toEqual([[], []]);
    });

    it('refuses a block it does not know, and says that it is the block [Q16]', async () => {
      const block = { number: 1n, hash: `0x${'ab'.repeat(32)}` } as const;
      const { answering } = harness.contracts;
      const read = harness.read((reader) =>
        reader.call([{ to: answering, data: '0x' }], { block }),
      );
      await expect(read).rejects.toMatchObject({
        code: 'UPSTREAM_ERROR',
        details: { blockUnknown: true },
      });
    });

    it('stops when the caller gives up', async () => {
      const reason = new Error('gave up');
      const read = harness.read((reader) =>
        reader.latestBlock({ signal: AbortSignal.abort(reason) }),
      );
      await expect(read).rejects.toBe(reason);
    });
  });
}
