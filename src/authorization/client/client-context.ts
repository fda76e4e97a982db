import { type Random, systemRandom } from '../../kernel/model/random.ts';
import type { OutboundFetch } from '../../kernel/outbound/outbound-fetch.ts';
import { type Clock, systemClock } from '../../kernel/wait/clock.ts';
import type { Discovery } from './discover.ts';
import { createDiscoveryFetch } from './discovery-fetch.ts';
import type { AuthorizedFetchOptions } from './options.ts';
import { createRecords, type Records } from './records.ts';
import { openDefaultVault, type Vault } from './vault/vault.ts';

/** What all parts of one client share. */
export type ClientContext = {
  readonly options: AuthorizedFetchOptions;
  readonly serverUrl: URL;
  readonly records: Records;
  /** Where the issuers of configured secrets are stored. */
  readonly bindings: Pick<Records, 'read' | 'write'> & {
    lock<T>(name: string, work: () => Promise<T>): Promise<T>;
  };
  readonly fetch: OutboundFetch;
  readonly clock: Clock;
  readonly random: Random;
  /** Runs `work` under a lock of this name, which excludes everyone else who shares the vault. */
  lock<T>(name: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T>;
  /** Runs `work` while nobody else who shares the vault refreshes, obtains or revokes this grant. */
  lockGrant<T>(names: GrantNames, work: () => Promise<T>, signal?: AbortSignal): Promise<T>;
};

/** The key of a grant in the vault. */
export type GrantNames = readonly [issuer: string, resource: string];

/** Uses the resource identifier as published, or the server's address if it publishes none. */
export function grantNames({ metadata, resource }: Discovery, serverUrl: URL): GrantNames {
  return [metadata.issuer, resource ?? serverUrl.href];
}

function lockIn(vault: Vault): ClientContext['lock'] {
  return (name, work, signal) =>
    vault.lock === undefined ? work() : vault.lock(name, work, signal);
}

export function createClientContext(options: AuthorizedFetchOptions): ClientContext {
  const { random = systemRandom, certificateAuthorities } = options;
  const clock = { ...systemClock, ...options.clock };
  const vault = options.vault ?? openDefaultVault();
  const { bindings = vault } = options;
  const lock = lockIn(vault);
  const serverUrl = new URL(options.serverUrl);
  return {
    options,
    serverUrl,
    records: createRecords(vault),
    bindings: { ...createRecords(bindings), lock: lockIn(bindings) },
    fetch: createDiscoveryFetch({ serverUrl, clock, certificateAuthorities }),
    clock,
    random,
    lock,
    lockGrant: (names, work, signal) => lock(['grant', ...names].join(' '), work, signal),
  };
}
