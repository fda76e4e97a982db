import {
  type Address,
  encodeAbiParameters,
  getAddress,
  type Hex,
  keccak256,
  parseAbiParameters,
  slice,
  stringToHex,
} from 'viem';
import { compiledContracts } from '../contracts/compiled-contracts.ts';
import type { Evm } from '../evm/open-evm.ts';

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

export type TokenOptions = {
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
