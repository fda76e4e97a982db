import {
  type Address,
  decodeFunctionResult,
  encodeFunctionData,
  type Hex,
  numberToHex,
  parseAbi,
} from 'viem';
import { compileContract } from './compile-contract.ts';
import { type ExecutorWorld, payer, recipient, victim } from './open-executor-world.ts';

const abi = parseAbi([
  'struct Run { address executor; uint256 value; bytes program; }',
  'struct Look { address[] tokens; address[] holders; address[] spenders; }',
  'function runAll(Run[] runs, Look look) returns (uint256[][] outcomes)',
]);

export type Run = { readonly executor: Address; readonly value: bigint; readonly program: Hex };

/** What an account has: ether, and of each token in their order. */
type Holding = { readonly ether: bigint; readonly tokens: readonly bigint[] };

/** What a program left behind. */
export type Outcome = {
  readonly succeeded: boolean;
  readonly victim: Holding;
  readonly payer: Holding;
  readonly recipient: Holding;
  readonly executor: Holding;
  /** What the executor still allows to pools that take by allowance, all tokens and pools together. */
  readonly allowed: bigint;
  /** Whether the executor still believes that a program runs. */
  readonly isRunning: boolean;
};

/** Puts the code that runs programs at the payer's account, after which it sends no transactions of its own. */
export async function openProgramRunner({ evm, tokens, pools }: ExecutorWorld) {
  // Creation code, when called, answers the code that it would have left on the chain.
  const creation = { data: compileContract('ProgramPayer') };
  const code = await evm.request({ method: 'eth_call', params: [creation, 'latest'] });
  await evm.request({ method: 'hardhat_setCode', params: [payer, code] });
  // Those that take by allowance, and the manager of V4: reading those of every pool would take longer than the programs.
  const spenders = [
    ...new Set(pools.filter(({ kind }) => [2, 4, 5].includes(kind)).map(({ address }) => address)),
  ];
  const width = tokens.length + 1;

  /** Runs each program in the state as it is; no two of them see each other. One call may have one executor only. */
  async function run(
    executor: Address,
    runs: readonly Omit<Run, 'executor'>[],
  ): Promise<Outcome[]> {
    const holders = [victim, payer, recipient, executor];
    const args = [
      runs.map((one) => ({ ...one, executor })),
      { tokens, holders, spenders },
    ] as const;
    const data = encodeFunctionData({ abi, args });
    const call = { to: payer, data, gas: numberToHex(2n ** 40n) };
    const answer = await evm.request({ method: 'eth_call', params: [call, 'latest'] });
    return decodeFunctionResult({ abi, data: answer as Hex }).map((figures) => {
      const [succeeded, ...rest] = figures;
      const holding = (index: number): Holding => {
        const [ether, ...held] = rest.slice(index * width, (index + 1) * width);
        return { ether: ether!, tokens: held };
      };
      const allowances = rest.slice(holders.length * width, -1);
      return {
        succeeded: succeeded === 1n,
        victim: holding(0),
        payer: holding(1),
        recipient: holding(2),
        executor: holding(3),
        allowed: allowances.reduce((sum, allowed) => sum + allowed, 0n),
        isRunning: rest.at(-1) !== 0n,
      };
    });
  }
  return { run };
}
