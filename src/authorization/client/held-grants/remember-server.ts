import type { ClientContext } from '../client-context.ts';

/**
 * Notes that something is kept for the server: a vault cannot be listed, and whoever signs out of an
 * origin wants every grant there to end.
 */
export async function rememberServer(context: ClientContext): Promise<void> {
  const { records, lock, serverUrl } = context;
  const { origin, href } = serverUrl;
  await lock(`origin ${origin}`, async () => {
    const { servers = [] } = (await records.read('origin', origin)) ?? {};
    if (!servers.includes(href)) {
      await records.write('origin', { servers: [...servers, href] }, origin);
    }
  });
}
