import type { Server } from 'node:net';

/** Listens on all addresses of the machine, which include all of 127.0.0.0/8, and sends the port to the parent process. */
export function listen(server: Server): void {
  server.listen(0, '0.0.0.0', () => {
    const address = server.address();
    if (address !== null && typeof address === 'object') process.send?.(address.port);
  });
}
