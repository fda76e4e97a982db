import { z } from 'zod';
import { parseUrl } from '../../kernel/text/url.ts';
import { authorizationLimits } from '../limits.ts';
import type { AddedResource } from '../store/resource-store.ts';
import {
  declareManagement,
  type ServedManagement,
  serveManagement,
  time,
  toTime,
} from './management-operation.ts';
import { nextPageToken, pageQuery, type ReadPage } from './page-request.ts';
import { ended } from './people-operations.ts';
import type { ManageResources } from './resources.ts';

/** The part of RFC 6749 section 3.3 that can be typed, read and put in a URL. */
const scopeName = /^[A-Za-z][\w.:/-]{0,63}$/;
/** Scopes of OpenID Connect, which clients send even to servers that do not support it. */
const reserved = ['openid', 'profile', 'email', 'offline_access'];
const plain = /^[^\p{C}]+$/u;
const mostScopes = authorizationLimits.scopesOfResource.value;
const expectedScopes = `must list 1 to ${mostScopes} scopes`;

const words = (longest: number) => {
  const expected = `must have 1 to ${longest} characters`;
  return z
    .string()
    .trim()
    .min(1, { error: expected, abort: true })
    .max(longest, expected)
    .regex(plain, 'must not contain invisible characters');
};

const scope = z
  .object({
    name: z
      .string()
      .regex(scopeName, 'must be a letter, then up to 63 letters, digits and . : / _ -')
      .refine((name) => !reserved.includes(name), 'is a word of OpenID Connect')
      .describe('As clients ask for it, such as crm.read.'),
    description: words(200).describe('What people read when they are asked to allow it.'),
    holders: z
      .enum(['anyone', 'admins'])
      .optional()
      .describe(
        '`admins`: only an admin allows it, or gives it to a client by name. Else `anyone`.',
      ),
  })
  .meta({ id: 'ResourceScope', description: 'A scope, which belongs to one resource.' });

const fields = {
  resource: z.string().max(2_048).describe('Its address, which tokens name as their audience.'),
  name: words(80).optional().describe('The display name; by default its host.'),
  scopes: z
    .array(scope)
    .min(1, expectedScopes)
    .max(mostScopes, expectedScopes)
    .describe('What tokens for it may allow.'),
};

const resource = z
  .object({
    id: z.string(),
    ...fields,
    name: z.string().describe('The display name.'),
    made: time,
    grants: z
      .int()
      .optional()
      .describe('How many grants a removal would end; only in the answer of resources.get.'),
  })
  .meta({ id: 'Resource', description: 'A server of your own that tokens may be for.' });

export const resourceOperations = {
  create: declareManagement({
    id: 'resources.create',
    method: 'POST',
    path: '/v1/resources',
    description: 'Adds a server that tokens may be for: with the scopes that it understands.',
    body: z.object(fields).meta({ id: 'NewResource' }),
    answer: resource,
  }),
  list: declareManagement({
    id: 'resources.list',
    method: 'GET',
    path: '/v1/resources',
    description: 'Lists the servers that were added.',
    query: z.object(pageQuery),
    answer: z
      .object({ resources: z.array(resource), nextPageToken })
      .meta({ id: 'ListResourcesResponse' }),
  }),
  get: declareManagement({
    id: 'resources.get',
    method: 'GET',
    path: '/v1/resources/{id}',
    description: 'Shows a server that was added: also how many grants a removal would end.',
    answer: resource,
  }),
  delete: declareManagement({
    id: 'resources.delete',
    method: 'DELETE',
    path: '/v1/resources/{id}',
    description: 'Removes a server with its scopes: every grant for it is revoked.',
    answer: z.object({ ended }).meta({ id: 'RemovedResource' }),
  }),
};

/** `/v1/resources` (T4). */
export function serveResources(options: {
  readonly manage: ManageResources;
  readonly readPage: ReadPage;
}): ServedManagement[] {
  const { manage, readPage } = options;
  return [
    serveManagement(resourceOperations.create, async ({ body }) => {
      const { resource: address, scopes } = body;
      const name = body.name ?? parseUrl(address)?.host ?? address;
      const given = scopes.map((one) => ({ ...one, holders: one.holders ?? ('anyone' as const) }));
      return describe(await manage.add({ resource: address, name, scopes: given }));
    }),
    serveManagement(resourceOperations.list, async ({ query }) => {
      const { items, ...next } = await readPage(query, {
        name: ['resources'],
        read: async ({ after, limit }) =>
          manage
            .list()
            .filter(({ createdAt: at, id }) => at > after.at || (at === after.at && id > after.id))
            .slice(0, limit),
        keyOf: ({ id, createdAt }) => ({ id, at: createdAt }),
      });
      return { resources: items.map(describe), ...next };
    }),
    serveManagement(resourceOperations.get, async ({ id }) => {
      const found = await manage.find(id);
      return { ...describe(found.resource), grants: found.grants };
    }),
    serveManagement(resourceOperations.delete, async ({ id }) => ({
      ended: { sessions: 0, grants: await manage.remove(id) },
    })),
  ];
}

function describe(given: AddedResource): z.input<typeof resource> {
  const { id, resource: address, name, scopes, createdAt } = given;
  return { id, resource: address, name, scopes: [...scopes], made: toTime(createdAt) };
}
