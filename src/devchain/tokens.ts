import {
  type Address,
  encodeAbiParameters,
  encodeFunctionData,
  getAddress,
  type Hex,
  isAddressEqual,
  keccak256,
  parseAbi,
  parseAbiParameters,
  slice,
  stringToHex,
} from 'viem';
import { compiledContracts } from './contracts/compiled-contracts.ts';
import type { Evm } from './evm/open-evm.ts';
import { type Call, sendBatch } from './evm/transactions.ts';
import { uniswapDeployment } from './known-exchanges.ts';

export type Token = {
  readonly address: Address;
  readonly name: string;
  readonly symbol: string;
  readonly decimals: number;
};

/** How a token departs from ERC-20; the contracts folder says what each kind does. */
export type TokenKind =
  | 'ordinary'
  | 'permitted'
  | 'taxed'
  | 'no-return'
  | 'bytes32-metadata'
  | 'failing';

type TokenOptions = {
  name: string;
  /** At most 32 bytes, like the name. */
  symbol: string;
  decimals: number;
  kind?: TokenKind;
  /** What a taxed token keeps of each transfer, in basis points. */
  taxBps?: number;
  /** The address of the token; by default it follows from the symbol. */
  address?: Address;
};

const creationCode = {
  ordinary: compiledContracts.OrdinaryToken,
  permitted: compiledContracts.PermittedToken,
  taxed: compiledContracts.TaxedToken,
  'no-return': compiledContracts.NoReturnToken,
  'bytes32-metadata': compiledContracts.Bytes32MetadataToken,
  failing: compiledContracts.FailingToken,
} as const satisfies Record<TokenKind, Hex>;

const constructorParameters = parseAbiParameters('bytes32 name, bytes32 symbol, uint8 decimals');

/**
 * Places a token without supply on the chain; `giveTokens` mints it. Replaces whatever is at the
 * address already, without a check.
 */
export async function createToken(evm: Evm, options: TokenOptions): Promise<Token> {
  const { name, symbol, decimals, kind = 'ordinary', taxBps = 0 } = options;
  const address = getAddress(options.address ?? slice(keccak256(stringToHex(symbol)), 12));
  const args = encodeAbiParameters(constructorParameters, [
    stringToHex(name, { size: 32 }),
    stringToHex(symbol, { size: 32 }),
    decimals,
  ]);
  const tax = encodeAbiParameters(parseAbiParameters('uint256'), [BigInt(taxBps)]);
  const data = `${creationCode[kind]}${args.slice(2)}${tax.slice(2)}`;
  // A call of creation code returns the code that it would have deployed.
  const code = await evm.request({ method: 'eth_call', params: [{ data }, 'latest'] });
  await evm.request({ method: 'hardhat_setCode', params: [address, code] });
  return { address, name, symbol, decimals };
}

type Gift = {
  /** One made by `createToken`, or wrapped ether. */
  readonly token: Address;
  readonly holders: readonly Address[];
  /** What each holder gets. */
  readonly amount: bigint;
};

const abi = parseAbi([
  'function mint(address to, uint256 value)',
  'function deposit() payable',
  'function transfer(address to, uint256 value) returns (bool)',
]);

/** Gives tokens to each holder, newly minted or wrapped, in one transaction. */
export async function giveTokens(evm: Evm, gift: Gift): Promise<void> {
  await sendBatch(evm, giftCalls(gift));
}

/** The calls of `giveTokens`, for a batch that does more. */
export function giftCalls({ token, holders, amount }: Gift): Call[] {
  const isWrapped = isAddressEqual(token, uniswapDeployment.wrappedNative);
  const calls = holders.map((holder) => ({
    to: token,
    data: encodeFunctionData({
      abi,
      functionName: isWrapped ? 'transfer' : 'mint',
      args: [holder, amount],
    }),
  }));
  if (!isWrapped) return calls;
  const value = amount * BigInt(holders.length);
  return [
    { to: token, data: encodeFunctionData({ abi, functionName: 'deposit' }), value },
    ...calls,
  ];
}

/** A token of the development chain, and what its pools and its holders start from. */
export type DevchainToken = TokenOptions & {
  /** What one whole token is worth in the pools, in whole dollars. */
  readonly dollars: bigint;
  /** What each test account holds, in whole tokens. */
  readonly grant: bigint;
  /** Routes may pass through it. */
  readonly isBase?: true;
};

/** Well-known tokens at their mainnet addresses, then one of each oddity under a telling name. */
export const devchainTokens = [
  {
    symbol: 'WETH',
    name: 'Wrapped Ether',
    decimals: 18,
    address: uniswapDeployment.wrappedNative,
    dollars: 3_000n,
    grant: 100n,
    isBase: true,
  },
  {
    symbol: 'USDC',
    name: 'USD Coin',
    decimals: 6,
    kind: 'permitted',
    address: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
    dollars: 1n,
    grant: 1_000_000n,
    isBase: true,
  },
  {
    symbol: 'USDT',
    name: 'Tether USD',
    decimals: 6,
    kind: 'no-return',
    address: '0xdAC17F958D2ee523a2206206994597C13D831ec7',
    dollars: 1n,
    grant: 1_000_000n,
    isBase: true,
  },
  {
    symbol: 'DAI',
    name: 'Dai Stablecoin',
    decimals: 18,
    address: '0x6B175474E89094C44Da98b954EedeAC495271d0F',
    dollars: 1n,
    grant: 1_000_000n,
    isBase: true,
  },
  {
    symbol: 'WBTC',
    name: 'Wrapped BTC',
    decimals: 8,
    address: '0x2260FAC5E5542a773Aa44fBCfeDf7C193bc2C599',
    dollars: 60_000n,
    grant: 10n,
    isBase: true,
  },
  {
    symbol: 'UNI',
    name: 'Uniswap',
    decimals: 18,
    address: '0x1f9840a85d5aF5bf1D1762F925BDADdC4201F984',
    dollars: 8n,
    grant: 100_000n,
  },
  {
    symbol: 'MKR',
    name: 'Maker',
    decimals: 18,
    kind: 'bytes32-metadata',
    address: '0x9f8F72aA9304c8B593d555F12eF6589cC3A579A2',
    dollars: 1_500n,
    grant: 1_000n,
  },
  {
    symbol: 'TAX',
    name: 'Taxed Token',
    decimals: 18,
    kind: 'taxed',
    taxBps: 200,
    dollars: 1n,
    grant: 1_000_000n,
  },
  {
    symbol: 'FROZEN',
    name: 'Frozen Token',
    decimals: 18,
    kind: 'failing',
    dollars: 1n,
    grant: 1_000_000n,
  },
  { symbol: 'SCARCE', name: 'Scarce Token', decimals: 18, dollars: 10n, grant: 1_000_000n },
  { symbol: 'LONELY', name: 'Lonely Token', decimals: 18, dollars: 1n, grant: 1_000_000n },
] as const satisfies readonly DevchainToken[];

export type DevchainSymbol = (typeof devchainTokens)[number]['symbol'];
