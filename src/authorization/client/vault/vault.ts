/**
 * Where the client keeps what must outlive a request: tokens, registrations, what it found out. A `Map` is
 * a vault, for a process that shall remember nothing; `openVault` opens one on disk.
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
   * Runs `work` while nobody else who shares the vault runs any under the same name. A vault that
   * several processes share must have it: it keeps them from spending one refresh token twice.
   */
  lock?<T>(name: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T>;
};
