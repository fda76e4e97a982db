import { type Clock, systemClock } from '../kernel/wait/clock.ts';
import { createShares } from '../kernel/wait/shares.ts';
import { type DevchainDeployment, describeDeployment } from './describe-deployment.ts';
import { type TestAccount, testAccounts } from './evm/test-accounts.ts';
import type { HostEnded } from './hosting/open-host.ts';
import { openHostedEvm } from './hosting/open-hosted-evm.ts';
import { admitRequest } from './json-rpc/admit-request.ts';
import { serveJsonRpc } from './json-rpc/serve-json-rpc.ts';
import { devchainLimits } from './limits.ts';

/** The id that development chains share by custom, and no public chain has. */
const devchainId = 31337;

export type RpcCaller = {
  readonly isForeignPage: boolean;
  /** Callers take turns, and have a share each of the calls that may wait. Left out where there is one only. */
  readonly caller?: string;
};

export type Devchain = {
  readonly deployment: DevchainDeployment;
  /** Unlocked, with ether and every token; their keys are public knowledge. */
  readonly accounts: readonly TestAccount[];
  /** One call as in EIP-1193; rejects with an error that has the JSON-RPC `code` and `data`. */
  request(call: { method: string; params?: unknown }): Promise<unknown>;
  /**
   * JSON-RPC over HTTP, batches included, for wallets and scripts. Any program that reaches it may drive the chain, also by
   * `evm_*` and `hardhat_*`, since people test with them. A web page of another origin may only read. Mount it only where every
   * program may drive the chain.
   */
  handleRpc(request: Request, options: RpcCaller): Promise<Response>;
  close(): void;
};

/**
 * Starts the development chain in a process of its own, fresh each time: Uniswap V2 and V3 at their mainnet addresses, Uniswap
 * V4, PancakeSwap V3, Algebra, Solidly, Curve and a vault, tokens of every kind, pools with liquidity, and ten test accounts that
 * hold all of the tokens. The packages that it runs on are loaded in that process only.
 *
 * Throws a `DevchainError` with `DEVCHAIN_UNAVAILABLE` where those packages are not installed, and the
 * signal's reason when it fires before the chain is ready.
 */
export async function startDevchain({
  deployments = [],
  signal,
  clock = systemClock,
  onEnded,
}: {
  /** Salt and creation code of each further contract, for the public CREATE2 deployer. */
  deployments?: readonly `0x${string}`[];
  signal?: AbortSignal;
  clock?: Clock;
  /** Called when the process of the chain has ended unasked; it is being built again. */
  onEnded?: (reason: HostEnded) => void;
} = {}): Promise<Devchain> {
  const wanted = { chainId: devchainId, deployments, withOthers: true };
  const { evm, built } = await openHostedEvm({ wanted, clock, signal, onEnded });
  const { answersHeld, answersHeldEach } = devchainLimits;
  const room = createShares({ each: answersHeldEach.value, all: answersHeld.value });
  return {
    deployment: describeDeployment({ chainId: devchainId, ...built }),
    accounts: testAccounts,
    request: evm.request,
    handleRpc: (request, { isForeignPage, caller }) =>
      serveJsonRpc(request, {
        isForeignPage,
        full: () => evm.full(caller),
        takeRoom: (characters) => room.take(caller ?? '', characters),
        handle: (text, signal, keep) =>
          evm.handle(text, {
            admit: (call) => admitRequest(call, isForeignPage),
            ...{ signal, caller, keep },
          }),
      }),
    close: evm.close,
  };
}
