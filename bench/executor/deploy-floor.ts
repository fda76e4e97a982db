import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { encodeAbiParameters, encodeFunctionData, type Hex, parseAbi } from 'viem';
import type { Evm } from '../../src/devchain/evm/open-evm.ts';
import { sendTransaction } from '../../src/devchain/evm/transactions.ts';
import type { Address } from '../../src/swap/model.ts';
import type { Hop } from '../../src/swap/swap-order.ts';

const abi = parseAbi([
  'function swapConcentrated(uint256 amount)',
  'function swapPair(uint256 amount)',
]);

/** Deploys a contract that does nothing but swap in one pool, and returns the call for that swap. */
export async function deployFloor(
  evm: Evm,
  { hop, from, amountIn }: { hop: Hop; from: Address; amountIn: bigint },
): Promise<{ to: Address; data: Hex }> {
  const { pool, tokenIn, tokenOut, leg } = hop;
  const zeroForOne = tokenIn.toLowerCase() < tokenOut.toLowerCase();
  const placed = encodeAbiParameters(
    [{ type: 'address' }, { type: 'address' }, { type: 'bool' }],
    [pool, tokenIn, zeroForOne],
  );
  const { contractAddress } = await sendTransaction(evm, {
    from,
    data: `${compileFloor()}${placed.slice(2)}`,
  });
  const functionName = leg?.version === 2 ? 'swapPair' : 'swapConcentrated';
  return {
    to: contractAddress as Address, // a deployment has one
    data: encodeFunctionData({ abi, functionName, args: [amountIn] }),
  };
}

function compileFloor(): Hex {
  const name = 'Floor.sol';
  // The package has no types; this is its documented interface: JSON text in, JSON text out.
  const solc = createRequire(import.meta.url)('solc') as { compile(input: string): string };
  const input = {
    language: 'Solidity',
    sources: { [name]: { content: readFileSync(new URL(name, import.meta.url), 'utf8') } },
    settings: {
      optimizer: { enabled: true, runs: 1_000_000 },
      viaIR: true,
      outputSelection: { '*': { '*': ['evm.bytecode.object'] } },
    },
  };
  const output = JSON.parse(solc.compile(JSON.stringify(input)));
  return `0x${output.contracts[name].Floor.evm.bytecode.object}`;
}
