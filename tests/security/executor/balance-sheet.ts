import { type Address, type Hex, hexToBigInt, slice } from 'viem';
import type { Evm } from '../../../src/devchain/evm/open-evm.ts';

/** What an account has: ether, and of each token in their order. */
export type Holding = { readonly ether: bigint; readonly tokens: readonly bigint[] };

const answers = 0x60;

/**
 * Reads what many accounts have in one call, a constructor that returns figures instead of code: the proofs run
 * many thousands of programs, and each asks for twenty balances.
 */
export async function readBalanceSheet(
  evm: Evm,
  { tokens, holders }: { tokens: readonly Address[]; holders: readonly Address[] },
): Promise<Holding[]> {
  // The selector of balanceOf stands at the front of memory.
  let code = '6370a0823160e01b600052';
  let count = 0;
  const next = () => word(answers + 32 * count++);
  for (const holder of holders) {
    code += `73${holder.slice(2)}3161${next()}52`; // balance, mstore
    code += `73${holder.slice(2)}600452`; // the argument, for all tokens
    for (const token of tokens) {
      code += `602061${next()}6024600073${token.slice(2)}5afa50`; // staticcall, pop
    }
  }
  // From the zero before the answers: code must not begin with 0xEF.
  const data = `0x${code}61${word(1 + 32 * count)}60${(answers - 1).toString(16)}f3`;
  const sheet = (await evm.request({ method: 'eth_call', params: [{ data }, 'latest'] })) as Hex;
  const figures = Array.from({ length: count }, (_, index) =>
    hexToBigInt(slice(sheet, 1 + 32 * index, 33 + 32 * index)),
  );
  return holders.map((_, index) => {
    const [ether, ...held] = figures.slice(index * (tokens.length + 1));
    return { ether: ether!, tokens: held.slice(0, tokens.length) };
  });
}

function word(value: number): string {
  return value.toString(16).padStart(4, '0');
}
