import type { Hex } from 'viem';
import { numberToHex } from 'viem/utils';
import type { BlockReference, Call } from '../../chain-reader.ts';
import type { RpcRequest } from './rpc-message.ts';

/** How a request names its block: by hash (EIP-1898), or by number if a node accepts no hashes. */
export type BlockParameter = Hex | { readonly blockHash: Hex; readonly requireCanonical: true };

export function blockParameter(block: BlockReference, byHash: boolean): BlockParameter {
  return byHash ? { blockHash: block.hash, requireCanonical: true } : numberToHex(block.number);
}

/** `eth_call`, with the third parameter only where there is something to override. */
export function writeCall(call: Call, block: BlockParameter): RpcRequest {
  const { from, to, data, value, gas, overrides } = call;
  const transaction = {
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
    ...(value === undefined ? {} : { value: numberToHex(value) }),
    ...(gas === undefined ? {} : { gas: numberToHex(gas) }),
    data,
  };
  const params: unknown[] = [transaction, block];
  if (overrides !== undefined) params.push(writeOverrides(overrides));
  return { method: 'eth_call', params };
}

function writeOverrides(overrides: NonNullable<Call['overrides']>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(overrides).map(([address, { balance, code, slots }]) => [
      address,
      {
        ...(balance === undefined ? {} : { balance: numberToHex(balance) }),
        ...(code === undefined ? {} : { code }),
        ...(slots === undefined ? {} : { stateDiff: slots }),
      },
    ]),
  );
}
