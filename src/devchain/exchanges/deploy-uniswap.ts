import quoterV2 from '@uniswap/swap-router-contracts/artifacts/contracts/lens/QuoterV2.sol/QuoterV2.json' with {
  type: 'json',
};
import swapRouter02 from '@uniswap/swap-router-contracts/artifacts/contracts/SwapRouter02.sol/SwapRouter02.json' with {
  type: 'json',
};
import constantProductFactory from '@uniswap/v2-core/build/UniswapV2Factory.json' with {
  type: 'json',
};
import constantProductRouter from '@uniswap/v2-periphery/build/UniswapV2Router02.json' with {
  type: 'json',
};
import wrappedEther from '@uniswap/v2-periphery/build/WETH9.json' with { type: 'json' };
import concentratedFactory from '@uniswap/v3-core/artifacts/contracts/UniswapV3Factory.sol/UniswapV3Factory.json' with {
  type: 'json',
};
import tickLens from '@uniswap/v3-periphery/artifacts/contracts/lens/TickLens.sol/TickLens.json' with {
  type: 'json',
};
import positionManager from '@uniswap/v3-periphery/artifacts/contracts/NonfungiblePositionManager.sol/NonfungiblePositionManager.json' with {
  type: 'json',
};
import {
  type Address,
  encodeFunctionData,
  isAddressEqual,
  numberToHex,
  pad,
  parseAbi,
  zeroAddress,
} from 'viem';
import { compiledContracts } from '../contracts/compiled-contracts.ts';
import type { Evm } from '../evm/open-evm.ts';
import { impersonate, liquidityProvider, sendTransaction } from '../evm/transactions.ts';
import { uniswapDeployment as at } from '../known-exchanges.ts';

/** Who created the contracts on mainnet. With the same nonce, a contract gets the same address here. */
const deployers = {
  wrappedEther: '0x4F26FfBe5F04ED43630fdC30A87638d53D0b0876',
  multicall3: '0x05f32B3cC3888453ff71B01135B34FF8e41263F2',
  v2: '0x9C33eaCc2F50E39940D3AfaF2c7B8246B681A374',
  v3: '0x6C9FC64A53c1b71FB3f9Af64d1ae3A4931A5f4E9',
  /** The sender of a transaction that was signed without a key, so that anyone can send it on any chain. */
  create2Deployer: '0x3fAB184622Dc19b6109349B94811493BF2a45362',
} as const;

type Creation = {
  from: Address;
  nonce: number;
  /** In hex, with or without its prefix: the packages differ. */
  code: string;
  /** Every constructor here takes addresses only. */
  args?: readonly Address[];
  address: Address;
};

/** 69 bytes of hand-written code, the same on every chain. */
const create2DeployerCode =
  '0x604580600e600039806000f350fe7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe03601600081602082378035828234f58015156039578182fd5b8082525050506014600cf3';

// The position descriptor, which draws pictures of positions, is left out: hence the zero address.
const creations: readonly Creation[] = [
  {
    from: deployers.wrappedEther,
    nonce: 446,
    code: wrappedEther.bytecode,
    address: at.wrappedNative,
  },
  {
    from: deployers.multicall3,
    nonce: 0,
    code: compiledContracts.Multicall3,
    address: at.multicall3,
  },
  {
    from: deployers.v2,
    nonce: 0,
    code: constantProductFactory.bytecode,
    args: [deployers.v2],
    address: at.constantProductFactory,
  },
  {
    from: deployers.v2,
    nonce: 3,
    code: constantProductRouter.bytecode,
    args: [at.constantProductFactory, at.wrappedNative],
    address: at.constantProductRouter,
  },
  {
    from: deployers.v3,
    nonce: 0,
    code: concentratedFactory.bytecode,
    address: at.concentratedFactory,
  },
  { from: deployers.v3, nonce: 2, code: tickLens.bytecode, address: at.tickLens },
  {
    from: deployers.v3,
    nonce: 8,
    code: positionManager.bytecode,
    args: [at.concentratedFactory, at.wrappedNative, zeroAddress],
    address: at.positionManager,
  },
  {
    from: deployers.v3,
    nonce: 13,
    code: quoterV2.bytecode,
    args: [at.concentratedFactory, at.wrappedNative],
    address: at.quoterV2,
  },
  {
    from: deployers.v3,
    nonce: 14,
    code: swapRouter02.bytecode,
    args: [at.constantProductFactory, at.concentratedFactory, at.positionManager, at.wrappedNative],
    address: at.swapRouter02,
  },
  {
    from: deployers.create2Deployer,
    nonce: 0,
    code: create2DeployerCode,
    address: at.create2Deployer,
  },
];

/**
 * Puts Uniswap V2 and V3, SwapRouter02, the lenses, WETH, Multicall3 and the CREATE2 deployer on an empty chain of any id, at
 * their addresses on mainnet. The bytecode is the real one, from Uniswap's packages; only Multicall3 is
 * our own contract behind the same interface. Afterwards tokens and pools can be added.
 */
export async function deployUniswap(evm: Evm): Promise<void> {
  for (const account of [...Object.values(deployers), liquidityProvider]) {
    await impersonate(evm, account);
  }
  for (const creation of creations) await create(evm, creation);
  // The 0.01% tier came later on mainnet, by the factory's owner: here its deployer.
  await sendTransaction(evm, {
    from: deployers.v3,
    to: at.concentratedFactory,
    data: encodeFunctionData({
      abi: parseAbi(['function enableFeeAmount(uint24 fee, int24 tickSpacing)']),
      args: [100, 1],
    }),
  });
}

async function create(evm: Evm, { from, nonce, code, args = [], address }: Creation) {
  await evm.request({ method: 'hardhat_setNonce', params: [from, numberToHex(nonce)] });
  const words = args.map((argument) => pad(argument).slice(2));
  const receipt = await sendTransaction(evm, {
    from,
    data: `0x${code.replace(/^0x/, '')}${words.join('')}`,
  });
  if (!receipt.contractAddress || !isAddressEqual(receipt.contractAddress, address)) {
    throw new Error(
      `A contract meant for ${address} was deployed at ${receipt.contractAddress}: check its deployer and nonce.`,
    );
  }
}
