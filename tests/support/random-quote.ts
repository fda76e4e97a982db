import { encodeFunctionData, erc20Abi, maxUint256, numberToHex } from 'viem';
import type { Evm } from '../../src/devchain/evm/open-evm.ts';
import { impersonate } from '../../src/devchain/evm/transactions.ts';
import type { Router } from '../../src/swap/deployments/deployment.ts';
import { type Address, nativeToken, parseAddress } from '../../src/swap/model.ts';
import type { Slippage } from '../../src/swap/quote/quote.ts';
import type { Dice } from './dice.ts';
import { fund, send } from './execute-quote.ts';
import { type MarketToken, type RandomMarket, unitsOf } from './random-market.ts';

/** How the sender has prepared before it asks for a quote. */
type Readiness = 'has nothing' | 'holds the token' | 'approved a little' | 'approved enough';

export type RandomRequest = {
  readonly tokenIn: Address;
  readonly tokenOut: Address;
  readonly amountIn: bigint;
  readonly maxSlippage: Slippage;
  readonly sender: Address;
  readonly readiness: Readiness;
  /** The contract behind `tokenIn`: wrapped ether where that is the native token. */
  readonly input: MarketToken;
  readonly output: MarketToken;
};

const readinesses: readonly Readiness[] = [
  'has nothing',
  'has nothing',
  'holds the token',
  'approved a little',
  'approved enough',
];

const slippages: readonly Slippage[] = [
  { numerator: 0n, denominator: 1n },
  { numerator: 1n, denominator: 1_000n },
  { numerator: 5n, denominator: 1_000n },
  { numerator: 1_234_567n, denominator: 10_000_000n },
];

/**
 * Any pair of a market's tokens, wrapping included. Half of the time ether takes the place of wrapped ether.
 * Amounts go from a single unit to far more than the market holds.
 */
export function drawRequest(market: RandomMarket, dice: Dice, number: number): RandomRequest {
  const input = dice.pick(market.tokens);
  const isWrapping = input === market.tokens[0] && dice.fraction() < 0.1;
  const output = isWrapping ? input : dice.pick(market.tokens.filter((token) => token !== input));
  const orEther = (token: MarketToken) =>
    token === market.tokens[0] && dice.fraction() < 0.5 ? nativeToken : token.address;
  const tokenIn = orEther(input);
  const wrapped = tokenIn === nativeToken ? input.address : nativeToken;
  return {
    input,
    output,
    tokenIn,
    tokenOut: isWrapping ? wrapped : orEther(output),
    amountIn: drawAmount(input, dice),
    maxSlippage: dice.pick(slippages),
    sender: parseAddress(numberToHex(0xacc0_0000_0000_0000n + BigInt(number), { size: 20 })),
    readiness: dice.pick(readinesses),
  };
}

function drawAmount(token: MarketToken, dice: Dice): bigint {
  const size = dice.fraction();
  if (size < 0.1) return BigInt(Math.ceil(dice.magnitude(1, 1_000)));
  return unitsOf(token, size < 0.9 ? dice.magnitude(0.01, 1e5) : dice.magnitude(1e5, 1e8));
}

/** Prepares the sender as the request's `readiness` says. */
export async function readySender(
  evm: Evm,
  { request, routers }: { request: RandomRequest; routers: readonly Router[] },
): Promise<void> {
  const { tokenIn, amountIn, sender, readiness } = request;
  if (readiness === 'has nothing' || tokenIn === nativeToken) return;
  await impersonate(evm, sender);
  await fund(evm, { token: tokenIn, holder: sender, amount: amountIn });
  if (readiness === 'holds the token') return;
  const allowance = readiness === 'approved enough' ? maxUint256 : 1n;
  for (const { address } of routers) {
    const args = [address, allowance] as const;
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args });
    await send(evm, { from: sender, to: tokenIn, data, value: 0n });
  }
}
