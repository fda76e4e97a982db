import { lookup } from 'node:dns/promises';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isLoopbackHost, type Network } from '../../model/network.ts';
import type { Clock } from '../../wait/clock.ts';
import { orLate } from '../../wait/deadline.ts';
import { createServer, ListenerError, readTlsFiles, type ServerOptions } from './create-server.ts';

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

/** Turns the system error of a server that could not listen into one that names the setting to change. */
function explainListenFailure(
  cause: unknown,
  { host, port }: { host: string; port: number },
): ListenerError {
  // What a server emits as `error` before it listens is a system error.
  const { code } = cause as NodeJS.ErrnoException;
  switch (code) {
    case 'EADDRINUSE':
      return new ListenerError(
        'PORT_IN_USE',
        `Port ${port} on ${host} is taken by another process: stop that one, or choose another port (TRADEWIND_PORT or --port).`,
        { cause },
      );
    case 'EACCES':
      return new ListenerError(
        'PORT_FORBIDDEN',
        `This user may not listen on port ${port}: choose one above 1023 (TRADEWIND_PORT or --port), or put a proxy in front.`,
        { cause },
      );
    case 'EADDRNOTAVAIL':
      return new ListenerError(
        'ADDRESS_UNAVAILABLE',
        `${host} is not an address of this machine: set TRADEWIND_HOST to one that is, such as 127.0.0.1.`,
        { cause },
      );
    default:
      return new ListenerError(
        'LISTEN_FAILED',
        `Cannot listen on ${host}, port ${port} (${code ?? 'no code'}): choose others with TRADEWIND_HOST and TRADEWIND_PORT.`,
        { cause },
      );
  }
}
