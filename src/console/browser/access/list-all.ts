import { callApi } from '../api.ts';

/** Every item of a list of the interface, from all of its pages. */
export async function listAll<Item>(
  path: string,
  member: string,
  signal: AbortSignal,
): Promise<readonly Item[]> {
  const items: Item[] = [];
  let pageToken = '';
  do {
    const page = await callApi<Record<string, unknown>>(path, {
      query: { pageSize: 100, pageToken },
      signal,
    });
    // The interface answers a list under its name, and a token while there is more.
    items.push(...((page[member] ?? []) as Item[]));
    pageToken = String(page.nextPageToken ?? '');
  } while (pageToken !== '');
  return items;
}
