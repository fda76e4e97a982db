/**
 * Where the client keeps what must outlive a request: tokens, registrations, results of discovery. A `Map`
 * is a vault that lasts as long as the process; `openVault` opens one on disk.
 *
 * @example
 * ```ts
 * import { createAuthorizedFetch, type Vault } from 'tradewind/client';
 *
 * const forgetful: Vault = new Map<string, string>();
 * export const fetchAuthorized = await createAuthorizedFetch({
 *   serverUrl: 'https://api.example.com/mcp',
 *   vault: forgetful,
 * });
 * ```
 */
export type Vault = {
  get(key: string): string | undefined | Promise<string | undefined>;
  set(key: string, value: string): unknown;
  delete(key: string): unknown;
  /**
   * Runs `work` under a lock of this name, which excludes everyone else who shares the vault. A vault that
   * several processes share must have it, so that they do not spend one refresh token twice.
   */
  lock?<T>(name: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T>;
};
