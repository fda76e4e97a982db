import { createRequire } from 'node:module';
import {
  concat,
  encodeAbiParameters,
  encodeDeployData,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  maxUint256,
  numberToHex,
  parseAbi,
  parseAbiParameters,
} from 'viem';
import type { Evm } from '../../src/devchain/evm/open-evm.ts';
import { sendTransaction } from '../../src/devchain/evm/transactions.ts';
import { uniswapDeployment as at, moreExchanges } from '../../src/devchain/known-exchanges.ts';
import type { Address } from '../../src/swap/model.ts';
import { permit2Address } from '../../src/swap/permit.ts';
import type { Hop, Path } from '../../src/swap/swap-order.ts';

const initCodeHashes = {
  pair: '0x96e8ac4277198ff8b6f785478aa9a39f403cb768dd02cbee326c3e7da348845f',
  pool: '0xe34f199b19b2b4f47f68442619d555527d244f78a3297ea89325f843f87b8b54',
} as const;

const constructorAbi = parseAbi([
  'struct Parameters { address permit2; address weth9; address v2Factory; address v3Factory; bytes32 pairInitCodeHash; bytes32 poolInitCodeHash; address v4PoolManager; address v3NFTPositionManager; address v4PositionManager; address spokePool; }',
  'constructor(Parameters parameters)',
]);

/** Deploys Uniswap's UniversalRouter from its own package. Unused contracts (positions, bridges) get a dummy address. */
export async function deployUniversalRouter(evm: Evm, from: Address): Promise<Address> {
  // The package has no types.
  const { bytecode } = createRequire(import.meta.url)(
    '@uniswap/universal-router/artifacts/contracts/UniversalRouter.sol/UniversalRouter.json',
  ) as { bytecode: Hex };
  const nowhere = numberToHex(1, { size: 20 });
  const parameters = {
    permit2: permit2Address,
    weth9: at.wrappedNative,
    v2Factory: at.constantProductFactory,
    v3Factory: at.concentratedFactory,
    pairInitCodeHash: initCodeHashes.pair,
    poolInitCodeHash: initCodeHashes.pool,
    v4PoolManager: moreExchanges.poolManager,
    v3NFTPositionManager: nowhere,
    v4PositionManager: nowhere,
    spokePool: nowhere,
  };
  const data = encodeDeployData({ abi: constructorAbi, bytecode, args: [parameters] });
  const { contractAddress } = await sendTransaction(evm, { from, data });
  return contractAddress as Address; // a deployment has one
}

const command = { v3: 0x00, sweep: 0x04, v2: 0x08, wrap: 0x0b };
const caller = numberToHex(1, { size: 20 });
const router = numberToHex(2, { size: 20 });
/** All that the router holds of the token. */
const allOfIt = 1n << 255n;

/** Lets the router take a token of the sender through Permit2, as it takes all tokens. */
export async function allowUniversalRouter(
  evm: Evm,
  { from, token, spender }: { from: Address; token: Address; spender: Address },
): Promise<void> {
  const approve = encodeFunctionData({
    abi: erc20Abi,
    functionName: 'approve',
    args: [permit2Address, maxUint256],
  });
  await sendTransaction(evm, { from, to: token, data: approve });
  const allow = encodeFunctionData({
    abi: parseAbi([
      'function approve(address token, address spender, uint160 amount, uint48 expiration)',
    ]),
    args: [token, spender, (1n << 160n) - 1n, 2 ** 48 - 1],
  });
  await sendTransaction(evm, { from, to: permit2Address, data: allow });
}

/**
 * A call that swaps an input over these paths. The router wraps a native input and takes any other through Permit2. It swaps
 * path by path. With several paths it sweeps the output to the caller, with one minimum for all.
 */
export function encodeForUniversalRouter(
  paths: readonly Path[],
  { tokenOut, isNative }: { tokenOut: Address; isNative: boolean },
) {
  const total = paths.reduce((sum, { amountIn }) => sum + amountIn, 0n);
  const value = isNative ? total : 0n;
  const last = paths.length === 1 ? caller : router;
  const isUserPaying = !isNative;
  const steps = [
    ...(isNative
      ? [{ command: command.wrap, input: encode('address, uint256', [router, value]) }]
      : []),
    ...paths.flatMap(({ hops, amountIn }) => encodePath(hops, { amountIn, last, isUserPaying })),
    ...(paths.length === 1
      ? []
      : [
          {
            command: command.sweep,
            input: encode('address, address, uint256', [tokenOut, caller, 1n]),
          },
        ]),
  ];
  const data = encodeFunctionData({
    abi: parseAbi(['function execute(bytes commands, bytes[] inputs, uint256 deadline) payable']),
    args: [
      concat(steps.map((step) => numberToHex(step.command, { size: 1 }))),
      steps.map(({ input }) => input),
      0xffff_ffffn,
    ],
  });
  return { value, data };
}

/** Consecutive hops of the same version are one command. */
function encodePath(
  hops: readonly Hop[],
  { amountIn, last, isUserPaying }: { amountIn: bigint; last: Hex; isUserPaying: boolean },
): { command: number; input: Hex }[] {
  const runs: Hop[][] = [];
  for (const hop of hops) {
    const run = runs.at(-1);
    if (run?.[0]?.leg?.version === hop.leg?.version) run?.push(hop);
    else runs.push([hop]);
  }
  return runs.map((run, index) => {
    const recipient = index === runs.length - 1 ? last : router;
    const amount = index === 0 ? amountIn : allOfIt;
    const isPaid = isUserPaying && index === 0;
    const tokens: Hex[] = [run[0]?.tokenIn ?? '0x', ...run.map(({ tokenOut }) => tokenOut)];
    if (run[0]?.leg?.version === 2) {
      const values = [recipient, amount, 1n, tokens, isPaid];
      return {
        command: command.v2,
        input: encode('address, uint256, uint256, address[], bool', values),
      };
    }
    const path = concat(
      run.flatMap(({ tokenIn, leg }) => [
        tokenIn,
        numberToHex(leg?.version === 3 ? leg.fee : 0, { size: 3 }),
      ]),
    );
    const whole = concat([path, tokens.at(-1) ?? '0x']);
    const values = [recipient, amount, 1n, whole, isPaid];
    return { command: command.v3, input: encode('address, uint256, uint256, bytes, bool', values) };
  });
}

function encode(types: string, values: readonly unknown[]): Hex {
  return encodeAbiParameters(parseAbiParameters(types), values as never);
}
