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

/** The balances of an account: ether, and each token in order. */
type Holding = { readonly ether: bigint; readonly tokens: readonly bigint[] };

/** The state after a program. */
export type Outcome = {
  readonly succeeded: boolean;
  readonly victim: Holding;
  readonly payer: Holding;
  readonly recipient: Holding;
  readonly executor: Holding;
  /** The executor's remaining allowances to pools that take by allowance, summed over tokens and pools. */
  readonly allowed: bigint;
  /** Whether the executor still believes that a program runs. */
  readonly isRunning: boolean;
};

/** Puts the code that runs programs at the payer's account. From then on that account cannot send transactions itself. */
export async function openProgramRunner({ evm, tokens, pools }: ExecutorWorld) {
  // An `eth_call` of creation code returns the code that it would deploy.
  const creation = { data: compileContract('ProgramPayer') };
  const code = await evm.request({ method: 'eth_call', params: [creation, 'latest'] });
  await evm.request({ method: 'hardhat_setCode', params: [payer, code] });
  // Pools that take by allowance, and the V4 manager: reading the allowances of every pool would take longer than the programs.
  const spenders = [
    ...new Set(pools.filter(({ kind }) => [2, 4, 5].includes(kind)).map(({ address }) => address)),
  ];
  const width = tokens.length + 1;

  /** Runs each program on the current state, isolated from the others. All programs of a call have the same executor. */
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
