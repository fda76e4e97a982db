import { apeChain } from './chains/apechain.ts';
import { arbitrum } from './chains/arbitrum.ts';
import { arbitrumNova } from './chains/arbitrum-nova.ts';
import { avalanche } from './chains/avalanche.ts';
import { base } from './chains/base.ts';
import { berachain } from './chains/berachain.ts';
import { bittorrent } from './chains/bittorrent.ts';
import { blast } from './chains/blast.ts';
import { bnb } from './chains/bnb.ts';
import { boba } from './chains/boba.ts';
import { bobaBnb } from './chains/boba-bnb.ts';
import { celo } from './chains/celo.ts';
import { core } from './chains/core.ts';
import { cronos } from './chains/cronos.ts';
import { ethereum } from './chains/ethereum.ts';
import { fantom } from './chains/fantom.ts';
import { filecoin } from './chains/filecoin.ts';
import { gnosis } from './chains/gnosis.ts';
import { haqq } from './chains/haqq.ts';
import { harmony } from './chains/harmony.ts';
import { hemi } from './chains/hemi.ts';
import { hyperevm } from './chains/hyperevm.ts';
import { katana } from './chains/katana.ts';
import { kava } from './chains/kava.ts';
import { linea } from './chains/linea.ts';
import { manta } from './chains/manta.ts';
import { mantle } from './chains/mantle.ts';
import { megaeth } from './chains/megaeth.ts';
import { metis } from './chains/metis.ts';
import { mode } from './chains/mode.ts';
import { monad } from './chains/monad.ts';
import { optimism } from './chains/optimism.ts';
import { plasma } from './chains/plasma.ts';
import { polygon } from './chains/polygon.ts';
import { polygonZkevm } from './chains/polygon-zkevm.ts';
import { rootstock } from './chains/rootstock.ts';
import { scroll } from './chains/scroll.ts';
import { skaleEuropa } from './chains/skale-europa.ts';
import { sonic } from './chains/sonic.ts';
import { taiko } from './chains/taiko.ts';
import { tatara } from './chains/tatara.ts';
import { thundercore } from './chains/thundercore.ts';
import { xLayer } from './chains/x-layer.ts';
import { zetachain } from './chains/zetachain.ts';
import { zkLinkNova } from './chains/zklink-nova.ts';
import { zksync } from './chains/zksync.ts';
import type { ChainDeployment } from './deployment.ts';

/** Every public chain this server knows deployments of, the most traded first. */
export const publicDeployments: readonly ChainDeployment[] = [
  ethereum,
  arbitrum,
  base,
  optimism,
  polygon,
  bnb,
  avalanche,
  fantom,
  gnosis,
  linea,
  scroll,
  blast,
  mantle,
  mode,
  sonic,
  berachain,
  monad,
  megaeth,
  manta,
  taiko,
  zksync,
  polygonZkevm,
  arbitrumNova,
  celo,
  cronos,
  kava,
  metis,
  filecoin,
  core,
  boba,
  bobaBnb,
  bittorrent,
  haqq,
  harmony,
  thundercore,
  zetachain,
  skaleEuropa,
  rootstock,
  hemi,
  tatara,
  katana,
  hyperevm,
  plasma,
  xLayer,
  apeChain,
  zkLinkNova,
];
