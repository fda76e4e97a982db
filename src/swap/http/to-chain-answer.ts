import type { z } from 'zod';
import type { ListedChain } from '../swap-use-cases.ts';
import { type chain, mostRpcUrls } from './operations/answer-schemas.ts';

export type ChainAnswer = z.input<typeof chain>;

/** Writes a served chain as `/v1/chains` shows it. */
export function toChainAnswer(served: ListedChain): ChainAnswer {
  const { chainId, name, nativeCurrency, rpcUrls, routers, exchanges } = served;
  return {
    chainId,
    name,
    nativeCurrency,
    rpcUrls: rpcUrls.slice(0, mostRpcUrls),
    routers: routers.map(({ kind, address, exchanges: reached }) => ({
      kind,
      address,
      dexes: [...reached],
    })),
    dexes: exchanges.map(({ name: exchange, kind, factory, provenBy }) => ({
      id: exchange,
      name: exchange,
      kind,
      factory,
      provenBy: provenBy ?? 'contracts',
    })),
  };
}
