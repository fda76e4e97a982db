import { type ClientContext, type GrantNames, grantNames } from '../client-context.ts';
import type { Discovery } from '../discovery/discover.ts';
import type { Grant } from '../records.ts';

/** A grant in the vault, with what was found out about its server. */
export type FoundGrant = {
  /** The address that it was obtained for. */
  readonly server: string;
  readonly discovery: Discovery;
  readonly names: GrantNames;
  readonly grant: Grant;
};

/** Every grant that the vault holds for servers of the origin, each once. */
export async function findHeldGrants({
  records,
  serverUrl,
}: ClientContext): Promise<readonly FoundGrant[]> {
  const { servers = [] } = (await records.read('origin', serverUrl.origin)) ?? {};
  const found = new Map<string, FoundGrant>();
  for (const server of servers) {
    const discovery = await records.read('server', server);
    if (discovery === undefined) continue;
    const names = grantNames(discovery, new URL(server));
    const grant = await records.read('grant', ...names);
    const key = names.join(' ');
    if (grant === undefined || found.has(key)) continue;
    found.set(key, { server, discovery, names, grant });
  }
  return [...found.values()];
}
