import { type Hex, keccak256, numberToHex } from 'viem';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Evm, openEvm } from '../../../src/devchain/evm/open-evm.ts';
import { codeHashesCall, readCodeHashes } from '../../../src/swap/chain/packed-calls.ts';
import { parseAddress } from '../../../src/swap/model.ts';

let evm: Evm;
beforeAll(async () => {
  evm = await openEvm({ chainId: 1 });
});
afterAll(() => evm.close());

/** The first code, by number, whose hash begins with `start`. */
function codeWithHash(start: Hex): Hex {
  for (let number = 1; ; number += 1) {
    const code = numberToHex(number, { size: 4 });
    if (keccak256(code).startsWith(start)) return code;
  }
}

describe('codeHashesCall', () => {
  it('answers whatever the hashes begin with, also with what no code may begin with [Q23]', async () => {
    const codes = [codeWithHash('0xef'), codeWithHash('0x00')];
    const addresses = ['1', '2'].map((digit) => parseAddress(`0x${digit.repeat(40)}`));
    for (const [index, address] of addresses.entries()) {
      await evm.request({ method: 'hardhat_setCode', params: [address, codes[index]] });
    }
    const { data: sent } = codeHashesCall(addresses);
    const data = (await evm.request({
      method: 'eth_call',
      params: [{ data: sent }, 'latest'],
    })) as Hex;
    expect(readCodeHashes({ status: 'returned', data })).toEqual(
      codes.map((code) => keccak256(code)),
    );
    for (const answer of ['0x', '0x00ff'] as const) {
      expect(() => readCodeHashes({ status: 'returned', data: answer })).toThrow('no code hashes');
    }
  });
});
