import { defineDeployment, exchangeFamily, source } from '../define-deployment.ts';

export const hyperevm = defineDeployment({
  chainId: 999,
  name: 'HyperEVM',
  nativeCurrency: { name: 'HYPE', symbol: 'HYPE', decimals: 18 },
  wrappedNative: '0x5555555555555555555555555555555555555555',
  baseTokens: [
    '0x5555555555555555555555555555555555555555', // WHYPE
    '0xb88339CB7199b77E23DB6E890353E22632Ba630f', // USDC
    '0xB8CE59FC3717ada4C02eaDF9682A9e934F625ebb', // USDT0
  ],
  rpcUrls: ['https://rpc.hyperliquid.xyz/evm'],
  exchanges: [
    {
      ...exchangeFamily.uniswapV3,
      factory: '0xf0db7b58379503491d857dB50AC9ece64c653918',
      source: source.uniswapContracts,
    },
    {
      ...exchangeFamily.uniswapV2,
      factory: '0x89e5DB8B5aA49aA85AC63f691524311AEB649eba',
      source: source.uniswapContracts,
    },
    {
      ...exchangeFamily.uniswapV3,
      name: 'hyperswap-v3',
      factory: '0xB1c0fa0B789320044A6F623cFe5eBda9562602E3',
      initCodeHash: '0xe3572921be1688dba92df30c6781b8770499ff274d20ae9b325f4242634774fb',
      source: source.symbiosisSdk,
    },
  ],
  routers: [
    {
      kind: 'swap-router-02',
      address: '0x7AdF4701AbCDBc5Dcf5Cb58B526f897e048F0D11',
      exchanges: ['uniswap-v2', 'uniswap-v3'],
      source: source.uniswapContracts,
    },
    {
      kind: 'swap-router-02',
      address: '0x6D99e7f6747AF2cDbB5164b6DD50e40D4fDe1e77',
      exchanges: ['hyperswap-v3'],
      source: source.symbiosisSdk,
    },
  ],
  source: source.viemAndSushi,
});
