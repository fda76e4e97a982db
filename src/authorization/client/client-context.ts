import { type Clock, systemClock } from '../../kernel/clock.ts';
import { type Random, systemRandom } from '../../kernel/random.ts';
import { createLegFetch, type LegFetch } from './create-leg-fetch.ts';
import type { AuthorizedFetchOptions } from './options.ts';
import { createRecords, type Records } from './records.ts';
import { openDefaultVault } from './vault/open-default-vault.ts';
import type { Vault } from './vault/vault.ts';

/** What all parts of one client share. */
export type ClientContext = {
  readonly options: AuthorizedFetchOptions;
  readonly serverUrl: URL;
  readonly vault: Vault;
  readonly records: Records;
  readonly fetch: LegFetch;
  readonly clock: Clock;
  readonly random: Random;
};

export function createClientContext(options: AuthorizedFetchOptions): ClientContext {
  const { clock = systemClock, random = systemRandom, certificateAuthorities } = options;
  const vault = options.vault ?? openDefaultVault();
  const serverUrl = new URL(options.serverUrl);
  return {
    options,
    serverUrl,
    vault,
    records: createRecords(vault),
    fetch: createLegFetch({ serverUrl, clock, certificateAuthorities }),
    clock,
    random,
  };
}
