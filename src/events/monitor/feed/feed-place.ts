/** Up to where a reader has read the feed: positions of events and attempts, and the time of a change. */
export type FeedPlace = {
  readonly event: number;
  readonly attempt: number;
  readonly change: number;
};

/** Formats a place as the id of a server-sent event, which any process can read, also after a restart (K13). */
export function formatFeedPlace({ event, attempt, change }: FeedPlace): string {
  return [event, attempt, change].join('-');
}

/** Undefined for an id that no feed gave. */
export function parseFeedPlace(id: string): FeedPlace | undefined {
  const [, event, attempt, change] = /^(\d{1,15})-(\d{1,15})-(\d{1,15})$/.exec(id) ?? [];
  if (change === undefined) return undefined;
  return { event: Number(event), attempt: Number(attempt), change: Number(change) };
}
