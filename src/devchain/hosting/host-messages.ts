import type { BuiltDevchain, buildDevchain } from '../build-devchain.ts';
import type { RpcRequest } from '../json-rpc/admit-request.ts';

/** What is known of a chain that was built, without the node itself. */
export type BuiltFacts = Omit<BuiltDevchain, 'evm'>;

/** The first message to the process: which chain to build. */
export type WantedChain = Pick<
  Parameters<typeof buildDevchain>[0],
  'chainId' | 'deployments' | 'withOthers'
>;

/** One request to the process of the chain. */
export type HostCall = { readonly id: number; readonly request: RpcRequest };

/** The messages from the process of the chain. */
export type HostMessage =
  | { readonly kind: 'built'; readonly built: BuiltFacts }
  /** Its packages cannot be loaded. */
  | { readonly kind: 'unavailable'; readonly reason: string }
  | { readonly kind: 'failed'; readonly reason: string }
  | { readonly kind: 'outcome'; readonly id: number; readonly outcome: string }
  /** It holds more memory than it may: of the calls under way, or of the chain itself. */
  | { readonly kind: 'full'; readonly of: 'calls' | 'chain' };
