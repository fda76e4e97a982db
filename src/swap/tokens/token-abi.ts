import { parseAbi, toFunctionSelector } from 'viem/utils';

/** The functions of ERC-20 that are called here. */
export const tokenAbi = parseAbi([
  'function allowance(address owner, address spender) view returns (uint256)',
  'function approve(address spender, uint256 amount) returns (bool)',
  'function balanceOf(address account) view returns (uint256)',
  'function decimals() view returns (uint8)',
  'function name() view returns (string)',
  'function symbol() view returns (string)',
  'function totalSupply() view returns (uint256)',
]);

const [allowance, approve] = tokenAbi;

/** What every quote calls, with selectors that are hashed once instead of for every call. */
export const allowanceFunction = {
  abi: [allowance],
  functionName: toFunctionSelector(allowance),
} as const;
export const approveFunction = {
  abi: [approve],
  functionName: toFunctionSelector(approve),
} as const;
