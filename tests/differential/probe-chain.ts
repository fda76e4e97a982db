import { createRequire } from 'node:module';
import { type Address, concatHex, type Hex } from 'viem';
import { type Evm, openEvm } from '../../src/devchain/open-evm.ts';
import { testAccounts } from '../../src/devchain/test-accounts.ts';

const require = createRequire(import.meta.url);
const from = testAccounts[0]!.address;
/** Enough for a call that walks the whole tick bitmap many times. */
const callGas = 1n << 40n;

/** A chain for contracts that do a whole experiment in one call, of which nothing remains. */
export type ProbeChain = {
  deploy(creationCode: Hex, encodedArguments?: Hex): Promise<Address>;
  send(to: Address, data: Hex): Promise<void>;
  call(to: Address, data: Hex): Promise<Hex>;
  close(): void;
};

export async function openProbeChain(): Promise<ProbeChain> {
  const evm = await openEvm({ chainId: 31337 });

  return {
    async deploy(creationCode, encodedArguments = '0x') {
      const receipt = await sendTransaction(evm, {
        data: concatHex([creationCode, encodedArguments]),
      });
      return receipt.contractAddress;
    },
    async send(to, data) {
      await sendTransaction(evm, { to, data });
    },
    async call(to, data) {
      const transaction = { from, to, data, gas: `0x${callGas.toString(16)}` };
      return (await evm.request({ method: 'eth_call', params: [transaction, 'latest'] })) as Hex;
    },
    close: evm.close,
  };
}

/** The creation code in an artifact of an npm package: the bytes that are on the public chains. */
export function creationCodeOf(artifactPath: string): Hex {
  const { bytecode } = require(artifactPath) as { bytecode: string };
  return bytecode.startsWith('0x') ? (bytecode as Hex) : `0x${bytecode}`;
}

async function sendTransaction(evm: Evm, transaction: { to?: Address; data: Hex }) {
  const hash = await evm.request({
    method: 'eth_sendTransaction',
    params: [{ from, gas: '0x1c9c380', ...transaction }],
  });
  const receipt = await evm.request({ method: 'eth_getTransactionReceipt', params: [hash] });
  const { status, contractAddress } = receipt as { status: Hex; contractAddress: Address };
  if (status !== '0x1') throw new Error(`the transaction ${hash} failed`);
  return { contractAddress };
}
