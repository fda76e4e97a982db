import type { Server } from 'node:net';

/** Listens on all addresses of the machine, of which loopback has many, and tells the parent process the port. */
export function listen(server: Server): void {
  server.listen(0, '0.0.0.0', () => {
    const address = server.address();
    if (address !== null && typeof address === 'object') process.send?.(address.port);
  });
}
