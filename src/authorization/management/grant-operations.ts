import { z } from 'zod';
import type { Database } from '../../kernel/database/database.ts';
import { notFound, StatusError } from '../../kernel/edge/status-error.ts';
import type { Clock } from '../../kernel/wait/clock.ts';
import { noneIfRefused } from '../authorization-error.ts';
import type { Grants } from '../grants/grants.ts';
import type { FindClient } from '../model/client.ts';
import type { GrantId } from '../model/grant.ts';
import { accountScope } from '../scopes.ts';
import { findGrant, pageGrants, type StoredGrant } from '../store/grant-store.ts';
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

const grant = z
  .object({
    id: z.string(),
    personId: z.string(),
    clientId: z.string(),
    clientName: z.string().optional().describe('What the client calls itself.'),
    scopes: z.array(z.string()).describe('What the client may do for the person.'),
    resources: z.array(z.string()).describe('The resources that its tokens are for.'),
    granted: time,
    lastUsed: time.describe('When the client last got a token with it.'),
    expires: time.describe('When it expires, unless the client uses it before.'),
  })
  .meta({ id: 'Grant', description: 'What a person allowed a client.' });

export const grantOperations = {
  list: declareManagement({
    id: 'grants.list',
    method: 'GET',
    path: '/v1/grants',
    description:
      'Lists grants: a person’s own with the scope account.manage, everybody’s with admin, and with any other those to the client itself.',
    query: z.object({ ...pageQuery, ...personQuery }),
    answer: z.object({ grants: z.array(grant), nextPageToken }).meta({ id: 'ListGrantsResponse' }),
    isFor: 'programs',
  }),
  delete: declareManagement({
    id: 'grants.delete',
    method: 'DELETE',
    path: '/v1/grants/{id}',
    description:
      'Revokes a grant: every token that came from it is revoked. A grant to another client needs the scope account.manage or admin.',
    answer: z.object({ ended }).meta({ id: 'EndedGrant' }),
    isFor: 'programs',
  }),
};

/** `/v1/grants` (T3). */
export function serveGrants(options: {
  readonly database: Database;
  readonly grants: Pick<Grants, 'transaction'>;
  readonly findClient: FindClient;
  readonly readPage: ReadPage;
  readonly clock: Clock;
}): ServedManagement[] {
  const { database, grants, findClient, readPage, clock } = options;

  async function describe(given: StoredGrant): Promise<z.input<typeof grant>> {
    // `undefined` if the document is gone: people must still see its grants.
    const client = await findClient(given.clientId).catch(noneIfRefused);
    const { id, accountId, clientId, scope, resources, createdAt, expiresAt, refresh } = given;
    return {
      id,
      personId: accountId,
      clientId,
      ...(client?.name === undefined ? {} : { clientName: client.name }),
      scopes: [...scope],
      resources: [...resources],
      granted: toTime(createdAt),
      lastUsed: toTime(refresh?.previous?.spentAt ?? createdAt),
      expires: toTime(expiresAt),
    };
  }

  return [
    serveManagement(grantOperations.list, async ({ manager, query }) => {
      const accountId = ownerOf(manager, query.person);
      const clientId = manager.mayManage ? undefined : manager.clientId;
      const { items, ...next } = await readPage(query, {
        name: ['grants', accountId, clientId],
        read: (page) => pageGrants(database, { ...page, accountId, clientId, now: clock.now() }),
        keyOf: ({ id, createdAt }) => ({ id, at: createdAt }),
      });
      return { grants: await Promise.all(items.map(describe)), ...next };
    }),
    serveManagement(grantOperations.delete, async ({ manager, id }) => {
      const found = await findGrant(database, id as GrantId); // an unknown id finds none
      const isTheirs = manager.isAdmin || found?.accountId === manager.personId;
      if (found === undefined || !isTheirs) throw unknownGrant(id);
      if (!manager.mayManage && found.clientId !== manager.clientId) throw notToItself(id);
      const revoked = await grants.transaction((_, revoke) => revoke({ id: found.id }));
      return { ended: { sessions: 0, grants: revoked.length } };
    }),
  ];
}

function notToItself(id: string): StatusError {
  return new StatusError(
    'PERMISSION_DENIED',
    `The grant ${id} is to another client, and the token may not manage the account: ask the person for the scope ${accountScope}.`,
    { reason: 'ACCESS_TOKEN_SCOPE_INSUFFICIENT', metadata: { scope: accountScope } },
  );
}

function unknownGrant(given: string): StatusError {
  return notFound(given, {
    type: 'Grant',
    reason: 'GRANT_NOT_FOUND',
    message: (id) => `You have no grant ${id}: list your grants to see their ids.`,
  });
}
