import { z } from 'zod';
import type { Database } from '../../kernel/database/database.ts';
import { notFound, type StatusError } from '../../kernel/edge/status-error.ts';
import type { Grants } from '../grants/grants.ts';
import {
  deleteSession,
  findSession,
  pageSessions,
  type SessionAge,
  type VisibleSession,
} from '../store/session-store.ts';
import {
  declareManagement,
  ownerOf,
  personQuery,
  type ServedManagement,
  serveManagement,
  time,
  toTime,
} from './management-operation.ts';
import { nextPageToken, pageQuery, type ReadPage } from './page-request.ts';
import { ended } from './people-operations.ts';

const session = z
  .object({
    id: z.string().describe('The id that ends the session; it gives no access.'),
    personId: z.string(),
    name: z.string().describe('The display name of the person.'),
    device: z.string().describe('The browser and the system that the person signed in with.'),
    address: z.string().describe('The network address that the person signed in from.'),
    signedIn: time,
    lastUsed: time,
  })
  .meta({ id: 'Session', description: 'A browser in which somebody is signed in.' });

export const sessionOperations = {
  list: declareManagement({
    id: 'sessions.list',
    method: 'GET',
    path: '/v1/sessions',
    description:
      'Lists the browsers in which people are signed in: a person’s own with the scope account.manage, everybody’s with admin.',
    query: z.object({ ...pageQuery, ...personQuery }),
    answer: z
      .object({ sessions: z.array(session), nextPageToken })
      .meta({ id: 'ListSessionsResponse' }),
    isFor: 'people',
  }),
  delete: declareManagement({
    id: 'sessions.delete',
    method: 'DELETE',
    path: '/v1/sessions/{id}',
    description: 'Signs a browser out: everything that was allowed in it is revoked.',
    answer: z.object({ ended }).meta({ id: 'EndedSession' }),
    isFor: 'people',
  }),
};

/** `/v1/sessions` (T3). */
export function serveSessions(options: {
  readonly database: Database;
  readonly grants: Pick<Grants, 'transaction'>;
  readonly sessionAge: () => SessionAge;
  readonly readPage: ReadPage;
}): ServedManagement[] {
  const { database, grants, sessionAge, readPage } = options;
  return [
    serveManagement(sessionOperations.list, async ({ manager, query }) => {
      const accountId = ownerOf(manager, query.person);
      const { items, ...next } = await readPage(query, {
        name: ['sessions', accountId],
        read: (page) => pageSessions(database, { ...page, ...sessionAge(), accountId }),
        keyOf: ({ id, signedInAt }) => ({ id, at: signedInAt }),
      });
      return { sessions: items.map(describe), ...next };
    }),
    serveManagement(sessionOperations.delete, async ({ manager, id }) => {
      const found = await findSession(database, id);
      const isTheirs = manager.isAdmin || found?.account.id === manager.personId;
      if (found === undefined || !isTheirs) throw unknownSession(id);
      return grants.transaction(async (tx, revoke) => {
        const hasEnded = await deleteSession(tx, id);
        const revoked = await revoke({ sessionId: id });
        return { ended: { sessions: hasEnded ? 1 : 0, grants: revoked.length } };
      });
    }),
  ];
}

function describe(given: VisibleSession): z.input<typeof session> {
  const { id, account, device, address, signedInAt, lastUsedAt } = given;
  return {
    id,
    personId: account.id,
    name: account.name,
    device: device || 'Unknown device',
    address,
    signedIn: toTime(signedInAt),
    lastUsed: toTime(lastUsedAt),
  };
}

function unknownSession(given: string): StatusError {
  return notFound(given, {
    type: 'Session',
    reason: 'SESSION_NOT_FOUND',
    message: (id) => `You have no session ${id}: list your sessions to see their ids.`,
  });
}
