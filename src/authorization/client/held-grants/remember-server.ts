import type { ClientContext } from '../client-context.ts';

/**
 * Notes that something is kept for the server: a vault cannot be listed, and whoever signs out of an
 * origin wants every grant there to end.
 */
export async function rememberServer(context: ClientContext): Promise<void> {
  const { records, vault, serverUrl } = context;
  const { origin, href } = serverUrl;
  const add = async () => {
    const { servers = [] } = (await records.read('origin', origin)) ?? {};
    if (!servers.includes(href)) {
      await records.write('origin', { servers: [...servers, href] }, origin);
    }
  };
  await (vault.lock === undefined ? add() : vault.lock(`origin ${origin}`, add));
}
