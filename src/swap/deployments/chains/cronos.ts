import { defineDeployment, source } from '../define-deployment.ts';

export const cronos = defineDeployment({
  chainId: 25,
  name: 'Cronos Mainnet',
  nativeCurrency: { name: 'Cronos', symbol: 'CRO', decimals: 18 },
  wrappedNative: '0x5C7F8A570d578ED84E63fdFA7b1eE72dEae1AE23',
  baseTokens: [
    '0x5C7F8A570d578ED84E63fdFA7b1eE72dEae1AE23', // WCRO
    '0xe44Fd7fCb2b1581822D0c862B68222998a0c299a', // WETH
    '0xc21223249CA28397B4B6541dfFaEcC539BfF0c59', // USDC
    '0x062E66477Faf219F25D27dCED647BF57C3107d52', // WBTC
  ],
  rpcUrls: ['https://evm.cronos.org'],
  exchanges: [
    {
      name: 'vvs-v2',
      kind: 'constant-product',
      factory: '0x3B44B2a187a7b3824131F8db5a74194D0a42Fc15',
      feeNumerator: 997,
      feeDenominator: 1000,
      initCodeHash: '0xa77ee1cc0f39570ddde947459e293d7ebc2c30ff4e8fc45860afdcb2c2d3dc17',
      source: source.cronosExplorer,
    },
  ],
  routers: [
    {
      kind: 'v2-router',
      address: '0x145863Eb42Cf62847A6Ca784e6416C1682b1b2Ae',
      exchanges: ['vvs-v2'],
      source: source.cronosExplorer,
    },
  ],
  source: source.viemAndSushi,
});
