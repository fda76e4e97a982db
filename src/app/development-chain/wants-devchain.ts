import { developmentChainId } from '../../swap/index.ts';
import type { ComposeOptions } from '../compose-options.ts';

/** Whether this process shall build the development chain. */
export function wantsDevchain({ config, isLoopback, publicUrl }: ComposeOptions): boolean {
  const { services, devchain } = config.server;
  const isChosen = config.swap.chains?.includes(developmentChainId) ?? true;
  // Wallets and this server itself reach it over plain HTTP, which it must not offer to others.
  const isReachable = isLoopback && publicUrl.protocol === 'http:';
  return services.includes('swap') && devchain === 'auto' && isChosen && isReachable;
}
