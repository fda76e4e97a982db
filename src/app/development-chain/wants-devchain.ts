import { developmentChainId } from '../../swap/index.ts';
import type { ComposeOptions } from '../compose-options.ts';

/** Whether this process shall build the development chain. */
export function wantsDevchain({ config, isLoopback, publicUrl }: ComposeOptions): boolean {
  const { services, devchain } = config.server;
  const isChosen = config.swap.chains?.includes(developmentChainId) ?? true;
  // Wallets and this server call the chain over plain HTTP, which others must not reach.
  const isReachable = isLoopback && publicUrl.protocol === 'http:';
  return services.includes('swap') && devchain === 'auto' && isChosen && isReachable;
}
