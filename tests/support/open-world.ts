import {
  type CustomTransport,
  createPublicClient,
  custom,
  type Hex,
  type PublicClient,
} from 'viem';
import { mainnet } from 'viem/chains';
import { type BuiltDevchain, buildDevchain } from '../../src/devchain/build-devchain.ts';
import { describeDeployment } from '../../src/devchain/describe-deployment.ts';
import { uniswapDeployment } from '../../src/devchain/known-exchanges.ts';
import type { ChainReader } from '../../src/swap/chain/chain-reader.ts';
import { defineDeployment } from '../../src/swap/deployments/define-deployment.ts';
import type { ChainDeployment } from '../../src/swap/deployments/deployment.ts';
import { type Address, parseAddress } from '../../src/swap/model.ts';
import { openChainReader } from './chain-reader.ts';
import { createFakeClock } from './fake-clock.ts';
import { openRpcServer, type RpcServer } from './rpc-server.ts';

/** The tokens and pools of the development chain on a chain of another id, behind HTTP. */
export type World = BuiltDevchain & {
  readonly server: RpcServer;
  readonly reader: ChainReader;
  readonly client: PublicClient<CustomTransport, typeof mainnet>;
  readonly deployment: ChainDeployment;
  token(symbol: string): Address;
  /** Takes Multicall3 off the chain for good; pools cannot be added afterwards. */
  removeMulticall3(): Promise<void>;
  close(): Promise<void>;
};

/**
 * `deployments` are put on the chain by CREATE2, as the executor is. With `isPatient` the reader never gives up on the
 * node.
 */
export async function openWorld({
  deployments = [],
  isPatient = false,
}: {
  deployments?: readonly Hex[];
  isPatient?: boolean;
} = {}): Promise<World> {
  const built = await buildDevchain({ chainId: 1, deployments });
  const { evm, tokens } = built;
  const server = await openRpcServer(evm);
  const { reader, close } = openChainReader({
    urls: [server.url],
    // On a fake clock the reader gives up no endpoint, however busy the machine is.
    ...(isPatient ? { clock: createFakeClock(Date.now()) } : {}),
  });
  const described = describeDeployment({ chainId: 1, ...built });
  const source = 'src/devchain';
  return {
    ...built,
    server,
    reader,
    client: createPublicClient({ chain: mainnet, transport: custom(evm) }),
    deployment: defineDeployment({
      ...described,
      rpcUrls: [server.url],
      exchanges: described.exchanges.map((exchange) => ({ ...exchange, source })),
      routers: described.routers.map((router) => ({ ...router, source })),
      source,
    }),
    token(symbol) {
      const found = tokens.find((token) => token.symbol === symbol);
      if (found === undefined) throw new Error(`There is no ${symbol} on the development chain.`);
      return parseAddress(found.address);
    },
    async removeMulticall3() {
      const { multicall3 } = uniswapDeployment;
      await evm.request({ method: 'hardhat_setCode', params: [multicall3, '0x'] });
    },
    async close() {
      await close();
      await server.close();
      evm.close();
    },
  };
}
