import {
  type Address,
  encodeAbiParameters,
  encodeFunctionData,
  getCreate2Address,
  type Hex,
  keccak256,
  parseAbi,
  parseAbiParameters,
  stringToHex,
} from 'viem';
import { encodePacked } from 'viem/utils';
import { compiledContracts } from '../contracts/compiled-contracts.ts';
import type { Evm } from '../evm/open-evm.ts';
import { testAccounts } from '../evm/test-accounts.ts';
import {
  deployContract,
  liquidityProvider,
  sendBatch,
  sendTransaction,
} from '../evm/transactions.ts';
import { giftCalls, type Token } from '../tokens.ts';
import { sortTokens } from './add-constant-product-pool.ts';

export type SolidlyPair = {
  /** In any order; `reserves` are in the same. */
  readonly tokens: readonly [Address, Address];
  readonly reserves: readonly [bigint, bigint];
  readonly isStable: boolean;
};

export type Solidly = { readonly factory: Address; readonly initCodeHash: Hex };

const solidlyAbi = parseAbi([
  'function createPair(address tokenA, address tokenB, bool isStable) returns (address)',
  'function sync()',
]);

/** Hash of the creation code of a pair, from which its address is derived. */
const initCodeHash = keccak256(compiledContracts.SolidlyPair);

/** Deploys a Solidly factory, a small contract of our own, with these pairs. */
export async function addSolidlyPools(evm: Evm, pairs: readonly SolidlyPair[]): Promise<Solidly> {
  const factory = await deployContract(evm, compiledContracts.SolidlyFactory);
  for (const { tokens, reserves, isStable } of pairs) {
    const pair = getCreate2Address({
      from: factory,
      salt: keccak256(
        encodePacked(['address', 'address', 'bool'], [...sortTokens(...tokens), isStable]),
      ),
      bytecodeHash: initCodeHash,
    });
    const create = {
      abi: solidlyAbi,
      functionName: 'createPair',
      args: [...tokens, isStable],
    } as const;
    await sendBatch(evm, [
      { to: factory, data: encodeFunctionData(create) },
      ...giftCalls({ token: tokens[0], holders: [pair], amount: reserves[0] }),
      ...giftCalls({ token: tokens[1], holders: [pair], amount: reserves[1] }),
      { to: pair, data: encodeFunctionData({ abi: solidlyAbi, functionName: 'sync' }) },
    ]);
  }
  return { factory, initCodeHash };
}

const stableSwapAbi = parseAbi(['function add_liquidity()']);
const stableSwapParameters = parseAbiParameters(
  'address[3] coins, uint256 amplification, uint256 fee, uint256 adminFee',
);

/** Of the output, in 10⁻¹⁰: 0.02%. Half of it leaves the balances. */
const stableSwapFee = 2_000_000n;
const stableSwapAdminFee = 5_000_000_000n;

/** Deploys a pool like the first ones of Curve, a contract of our own, and returns its address. */
export async function addStableSwapPool(
  evm: Evm,
  {
    coins,
    amount,
  }: {
    readonly coins: readonly [Token, Token, Token];
    /** Whole coins of each. */
    readonly amount: bigint;
  },
): Promise<Address> {
  const addresses = [coins[0].address, coins[1].address, coins[2].address] as const;
  const args = encodeAbiParameters(stableSwapParameters, [
    addresses,
    200n,
    stableSwapFee,
    stableSwapAdminFee,
  ]);
  const pool = await deployContract(
    evm,
    `${compiledContracts.StableSwapPool}${args.slice(2)}` as `0x${string}`,
  );
  await sendBatch(evm, [
    ...coins.flatMap(({ address, decimals }) =>
      giftCalls({ token: address, holders: [pool], amount: amount * 10n ** BigInt(decimals) }),
    ),
    { to: pool, data: encodeFunctionData({ abi: stableSwapAbi }) },
  ]);
  return pool;
}

const vaultAbi = parseAbi([
  'function approve(address spender, uint256 value)',
  'function deposit(uint256 assets, address receiver) returns (uint256 shares)',
]);
const vaultParameters = parseAbiParameters(
  'bytes32 name, bytes32 symbol, uint8 decimals, address asset',
);

/**
 * Deploys a vault of ERC-4626, a contract of our own. The liquidity provider and all test accounts have deposits
 * in it, and it has earned a tenth of them since. The asset must be an ordinary token of `createToken`.
 */
export async function addVault(
  evm: Evm,
  { asset, deposit, ...vault }: Token & { readonly asset: Token; readonly deposit: bigint },
): Promise<Token> {
  const { address, name, symbol, decimals } = vault;
  const args = encodeAbiParameters(vaultParameters, [
    stringToHex(name, { size: 32 }),
    stringToHex(symbol, { size: 32 }),
    decimals,
    asset.address,
  ]);
  const data = `${compiledContracts.SavingsVault}${args.slice(2)}`;
  // A call of creation code returns the code that it would have deployed.
  const code = await evm.request({ method: 'eth_call', params: [{ data }, 'latest'] });
  await evm.request({ method: 'hardhat_setCode', params: [address, code] });

  const receivers = [liquidityProvider, ...testAccounts.map((account) => account.address)];
  const amount = deposit * 10n ** BigInt(asset.decimals);
  const total = amount * BigInt(receivers.length);
  const give = (holder: Address, value: bigint) =>
    giftCalls({ token: asset.address, holders: [holder], amount: value });
  await sendBatch(evm, give(liquidityProvider, total));
  const approve = { abi: vaultAbi, functionName: 'approve', args: [address, total] } as const;
  await send(evm, asset.address, encodeFunctionData(approve));
  for (const receiver of receivers) {
    const paid = { abi: vaultAbi, functionName: 'deposit', args: [amount, receiver] } as const;
    await send(evm, address, encodeFunctionData(paid));
  }
  await sendBatch(evm, give(address, total / 10n));
  return { address, name, symbol, decimals };
}

function send(evm: Evm, to: Address, data: `0x${string}`) {
  return sendTransaction(evm, { from: liquidityProvider, to, data });
}
