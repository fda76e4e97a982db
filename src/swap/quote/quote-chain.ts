import type { ChainReader } from '../chain/chain-reader.ts';
import type { ChainDeployment } from '../deployments/deployment.ts';
import type { PermitFinder } from '../transaction/permit-finder.ts';
import type { Market, MarketOptions } from './market/market.ts';
import type { RouteChooser } from './search/create-route-chooser.ts';

/** A chain as the quote uses it. */
export type QuoteChain = {
  /** Has the executor among its routers once the reading of a market has found it. */
  readonly deployment: ChainDeployment;
  /** Call it when the code of the executor was not there after all. */
  forgetExecutor(): void;
  readonly reader: Pick<ChainReader, 'call' | 'callWithHead' | 'latestBlock'>;
  /** The market of the newest block, or of the newest block in memory. */
  readMarket(options: MarketOptions): Promise<Market>;
  /** The best route for a search over such a market. */
  readonly chooseRoute: RouteChooser;
  readonly findPermit: PermitFinder;
  rpcUrls(): readonly string[];
};
