import { lookup } from 'node:dns/promises';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isLoopbackHost } from '../../network/is-loopback-host.ts';
import type { Network } from '../../network/network.ts';
import type { Clock } from '../../time/clock.ts';
import { orLate } from '../../time/or-late.ts';
import { createServer, type ServerOptions } from './create-server.ts';
import { explainListenFailure } from './explain-listen-failure.ts';
import { ListenerError } from './listener-error.ts';
import { readTlsFiles } from './read-tls-files.ts';

export type ListenerOptions = ServerOptions & {
  host: string;
  /** 0 lets the system choose. */
  port: number;
  trustedProxies: readonly Network[];
  clock: Clock;
};

export type Listener = {
  /** Where it listens, with the port the system chose. */
  readonly url: string;
  readonly port: number;
  /** Reads the certificate and key again, for connections made from now on. */
  reloadTls(): Promise<void>;
  /**
   * Stops accepting, lets running requests finish for at most `drainMs`, then cuts what is left.
   * A request that arrives meanwhile on an open connection is still answered, as its last.
   */
  close(drainMs: number): Promise<void>;
};

/**
 * Serves `fetch` over HTTP, or HTTPS from a certificate and key. Refuses plain HTTP on an address
 * other than loopback unless a proxy that ends TLS is declared (S13), whichever name led to the
 * address. Refuses callers that are slow, send headers above 16 KiB or speak no HTTP before the app
 * sees them.
 *
 * Throws {@link ListenerError}.
 */
export async function openListener(options: ListenerOptions): Promise<Listener> {
  const { host, port, tls, trustedProxies, clock } = options;
  const address = await addressOf(host);
  if (tls === undefined && !isLoopbackHost(address) && trustedProxies.length === 0) {
    throw new ListenerError(
      'PLAIN_HTTP_REFUSED',
      `Refusing plain HTTP on ${host}, which others can reach: tokens would travel in the clear. Listen on 127.0.0.1 (TRADEWIND_HOST), serve TLS (TRADEWIND_TLS_CERT and TRADEWIND_TLS_KEY), or name the proxy that ends TLS (TRADEWIND_TRUSTED_PROXY).`,
    );
  }
  const { server, connections } = await createServer(options);
  await listen(server, { address, host, port });
  // A listening TCP server has this form of address.
  const bound = server.address() as AddressInfo;
  const name = host.includes(':') ? `[${host}]` : host;
  return {
    url: `${tls === undefined ? 'http' : 'https'}://${name}:${bound.port}`,
    port: bound.port,
    async reloadTls() {
      if (tls === undefined || !('setSecureContext' in server)) return;
      server.setSecureContext(await readTlsFiles(tls));
    },
    async close(drainMs) {
      const closed = connections.drain();
      await orLate(closed, { clock, milliseconds: drainMs, late: () => {} });
      connections.cut();
      await closed;
    },
  };
}

/** Resolved here and not by the server, so that the address checked is the address listened on. */
async function addressOf(host: string): Promise<string> {
  try {
    return (await lookup(host)).address;
  } catch (cause) {
    throw new ListenerError(
      'HOST_UNKNOWN',
      `Cannot listen on "${host}", which is neither an address nor a name this machine can resolve: set TRADEWIND_HOST to an address of this machine.`,
      { cause },
    );
  }
}

async function listen(server: Server, target: { address: string; host: string; port: number }) {
  const { address, host, port } = target;
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, address, () => {
        server.off('error', reject);
        resolve();
      });
    });
  } catch (cause) {
    throw explainListenFailure(cause, { host, port });
  }
}
