import type { Queries, Transaction } from '../../../kernel/database/database.ts';
import { sql } from '../../../kernel/database/sql.ts';

/** A lane and the process that delivers it. */
export type Holder = { readonly lane: number; readonly owner: string };

/**
 * The process that delivers the lane of a subscription now; undefined if none does, in which case all progress is
 * written.
 */
export function findHolder(queries: Queries, subscriptionId: string): Promise<Holder | undefined> {
  return queries.first<Holder>(sql`
    SELECT lane, owner FROM events_lanes
    WHERE subscription_id = ${subscriptionId} AND owner IS NOT NULL`);
}

/** A request to write the progress of a lane, and where to say that it is written. */
export type WriteRequest = { readonly lane: number; readonly reader: string; readonly id: string };

/** The channel on which a process is asked to write its progress. */
export function writeChannel(owner: string): string {
  return `events.write.${owner}`;
}

/** The channel on which a reader gets the ids of its fulfilled requests. */
export function writtenChannel(reader: string): string {
  return `events.written.${reader}`;
}

/** Asks the holder of a lane to write its progress. */
export function requestWrite(tx: Transaction, owner: string, request: WriteRequest): void {
  tx.notify(writeChannel(owner), JSON.stringify(request));
}

/** Undefined for a wake without a request, as after a lost connection. */
export function readWriteRequest(detail: string | undefined): WriteRequest | undefined {
  return detail ? JSON.parse(detail) : undefined;
}
