import {
  type Block,
  type CallOutcome,
  type ChainReader,
  readCalls,
} from '../chain/chain-reader.ts';
import { codeHashesCall, readCodeHashes } from '../chain/packed-calls.ts';
import type { ChainDeployment, Router } from '../deployments/deployment.ts';
import { executorBuilds } from './executor-builds.ts';

/** A chain's deployment, with the executor once it has been found there [Q23]. */
export type ExecutorFinder = {
  readonly deployment: ChainDeployment;
  /** Checks whether the executor is on the chain; sends nothing if that is known or checked lately. */
  look(block: Block, options: { readonly signal: AbortSignal }): Promise<void>;
  /** Call it when the code of the executor was not there after all. */
  forget(): void;
};

// Anyone may deploy the executor at any time, and an endpoint may be wrong about it [F67].
const askAgainAfterSeconds = 60n;

/** Deployed code never changes, so a chain with the executor is asked once. */
export function createExecutorFinder(
  deployment: ChainDeployment,
  reader: Pick<ChainReader, 'call'>,
): ExecutorFinder {
  let known = deployment;
  let askedAt: bigint | undefined;
  const isKnown = () => known.routers.some(({ kind }) => kind === 'tradewind');
  return {
    get deployment() {
      return known;
    },
    async look(block, { signal }) {
      const isRecent = askedAt !== undefined && block.timestamp < askedAt + askAgainAfterSeconds;
      if (isKnown() || isRecent) return;
      const call = codeHashesCall(executorBuilds.map(({ address }) => address));
      const decode = ([outcome]: readonly CallOutcome[]) => readCodeHashes(outcome) ?? [];
      const hashes = await readCalls(reader, [call], { block, signal, decode });
      askedAt = block.timestamp;
      const build = executorBuilds.find(({ codeHash }, index) => hashes[index] === codeHash);
      if (build !== undefined) known = withExecutor(deployment, build.address);
    },
    forget() {
      known = { ...known, routers: known.routers.filter(({ kind }) => kind !== 'tradewind') };
      askedAt = undefined;
    },
  };
}

function withExecutor(deployment: ChainDeployment, address: Router['address']): ChainDeployment {
  const exchanges = deployment.exchanges.map(({ name }) => name);
  const executor: Router = { kind: 'tradewind', address, exchanges, source: 'its code was read' };
  return { ...deployment, routers: [executor, ...deployment.routers] };
}
