import { isIP, type LookupFunction } from 'node:net';
import { buildConnector } from 'undici';
import type { Network } from '../network/network.ts';
import { guardAddresses, type Resolve } from './guard-addresses.ts';
import { skipInformational } from './skip-informational.ts';

/**
 * Opens connections only to addresses that the guard allows. The socket itself resolves a name, once,
 * through our lookup: the addresses checked are the addresses it connects to, so DNS rebinding gets
 * no second lookup. TLS verifies the name, not the address.
 */
export function guardConnections(options: {
  resolve: Resolve;
  allowNetworks: readonly Network[];
  connectTimeoutMs: number;
  certificateAuthorities: string | undefined;
}): buildConnector.connector {
  const lookup: LookupFunction = (hostname, _options, callback) => {
    guardAddresses(hostname, options).then(
      (addresses) => {
        const all = addresses.map((address) => ({ address, family: isIP(address) }));
        callback(null, all);
      },
      (error) => callback(error, []),
    );
  };
  const connect = buildConnector({
    lookup,
    // Makes the socket ask for all addresses, and try the next where one does not answer (RFC 8305).
    autoSelectFamily: true,
    timeout: options.connectTimeoutMs,
    allowH2: false,
    ...(options.certificateAuthorities === undefined ? {} : { ca: options.certificateAuthorities }),
  });
  return (target, callback) => {
    const open = () =>
      connect(target, (...[error, socket]) =>
        error === null ? callback(null, skipInformational(socket)) : callback(error, null),
      );
    if (isIP(target.hostname) === 0) return open();
    // A socket does no lookup for a literal address.
    guardAddresses(target.hostname, options).then(open, (error) => callback(error, null));
  };
}
