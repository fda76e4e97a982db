import { z } from 'zod';
import type { Database } from '../../kernel/database/database.ts';
import { roles } from '../model/account.ts';
import type {
  ManagePeople,
  PasswordLinkGiven,
  PeopleManager,
} from '../people/accounts/manage-people.ts';
import { findAccountRole } from '../store/account-store.ts';
import type { StoredPerson } from '../store/person-store.ts';
import type { Manager } from './identify-manager.ts';
import {
  declareManagement,
  type ServedManagement,
  serveManagement,
  time,
  toTime,
} from './management-operation.ts';
import { nextPageToken, pageQuery, type ReadPage } from './page-request.ts';

const role = z.enum(roles).describe('An owner manages everything, an admin everything but owners.');

const personFields = {
  id: z.string().describe('As tokens name the person in `sub`.'),
  username: z
    .string()
    .optional()
    .describe('The name that the person signs in with, if by a password.'),
  name: z.string().describe('The display name.'),
  role,
  state: z
    .enum(['invited', 'active'])
    .describe('`invited` until the person has chosen how to sign in.'),
  signsInBy: z
    .string()
    .describe('`password`, or the issuer that vouches for a person without one.'),
  made: time,
  sessions: z.int().describe('Browsers in which the person is signed in.'),
  grants: z.int().describe('Grants that the person has given to clients.'),
};
const person = z
  .object(personFields)
  .meta({ id: 'Person', description: 'Somebody who can sign in.' });

const invited = z
  .object({
    ...personFields,
    inviteUrl: z.string().describe('The link by which the person joins; it works once.'),
    inviteExpires: time,
  })
  .meta({ id: 'InvitedPerson', description: 'Somebody who was invited.' });

const newPerson = z
  .object({
    username: z.string().min(1).max(80).describe('The name that the person will sign in with.'),
    role: role.optional().describe('`member` by default.'),
  })
  .meta({ id: 'NewPerson' });

export const ended = z
  .object({
    sessions: z.int().describe('Browsers that were signed out.'),
    grants: z.int().describe('Grants that were revoked, with every token that came from them.'),
  })
  .meta({ id: 'Ended', description: 'What a change ended.' });

export const peopleOperations = {
  invite: declareManagement({
    id: 'people.create',
    method: 'POST',
    path: '/v1/people',
    description:
      'Invites a person: the answer has the link by which the person chooses a password, or proves a wallet or a sign-in at the identity provider instead.',
    body: newPerson,
    answer: invited,
  }),
  list: declareManagement({
    id: 'people.list',
    method: 'GET',
    path: '/v1/people',
    description: 'Lists the people who can sign in: in the order in which they were added.',
    query: z.object(pageQuery),
    answer: z.object({ people: z.array(person), nextPageToken }).meta({ id: 'ListPeopleResponse' }),
  }),
  get: declareManagement({
    id: 'people.get',
    method: 'GET',
    path: '/v1/people/{id}',
    description: 'Shows a person: also how many sessions and grants a removal would end.',
    answer: person,
  }),
  patch: declareManagement({
    id: 'people.patch',
    method: 'PATCH',
    path: '/v1/people/{id}',
    description:
      'Changes the role of a person. Grants that needed the lost role are revoked. Links for choosing a password no longer work.',
    body: z.object({ role }).meta({ id: 'PersonChange' }),
    answer: person,
  }),
  delete: declareManagement({
    id: 'people.delete',
    method: 'DELETE',
    path: '/v1/people/{id}',
    description: 'Removes a person: every browser is signed out, and every grant is revoked.',
    answer: z.object({ ended }).meta({ id: 'RemovedPerson' }),
  }),
  resetPassword: declareManagement({
    id: 'people.resetPassword',
    method: 'POST',
    path: '/v1/people/{id}:resetPassword',
    description:
      'Makes a link by which a person chooses a new password. The old password works until then. The link works until the password or the role is changed.',
    answer: z
      .object({
        id: z.string(),
        resetUrl: z
          .string()
          .describe('The link by which the person chooses the password; it works once.'),
        resetExpires: time,
      })
      .meta({ id: 'PasswordReset' }),
  }),
};

/** `/v1/people` (T3). */
export function servePeople(options: {
  readonly people: ManagePeople;
  readonly database: Database;
  readonly readPage: ReadPage;
}): ServedManagement[] {
  const { people, readPage } = options;

  async function rightsOf({ isOperator, personId }: Manager): Promise<PeopleManager> {
    if (isOperator) return { mayManageOwners: true };
    const own =
      personId === undefined ? undefined : await findAccountRole(options.database, personId);
    return { mayManageOwners: own === 'owner' };
  }

  return [
    serveManagement(peopleOperations.invite, async ({ body, manager }) => {
      const wanted = { username: body.username, role: body.role ?? 'member' };
      const made = await people.invite(wanted, await rightsOf(manager));
      const { url, expiresAt } = made.link;
      return { ...describe(made.person), inviteUrl: url, inviteExpires: toTime(expiresAt) };
    }),
    serveManagement(peopleOperations.list, async ({ query }) => {
      const { items, ...next } = await readPage(query, {
        name: ['people'],
        read: people.list,
        keyOf: ({ id, createdAt }) => ({ id, at: createdAt }),
      });
      return { people: items.map(describe), ...next };
    }),
    serveManagement(peopleOperations.get, async ({ id }) => describe(await people.find(id))),
    serveManagement(peopleOperations.patch, async ({ id, body, manager }) =>
      describe(await people.changeRole(id, body.role, await rightsOf(manager))),
    ),
    serveManagement(peopleOperations.delete, async ({ id, manager }) => ({
      ended: await people.remove(id, await rightsOf(manager)),
    })),
    serveManagement(peopleOperations.resetPassword, async ({ id, manager }) => {
      const { link } = await people.resetPassword(id, await rightsOf(manager));
      return describeReset(id, link);
    }),
  ];
}

function describe(given: StoredPerson): z.input<typeof person> {
  const { id, username, name, signsInBy, isInvited, createdAt, sessions, grants } = given;
  return {
    id,
    ...(username === undefined ? {} : { username }),
    name,
    role: given.role,
    state: isInvited ? 'invited' : 'active',
    signsInBy,
    made: toTime(createdAt),
    sessions,
    grants,
  };
}

function describeReset(id: string, { url, expiresAt }: PasswordLinkGiven) {
  return { id, resetUrl: url, resetExpires: toTime(expiresAt) };
}
