import type { ClientContext } from '../client-context.ts';

/**
 * Notes that a grant is kept for the server: a vault cannot be listed, and a sign-out from an origin must revoke
 * every grant there.
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
