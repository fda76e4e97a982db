import { numberToHex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { describe, expect, it } from 'vitest';
import { testAccounts } from '../evm/test-accounts.ts';
import { devchainLimits } from '../limits.ts';
import { admitRequest, drivingMethods, readingMethods } from './admit-request.ts';

const mostGas = devchainLimits.gas.value;
const to = '0x00000000000000000000000000000000000000aa';
const admit = (method: string, ...params: unknown[]) => admitRequest({ method, params }, false);
const refused = (code: number) => expect.objectContaining({ name: 'EvmRequestError', code });

describe('admitRequest', () => {
  it.each([...readingMethods])('lets everybody call %s', (method) => {
    const request = { method, params: [] };
    expect(admitRequest(request, true)).toBe(request);
    expect(admitRequest(request, false)).toBe(request);
  });

  it.each([...drivingMethods])('lets programs call %s, and foreign pages not', (method) => {
    expect(admit(method)).toEqual({ method, params: [] });
    expect(() => admitRequest({ method, params: [] }, true)).toThrow(refused(-32004));
  });

  it.each(['hardhat_reset', 'debug_traceCall', 'debug_traceTransaction', 'eth_unheardOf', ''])(
    'lets nobody call "%s"',
    (method) => expect(() => admit(method)).toThrow(refused(-32004)),
  );

  it.each(['eth_call', 'eth_estimateGas', 'eth_sendTransaction'])(
    'caps the gas of %s, also where none is named',
    (method) => {
      const gas = numberToHex(mostGas);
      expect(admit(method, { to }, 'latest')).toEqual({ method, params: [{ to, gas }, 'latest'] });
      expect(admit(method, { to, gas }).params).toEqual([{ to, gas }]);
      for (const name of ['gas', 'gasLimit']) {
        const more = { to, [name]: numberToHex(mostGas + 1) };
        expect(() => admit(method, more)).toThrow(refused(-32602));
      }
    },
  );

  it('caps the gas of a transaction that was signed elsewhere', async () => {
    const account = privateKeyToAccount(testAccounts[0]!.privateKey);
    const sign = (gas: number) =>
      account.signTransaction({ to, gas: BigInt(gas), maxFeePerGas: 1n, chainId: 31337 });
    const method = 'eth_sendRawTransaction';
    const fits = await sign(mostGas);
    expect(admit(method, fits).params).toEqual([fits]);
    const tooMuch = await sign(mostGas + 1);
    expect(() => admit(method, tooMuch)).toThrow(refused(-32602));
    expect(admit(method, '0x').params).toEqual(['0x']);
  });

  it('caps the gas of blocks', () => {
    const { value } = devchainLimits.blockGas;
    expect(admit('evm_setBlockGasLimit', numberToHex(value)).params).toEqual([numberToHex(value)]);
    expect(() => admit('evm_setBlockGasLimit', numberToHex(value + 1))).toThrow(refused(-32602));
  });

  it('allows interval mining, not faster than the limit', () => {
    const { value } = devchainLimits.miningInterval;
    for (const interval of [0, value, [value, 2 * value]]) {
      expect(admit('evm_setIntervalMining', interval).params).toEqual([interval]);
    }
    for (const interval of [1, value - 1, [1, value]]) {
      expect(() => admit('evm_setIntervalMining', interval)).toThrow(refused(-32602));
    }
  });

  it.each([undefined, {}, 'x', [null], ['0x'], [{ gas: 'much' }], [{ gas: null }]])(
    'leaves it to the node to refuse the parameters %j',
    (params) => {
      expect(() => admitRequest({ method: 'eth_call', params }, false)).not.toThrow();
    },
  );
});
