/** Cheap, harmless methods of the chain: pages of every origin may call them. */
export const readingMethods: ReadonlySet<string> = new Set([
  'eth_accounts',
  'eth_blobBaseFee',
  'eth_blockNumber',
  'eth_chainId',
  'eth_coinbase',
  'eth_gasPrice',
  'eth_getBalance',
  'eth_getBlockByHash',
  'eth_getBlockByNumber',
  'eth_getBlockTransactionCountByHash',
  'eth_getBlockTransactionCountByNumber',
  'eth_getCode',
  'eth_getStorageAt',
  'eth_getTransactionByBlockHashAndIndex',
  'eth_getTransactionByBlockNumberAndIndex',
  'eth_getTransactionByHash',
  'eth_getTransactionCount',
  'eth_getTransactionReceipt',
  'eth_maxPriorityFeePerGas',
  'eth_syncing',
  'net_listening',
  'net_peerCount',
  'net_version',
  'web3_clientVersion',
]);

/**
 * Methods that compute, store or change something, for programs on this machine. Left out on purpose are
 * `hardhat_reset`, which makes the node call an address of the caller's choice, and `debug_*`, whose
 * answers have no bounded size.
 */
export const drivingMethods: ReadonlySet<string> = new Set([
  'eth_call',
  'eth_estimateGas',
  'eth_feeHistory',
  'eth_getFilterChanges',
  'eth_getFilterLogs',
  'eth_getLogs',
  'eth_newBlockFilter',
  'eth_newFilter',
  'eth_newPendingTransactionFilter',
  'eth_pendingTransactions',
  'eth_sendRawTransaction',
  'eth_sendTransaction',
  'eth_sign',
  'eth_signTypedData_v4',
  'eth_subscribe',
  'eth_uninstallFilter',
  'evm_increaseTime',
  'evm_mine',
  'evm_revert',
  'evm_setAutomine',
  'evm_setBlockGasLimit',
  'evm_setIntervalMining',
  'evm_setNextBlockTimestamp',
  'evm_snapshot',
  'hardhat_dropTransaction',
  'hardhat_getAutomine',
  'hardhat_impersonateAccount',
  'hardhat_metadata',
  'hardhat_mine',
  'hardhat_setBalance',
  'hardhat_setCode',
  'hardhat_setCoinbase',
  'hardhat_setMinGasPrice',
  'hardhat_setNextBlockBaseFeePerGas',
  'hardhat_setNonce',
  'hardhat_setPrevRandao',
  'hardhat_setStorageAt',
  'hardhat_stopImpersonatingAccount',
  'personal_sign',
  'web3_sha3',
]);

/** Those of them that change the chain or the node: they are repeated where the chain is built again. */
export const changingMethods: ReadonlySet<string> = new Set([
  'eth_sendRawTransaction',
  'eth_sendTransaction',
  ...[...drivingMethods].filter((method) => isChanging(method)),
]);

function isChanging(method: string): boolean {
  const isReading = method === 'hardhat_getAutomine' || method === 'hardhat_metadata';
  return /^(evm|hardhat)_/.test(method) && !isReading;
}
